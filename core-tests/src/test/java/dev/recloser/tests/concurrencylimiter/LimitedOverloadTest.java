package dev.recloser.tests.concurrencylimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.examples.simulation.Clients;
import dev.recloser.examples.simulation.Clients.Fate;
import dev.recloser.examples.simulation.Dependency;
import dev.recloser.examples.simulation.EventQueue;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A limiter of 20, before a simulated dependency that serves 10 calls at a time in 100 ms each, under twice the load that it can serve. */
class LimitedOverloadTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final EventQueue events = new EventQueue(VirtualTime.create());
    private final Dependency dependency = new Dependency(
            events, 10, 100_000, Dependency.exponential(Duration.ofMillis(100).toNanos(), 1));
    private final ConcurrencyLimiter limiter = ConcurrencyLimiter.of("limiter", 20);

    @Test
    void neverMoreIsInFlightThanTheLimit() {
        Pipeline<String> pipeline = Pipeline.<String>named("limited")
                .time(events.time())
                .strategy(limiter, Classifier.defaults())
                .build();
        Clients clients = Clients.poisson(events, 200, 2, () -> pipeline.callAsync(dependency::call));
        events.time().advance(MINUTE);
        assertThat(dependency.mostInside()).isEqualTo(20);
        assertThat(limiter.snapshot().inFlight()).isEqualTo(dependency.inside());
        assertThat(clients.perSecond(Fate.ANSWERED, Duration.ZERO, MINUTE)).isGreaterThan(95);
        assertThat(clients.count(Fate.REJECTED)).isEqualTo(limiter.snapshot().rejected());
    }

    @Test
    void timedOutCallsFreeTheirPermitsWhileTheirWorkGoesOn() {
        Pipeline<String> pipeline = Pipeline.<String>named("limited")
                .time(events.time())
                .strategy(limiter, Classifier.defaults())
                .timeout(Duration.ofMillis(100))
                .build();
        Clients clients = Clients.poisson(events, 200, 2, () -> pipeline.callAsync(dependency::call));
        events.time().advance(MINUTE);
        assertThat(clients.count(Fate.TIMED_OUT)).isPositive();
        assertThat(dependency.mostInside()).isGreaterThan(20);
    }
}
