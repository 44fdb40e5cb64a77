package dev.recloser.gateway.cli;

import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.Reloads;
import dev.recloser.gateway.config.CheckedConfig;
import dev.recloser.gateway.config.ConfigChanges;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.Finding;
import dev.recloser.gateway.config.GatewayConfig;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Has a gateway serve by what its configuration file says now: when the content of the file, or of one that it names, has changed, or somebody {@linkplain #ask asks}.
 * A file with errors changes nothing, and is told once. All of it is done on one thread.
 */
final class Reloading implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.recloser.gateway");

    private static final long LOOK_MILLIS = 1000;
    private static final long PATIENCE_MILLIS = 2000;

    /** So many looks in a row may find no file before that is told. */
    private static final int PATIENCE = 10;

    private final Path file;
    private final FileWatch watch;
    private final Gateway gateway;
    private Map<Path, FileWatch> others;
    private boolean failed;
    private final Semaphore asked = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "recloser-reload");
    private Optional<Hangup> hangup = Optional.empty();

    private Reloading(Path file, FileWatch watch, List<Path> named, Gateway gateway) {
        this.file = file;
        this.watch = watch;
        this.gateway = gateway;
        this.others = watchesOf(named, Map.of());
        thread.setDaemon(true);
    }

    /**
     * Begins to look.
     *
     * @param file the configuration
     * @param watch looks at it, and knows what the gateway was started with
     * @param named the files that it names, whose contents belong to it
     */
    static Reloading start(Path file, FileWatch watch, List<Path> named, Gateway gateway) {
        Reloading reloading = new Reloading(file, watch, named, gateway);
        reloading.thread.start();
        return reloading;
    }

    /** From now on, SIGHUP asks. To be called once. */
    void onHangup() {
        hangup = Hangup.install(this::ask);
    }

    /** Has the file read now, whether it has changed or not. Thread-safe. */
    void ask() {
        asked.release();
    }

    private void run() {
        try {
            while (true) {
                boolean now = asked.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                asked.drainPermits();
                guarded(now ? this::readNow : this::look);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /** What looks at these files; what knows one of them already goes on. */
    private static Map<Path, FileWatch> watchesOf(List<Path> files, Map<Path, FileWatch> before) {
        Map<Path, FileWatch> watches = new HashMap<>();
        files.forEach(file -> watches.put(file, before.containsKey(file) ? before.get(file) : new FileWatch(file)));
        return watches;
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the configuration was not reloaded: a fault of the gateway's own", e);
            gateway.reloads().count(Reloads.Result.FAILURE);
        }
    }

    private void readNow() {
        take(watch.take()
                .map(content -> ConfigReader.parse(file.toString(), content))
                .orElseGet(() -> ConfigReader.read(file)));
    }

    /** What the file has said last, with the files that it names as they are now. */
    private Optional<CheckedConfig> parsed() {
        return watch.known().map(content -> ConfigReader.parse(file.toString(), content));
    }

    private void look() {
        watch.look().ifPresent(content -> take(ConfigReader.parse(file.toString(), content)));
        boolean othersChanged = false;
        for (FileWatch other : others.values()) {
            othersChanged |= other.look().isPresent();
        }
        if (othersChanged) {
            parsed().ifPresent(this::take);
        } else if (failed && watch.missed() == 0) { // a file that it names may have been missing, and is there now
            parsed().filter(checked -> checked.config().isPresent()).ifPresent(this::take);
        }
        if (watch.missed() == PATIENCE) {
            LOG.log(
                    Level.WARNING,
                    () -> file + ": cannot be read any more; the gateway goes on with what it was last told");
        }
    }

    private void take(CheckedConfig checked) {
        Optional<GatewayConfig> config = checked.config();
        failed = config.isEmpty();
        if (config.isPresent()) {
            List<Finding> warnings = checked.warnings();
            warnings.forEach(warning -> LOG.log(Level.WARNING, warning::toString));
            tell(gateway.reload(config.get()));
            others = watchesOf(config.get().files(), others);
        } else {
            gateway.reloads().count(Reloads.Result.FAILURE);
            LOG.log(
                    Level.ERROR,
                    "the configuration was not reloaded, because it has errors; the gateway goes on as before");
            checked.findings().forEach(finding -> LOG.log(level(finding), finding::toString));
        }
    }

    private static Level level(Finding finding) {
        return finding.severity() == Finding.Severity.ERROR ? Level.ERROR : Level.WARNING;
    }

    private static void tell(ConfigChanges changes) {
        LOG.log(Level.INFO, () -> "configuration reloaded: " + changes.describe());
        for (String key : changes.fixed()) {
            LOG.log(
                    Level.WARNING,
                    () -> "configuration reloaded: the change of " + key
                            + " takes effect after a restart; the gateway keeps the one that it was started with");
        }
    }

    /** Stops to look. A reload that is under way is done first, unless it takes long, as where a file system hangs. */
    @Override
    public void close() {
        hangup.ifPresent(Hangup::close);
        thread.interrupt();
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
