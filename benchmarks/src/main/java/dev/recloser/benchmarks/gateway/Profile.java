package dev.recloser.benchmarks.gateway;

import static dev.recloser.benchmarks.Table.number;

import dev.recloser.benchmarks.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * What the event loop did, by the samples of a recording. Threads in Java code and threads in native methods are sampled apart, and not
 * equally often, so their shares cannot be compared.
 */
final class Profile {

    private static final String LOOP = "recloser-gateway";
    private static final String OWN = "dev.recloser.";
    private static final int ROWS = 25;

    /** How many parts of the name of a package stand for it, such as two of {@code java.util.concurrent}. */
    private static final int PARTS = 2;

    /** The same by the first part. */
    private static final Map<String, Integer> MORE_PARTS = Map.of("dev", 4, "io", 4);

    private final Counts packages = new Counts("Java code by package");
    private final Counts methods = new Counts("Java code by method");
    private final Counts callers = new Counts("Java code and all that it calls, by Recloser's innermost method");
    private final Counts natives = new Counts("native methods (system calls, and waiting)");

    private Profile() {}

    /** Reads what was recorded from one time to another. */
    static Profile read(Path recording, Instant from, Instant to) throws IOException {
        Profile profile = new Profile();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (!event.getStartTime().isBefore(from) && event.getStartTime().isBefore(to)) {
                    profile.add(event);
                }
            }
        }
        return profile;
    }

    private void add(RecordedEvent event) {
        RecordedStackTrace trace = event.getStackTrace();
        if (trace == null || trace.getFrames().isEmpty() || !isLoop(event)) {
            return;
        }
        List<RecordedFrame> frames = trace.getFrames();
        RecordedMethod innermost = frames.get(0).getMethod();
        if (event.getEventType().getName().equals("jdk.NativeMethodSample")) {
            natives.add(name(innermost));
            return;
        }
        packages.add(packageOf(innermost));
        methods.add(name(innermost));
        callers.add(frames.stream()
                .map(RecordedFrame::getMethod)
                .filter(method -> method.getType().getName().startsWith(OWN))
                .map(Profile::name)
                .findFirst()
                .orElse("none, Netty alone"));
    }

    private static boolean isLoop(RecordedEvent event) {
        RecordedThread thread = event.getThread("sampledThread");
        String name = thread == null ? null : thread.getJavaName();
        return name != null && name.startsWith(LOOP);
    }

    private static String name(RecordedMethod method) {
        String type = method.getType().getName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + method.getName();
    }

    private static String packageOf(RecordedMethod method) {
        String[] parts = method.getType().getName().split("\\.", -1);
        int most = MORE_PARTS.getOrDefault(parts[0], PARTS);
        return String.join(".", List.of(parts).subList(0, Math.min(most, parts.length - 1)));
    }

    List<Table> tables() {
        return Stream.of(packages, methods, callers, natives).map(Counts::table).toList();
    }

    /** How often each name was seen. */
    private static final class Counts {

        private final String title;
        private final Map<String, Integer> counts = new HashMap<>();

        Counts(String title) {
            this.title = title;
        }

        void add(String name) {
            counts.merge(name, 1, Integer::sum);
        }

        Table table() {
            int sum = counts.values().stream().mapToInt(Integer::intValue).sum();
            Table table = new Table(title + ", " + sum + " samples", "%");
            counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(ROWS)
                    .forEach(entry -> table.row("  " + entry.getKey(), number(100.0 * entry.getValue() / sum, 1)));
            return table;
        }
    }
}
