package dev.recloser.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process with all those that it starts. They end with this JVM at the latest, however that ends, short of being killed. */
public final class Child implements AutoCloseable {

    private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

    private final Process process;
    private final Thread killer = new Thread(this::kill);

    private Child(Process process) {
        this.process = process;
        Runtime.getRuntime().addShutdownHook(killer);
    }

    /** Starts it. */
    public static Child start(ProcessBuilder builder) throws IOException {
        return new Child(builder.start());
    }

    /** The process that was started. */
    public Process process() {
        return process;
    }

    /** It, and all those that it has started and that are alive. */
    public List<ProcessHandle> all() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
    }

    /** Asks it to end, and then sees to it. */
    @Override
    public void close() {
        List<ProcessHandle> all = all();
        process.destroy();
        try {
            process.waitFor(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
        ShutdownHooks.remove(killer);
    }

    private void kill() {
        all().forEach(ProcessHandle::destroyForcibly);
    }
}
