package dev.recloser.gateway.proxy;

import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;

/** Says once what has become of a destination. A log may block, so no event loop writes it. */
final class HealthLog {

    private static final System.Logger LOG = System.getLogger(Destination.class.getName());

    private static final double NANOS_A_TENTH = 1e8;

    private final String who;
    private final Executor executor;

    HealthLog(String cluster, String url, Executor executor) {
        this.who = "destination " + url + " of " + cluster;
        this.executor = executor;
    }

    void ejected(long nanos, String why) {
        log(Level.WARNING, " is ejected for " + seconds(nanos) + ": " + why);
    }

    void returned() {
        log(Level.INFO, " takes requests again");
    }

    void unhealthy(String why) {
        log(Level.WARNING, " is unhealthy: " + why);
    }

    void healthy() {
        log(Level.INFO, " is healthy again");
    }

    private void log(Level level, String what) {
        executor.execute(() -> LOG.log(level, who + what));
    }

    private static String seconds(long nanos) {
        long tenths = Math.round(nanos / NANOS_A_TENTH);
        return tenths < 100 ? tenths / 10 + "." + tenths % 10 + " s" : Math.round(tenths / 10.0) + " s";
    }
}
