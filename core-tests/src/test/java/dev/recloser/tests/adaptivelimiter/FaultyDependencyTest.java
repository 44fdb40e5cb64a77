package dev.recloser.tests.adaptivelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.adaptivelimiter.AdaptiveLimiterBuilder;
import dev.recloser.examples.simulation.Clients;
import dev.recloser.examples.simulation.Clients.Fate;
import dev.recloser.examples.simulation.Dependency;
import dev.recloser.examples.simulation.Dependency.OverloadedException;
import dev.recloser.examples.simulation.EventQueue;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What the limiter makes of a simulated dependency that is not merely busy. */
class FaultyDependencyTest {

    private static final long SERVICE_NANOS = Duration.ofMillis(100).toNanos();

    private final EventQueue events = new EventQueue(VirtualTime.create());

    private AdaptiveLimiter limiter(Consumer<AdaptiveLimiterBuilder<String>> change) {
        return AdaptiveLimiter.<String>of(
                "limiter",
                settings -> {
                    settings.latencyGoal(Duration.ofMillis(250));
                    change.accept(settings);
                },
                events.time());
    }

    private Pipeline<String> pipeline(AdaptiveLimiter limiter) {
        return Pipeline.<String>named("limited")
                .time(events.time())
                .strategy(limiter, limiter.classifier())
                .timeout(Duration.ofSeconds(1))
                .build();
    }

    private Dependency dependency(int servers, int queue) {
        return new Dependency(events, servers, queue, Dependency.exponential(SERVICE_NANOS, 1));
    }

    @Test
    void limitSettlesWhereTheDependencyBeginsToRefuse() {
        AdaptiveLimiter limiter = limiter(settings -> settings.handle(OverloadedException.class));
        Pipeline<String> pipeline = pipeline(limiter);
        Dependency dependency = dependency(10, 5);
        Clients clients = Clients.poisson(events, 400, 2, () -> pipeline.callAsync(dependency::call));
        events.time().advance(Duration.ofMinutes(1));
        assertThat(clients.perSecond(Fate.ANSWERED, Duration.ZERO, Duration.ofMinutes(1)))
                .isGreaterThan(95);
        assertThat(limiter.snapshot().limit()).isLessThan(50);
        assertThat(clients.count(Fate.REJECTED)).isGreaterThan(clients.count(Fate.FAILED));
    }

    @Test
    void dependencyThatIsBrokenAndAnswersFastLeavesTheLimitAsItIs() {
        AdaptiveLimiter limiter = limiter(settings -> {});
        Pipeline<String> pipeline = pipeline(limiter);
        Clients clients = Clients.poisson(
                events,
                5000,
                1,
                () -> pipeline.callAsync(() -> CompletableFuture.failedFuture(new IOException("refused"))));
        events.time().advance(Duration.ofSeconds(10));
        assertThat(limiter.snapshot().limit()).isEqualTo(20);
        assertThat(clients.count(Fate.FAILED)).isGreaterThan(49_000);
    }

    @Test
    void dependencyThatHangsIsLeftWithTheFloorUntilItGoesOn() {
        AdaptiveLimiter limiter = limiter(settings -> settings.minLimit(2));
        Pipeline<String> pipeline = pipeline(limiter);
        Dependency dependency = dependency(10, 100_000);
        Clients clients = Clients.poisson(events, 90, 2, () -> pipeline.callAsync(dependency::call));
        events.time().advance(Duration.ofSeconds(30));
        dependency.servers(0);
        events.time().advance(Duration.ofMinutes(1));
        assertThat(limiter.snapshot().limit()).isEqualTo(2);
        dependency.servers(10);
        events.time().advance(Duration.ofSeconds(90));
        assertThat(clients.perSecond(Fate.ANSWERED, Duration.ofMinutes(2), Duration.ofMinutes(3)))
                .isGreaterThan(80);
    }

    @Test
    void largeDependencyIsInFullUseWithinSeconds() {
        AdaptiveLimiter limiter = limiter(settings -> {});
        Pipeline<String> pipeline = pipeline(limiter);
        Dependency dependency = dependency(200, 100_000);
        Clients clients = Clients.poisson(events, 4000, 2, () -> pipeline.callAsync(dependency::call));
        events.time().advance(Duration.ofSeconds(15));
        assertThat(clients.perSecond(Fate.ANSWERED, Duration.ofSeconds(5), Duration.ofSeconds(15)))
                .isGreaterThan(.95 * 2000);
        assertThat(clients.count(Fate.TIMED_OUT)).isLessThan(100);
    }

    @Test
    void highPercentileKeepsTheTailWithinTheGoal() {
        AdaptiveLimiter limiter = limiter(settings ->
                settings.latencyGoal(Duration.ofMillis(500)).percentile(.9).minimumSamples(30));
        Pipeline<String> pipeline = pipeline(limiter);
        Dependency dependency = dependency(10, 100_000);
        Clients clients = Clients.poisson(events, 200, 2, () -> pipeline.callAsync(dependency::call));
        events.time().advance(Duration.ofMinutes(1));
        assertThat(clients.perSecond(Fate.ANSWERED, Duration.ZERO, Duration.ofMinutes(1)))
                .isGreaterThan(95);
        assertThat(limiter.snapshot().limit()).isBetween(15, 50);
    }
}
