package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.HealthCheckConfig;
import dev.recloser.time.TimeSource;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Asks each destination of a cluster again and again how it is, one check of each at a time, until it is closed. All checks of a cluster
 * are on one event loop. The first checks are spread over an interval, so that not all gateways that were started together ask together.
 */
final class HealthChecks implements AutoCloseable {

    /** Beyond the timeout, for a machine that is short of processor time. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final double JITTER = 0.1;

    private final HealthCheckConfig config;
    private final Destinations destinations;
    private final EventLoop loop;
    private final Transport transport;
    private final TimeSource time;
    private final Runnable afterEach;
    private volatile boolean closed;

    /**
     * Checks that are to be {@linkplain #start started}.
     *
     * @param afterEach what to do after each check, on the event loop
     */
    HealthChecks(
            HealthCheckConfig config,
            Destinations destinations,
            EventLoop loop,
            Transport transport,
            TimeSource time,
            Runnable afterEach) {
        this.config = config;
        this.destinations = destinations;
        this.loop = loop;
        this.transport = transport;
        this.time = time;
        this.afterEach = afterEach;
    }

    void start() {
        double interval = config.interval().toNanos();
        for (Destination destination : destinations.all()) {
            new Watched(destination)
                    .checkAfter((long) (ThreadLocalRandom.current().nextDouble() * interval));
        }
    }

    /** Ends all checks; what is under way changes nothing any more. */
    @Override
    public void close() {
        closed = true;
    }

    /** A destination, and what its last checks found. Used on the event loop only. */
    private final class Watched {

        private final Destination destination;
        private boolean healthy;
        private int othersInARow;
        private long begun;

        private Watched(Destination destination) {
            this.destination = destination;
            this.healthy = !destination.health().isDown();
        }

        private void checkAfter(long nanos) {
            var unused = loop.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
        }

        private void check() {
            if (!closed) {
                begun = time.nanoTime();
                new HealthRequest(destination, config, destinations.speakHttp2(), this::checked)
                        .send(loop, transport, time);
            }
        }

        private void checked(@Nullable String problem) {
            if (closed) {
                return;
            }
            boolean good = problem == null;
            othersInARow = good == healthy ? 0 : othersInARow + 1;
            if (othersInARow >= (good ? config.healthyAfter() : config.unhealthyAfter())) {
                String why = othersInARow + " checks in a row failed, the last one: " + problem;
                healthy = good;
                othersInARow = 0;
                destination.health().checked(good, why);
                destinations.checked();
            }
            afterEach.run();
            double jitter = 1 + JITTER * (ThreadLocalRandom.current().nextDouble() - 0.5);
            long rest = (long) (config.interval().toNanos() * jitter) - (time.nanoTime() - begun);
            checkAfter(Math.max(0, rest));
        }
    }

    /**
     * Asks all destinations now, and waits: not to be called on an event loop.
     *
     * @return true as soon as one is well
     * @throws UnhealthyException when none is
     */
    boolean isAnyHealthy() throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Boolean> any = new CompletableFuture<>();
        List<Destination> all = destinations.all();
        AtomicInteger waiting = new AtomicInteger(all.size());
        loop.execute(() -> {
            for (Destination destination : all) {
                new HealthRequest(destination, config, destinations.speakHttp2(), problem -> {
                            if (problem == null) {
                                any.complete(true);
                            } else if (waiting.decrementAndGet() == 0) {
                                any.completeExceptionally(new UnhealthyException(problem));
                            }
                        })
                        .send(loop, transport, time);
            }
        });
        return any.get(config.timeout().plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Why a circuit was opened again, as it is shown. Without a stack trace, which would say nothing. */
    static final class UnhealthyException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private UnhealthyException(String problem) {
            super("health check: " + problem, null, false, false);
        }
    }
}
