package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Finding.Severity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/** Collects what there is to say about one file, so that all of it can be said at once. */
final class Findings {

    private static final Comparator<Finding> BY_PLACE =
            Comparator.comparingInt(Finding::line).thenComparingInt(Finding::column);

    private final String file;
    private final Concealed concealed = new Concealed();
    private final Set<Node> settled = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Finding> found = new ArrayList<>();

    Findings(String file) {
        this.file = file;
    }

    /** What is not to be seen in what is found. */
    Concealed concealed() {
        return concealed;
    }

    /** About the file as a whole. */
    void error(String message) {
        found.add(new Finding(Severity.ERROR, file, 0, 0, message));
    }

    void error(int line, int column, String message) {
        found.add(new Finding(Severity.ERROR, file, line, column, concealed.in(message)));
    }

    void error(Mark at, String message) {
        error(line(at), column(at), message);
    }

    void error(Node at, String message) {
        add(Severity.ERROR, at, message);
    }

    void warning(Node at, String message) {
        add(Severity.WARNING, at, message);
    }

    private void add(Severity severity, Node at, String message) {
        if (!settled.contains(at)) {
            Mark mark = at.getStartMark();
            found.add(new Finding(severity, file, line(mark), column(mark), concealed.in(at, message)));
        }
    }

    /** All there is to say about this node has been said. */
    void settle(Node node) {
        settled.add(node);
    }

    boolean hasErrors() {
        return found.stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
    }

    List<Finding> inOrder() {
        return found.stream().sorted(BY_PLACE).toList();
    }

    static int line(Node node) {
        return line(node.getStartMark());
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }

    private static int column(Mark mark) {
        return mark.getColumn() + 1;
    }
}
