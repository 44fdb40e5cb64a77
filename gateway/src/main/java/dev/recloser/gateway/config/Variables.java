package dev.recloser.gateway.config;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Puts the values of environment variables in the place of <code>${NAME}</code> and <code>${NAME:-default}</code>. It does so in the tree
 * and not in the text: so every place in the file stays what it is, and a value is always a part of one scalar, whatever it holds.
 */
final class Variables {

    private static final Pattern PLACE =
            Pattern.compile("\\$\\$\\{|\\$\\{(?:(?<name>[A-Za-z_][A-Za-z0-9_]*)(?<given>:-(?<default>[^}]*))?\\})?");
    private static final String HOW = "write ${NAME}, ${NAME:-default}, or $${ for the characters ${";

    private final UnaryOperator<@Nullable String> environment;
    private final Findings findings;
    private final IdentityHashMap<Node, Node> replaced = new IdentityHashMap<>();
    private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * For one file.
     *
     * @param environment the value of a variable, null if it is not set
     */
    Variables(UnaryOperator<@Nullable String> environment, Findings findings) {
        this.environment = environment;
        this.findings = findings;
    }

    /** Does so in all values from this node on; keys are left as they are. */
    Node expand(Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue().contains("${")
                    ? replaced.computeIfAbsent(scalar, any -> expanded(scalar))
                    : scalar;
        }
        if (!seen.add(node)) {
            return node; // an alias
        }
        if (node instanceof SequenceNode sequence) {
            sequence.getValue().replaceAll(this::expand);
        } else if (node instanceof MappingNode mapping) {
            List<NodeTuple> expanded = mapping.getValue().stream()
                    .map(tuple -> new NodeTuple(tuple.getKeyNode(), expand(tuple.getValueNode())))
                    .toList();
            mapping.setValue(expanded);
        }
        return node;
    }

    private Node expanded(ScalarNode scalar) {
        Set<String> used = new HashSet<>();
        AtomicBoolean wrong = new AtomicBoolean();
        Matcher place = PLACE.matcher(scalar.getValue());
        String value = place.replaceAll(found -> Matcher.quoteReplacement(value(place, used, problem -> {
            findings.error(scalar, problem);
            wrong.set(true);
        })));
        ScalarNode expanded =
                new ScalarNode(Tag.STR, value, scalar.getStartMark(), scalar.getEndMark(), scalar.getScalarStyle());
        used.forEach(name -> findings.concealed().from(expanded, name));
        if (wrong.get()) {
            findings.settle(expanded);
        }
        return expanded;
    }

    private String value(Matcher place, Set<String> used, Consumer<String> problem) {
        String name = place.group("name");
        String byDefault = place.group("default");
        if (place.group().equals("$${")) {
            return "${";
        } else if (name == null || (byDefault != null && byDefault.contains("${"))) {
            problem.accept("'${' begins no variable here; " + HOW);
            return "";
        }
        String set = environment.apply(name);
        if (byDefault != null && (set == null || set.isEmpty())) {
            return byDefault;
        } else if (set == null) {
            problem.accept("the environment variable of ${" + name + "} is not set; set it, or write ${" + name
                    + ":-default}");
            return "";
        }
        used.add(name);
        findings.concealed().add(name, set);
        return set;
    }
}
