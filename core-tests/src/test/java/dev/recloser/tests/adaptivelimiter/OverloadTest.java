package dev.recloser.tests.adaptivelimiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.recloser.Pipeline;
import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.examples.simulation.Clients;
import dev.recloser.examples.simulation.Clients.Fate;
import dev.recloser.examples.simulation.Dependency;
import dev.recloser.examples.simulation.EventQueue;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the limiter does for a simulated dependency that can serve 100 calls per second: 10 at a time, 100 ms each on average, with a long
 * queue before it. Its clients wait for a second each, and come whether or not those before them were answered.
 */
class OverloadTest {

    private static final double CAPACITY = 100;
    private static final int SERVERS = 10;
    private static final long SERVICE_NANOS = Duration.ofMillis(100).toNanos();
    private static final int LONG_QUEUE = 100_000;
    private static final double ENOUGH = .95;

    private final EventQueue events = new EventQueue(VirtualTime.create());
    private final AdaptiveLimiter limiter =
            AdaptiveLimiter.of("limiter", settings -> settings.latencyGoal(Duration.ofMillis(250)), events.time());
    private final Pipeline<String> limited = Pipeline.<String>named("limited")
            .time(events.time())
            .strategy(limiter, limiter.classifier())
            .timeout(Duration.ofSeconds(1))
            .build();
    private final Pipeline<String> unlimited = Pipeline.<String>named("unlimited")
            .time(events.time())
            .timeout(Duration.ofSeconds(1))
            .build();

    private Dependency dependency(long seed) {
        return new Dependency(events, SERVERS, LONG_QUEUE, Dependency.exponential(SERVICE_NANOS, seed));
    }

    private Clients clients(Pipeline<String> pipeline, double load, Dependency dependency) {
        return Clients.poisson(events, load * CAPACITY, 2, () -> pipeline.callAsync(dependency::call));
    }

    private void advanceTo(Duration moment) {
        events.time().advance(moment.minus(events.time().elapsed()));
    }

    /** Answers that came in time, as a share of what the dependency can serve. */
    private static double goodput(Clients clients, Duration from, Duration to) {
        return clients.perSecond(Fate.ANSWERED, from, to) / CAPACITY;
    }

    private double averageLimit(Duration from, Duration to) {
        advanceTo(from);
        long sum = 0;
        int looks = 0;
        while (events.time().elapsed().compareTo(to) < 0) {
            events.time().advance(Duration.ofMillis(100));
            sum += limiter.snapshot().limit();
            looks++;
        }
        return (double) sum / looks;
    }

    @Test
    void withoutALimiterNearlyAllWorkIsForNothing() {
        Dependency dependency = dependency(1);
        Clients clients = clients(unlimited, 2, dependency);
        advanceTo(Duration.ofMinutes(1));
        assertThat(dependency.served()).isGreaterThan(5500);
        assertThat(goodput(clients, Duration.ofSeconds(5), Duration.ofMinutes(1)))
                .isLessThan(.05);
    }

    @ParameterizedTest
    @CsvSource({"1.2, 1", "2, 1", "2, 2", "2, 3", "10, 1"})
    void withTheLimiterTheDependencyIsOfUseUpToItsCapacity(double load, long seed) {
        Dependency dependency = dependency(seed);
        Clients clients = clients(limited, load, dependency);
        advanceTo(Duration.ofMinutes(1));
        assertThat(goodput(clients, Duration.ZERO, Duration.ofMinutes(1))).isGreaterThan(ENOUGH);
        assertThat(clients.count(Fate.TIMED_OUT)).isLessThan(dependency.served() / 100);
    }

    @Test
    void callsThatComeAndAreServedLikeClockworkAreNoException() {
        Dependency dependency = new Dependency(events, SERVERS, LONG_QUEUE, () -> SERVICE_NANOS);
        Clients clients = Clients.regular(events, 2 * CAPACITY, () -> limited.callAsync(dependency::call));
        advanceTo(Duration.ofMinutes(1));
        assertThat(goodput(clients, Duration.ZERO, Duration.ofMinutes(1))).isGreaterThan(ENOUGH);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nothingIsRejectedUnderLightLoad(long seed) {
        Clients clients = clients(limited, .3, dependency(seed));
        advanceTo(Duration.ofMinutes(10));
        assertThat(clients.count(Fate.REJECTED)).isZero();
        assertThat(clients.count(Fate.ANSWERED)).isGreaterThan(17_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void limitDoesNotDriftUnderMildOverload(long seed) {
        Clients clients = clients(limited, 1.1, dependency(seed));
        double inTheSecondMinute = averageLimit(Duration.ofMinutes(1), Duration.ofMinutes(2));
        double inTheTenthMinute = averageLimit(Duration.ofMinutes(9), Duration.ofMinutes(10));
        assertThat(inTheTenthMinute).isCloseTo(inTheSecondMinute, within(.15 * inTheSecondMinute));
        assertThat(goodput(clients, Duration.ZERO, Duration.ofMinutes(10))).isGreaterThan(ENOUGH);
    }

    @Test
    void capacityThatIsHalvedAndRestoredIsFollowed() {
        Dependency dependency = dependency(1);
        Clients clients = clients(limited, 2, dependency);
        double before = averageLimit(Duration.ofMinutes(1), Duration.ofMinutes(2));

        dependency.servers(SERVERS / 2);
        double halved = averageLimit(Duration.ofSeconds(130), Duration.ofMinutes(3));
        assertThat(halved).isCloseTo(before / 2, within(.15 * before));
        assertThat(goodput(clients, Duration.ofSeconds(130), Duration.ofMinutes(3)))
                .isGreaterThan(ENOUGH / 2);

        dependency.servers(SERVERS);
        double restored = averageLimit(Duration.ofSeconds(190), Duration.ofMinutes(4));
        assertThat(restored).isCloseTo(before, within(.15 * before));
        assertThat(goodput(clients, Duration.ofSeconds(190), Duration.ofMinutes(4)))
                .isGreaterThan(ENOUGH);
    }

    @Test
    void loadThatRisesFromLightToTwiceTheCapacityIsFollowed() {
        Clients clients = clients(limited, .3, dependency(1));
        advanceTo(Duration.ofMinutes(1));
        clients.perSecond(2 * CAPACITY);
        advanceTo(Duration.ofMinutes(2));
        assertThat(goodput(clients, Duration.ofSeconds(61), Duration.ofMinutes(2)))
                .isGreaterThan(ENOUGH);
    }
}
