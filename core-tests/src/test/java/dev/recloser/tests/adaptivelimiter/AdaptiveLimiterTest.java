package dev.recloser.tests.adaptivelimiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recloser.CallContext;
import dev.recloser.LimitReachedException;
import dev.recloser.OutcomeClass;
import dev.recloser.SettingsException;
import dev.recloser.TimedOutException;
import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.adaptivelimiter.AdaptiveLimiterBuilder;
import dev.recloser.spi.Ticket;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the limiter decides. Its windows are 100 ms long, its goal is 50 ms, and it starts with a limit of 20. */
class AdaptiveLimiterTest {

    private static final Duration GOAL = Duration.ofMillis(50);
    private static final Duration TICK = Duration.ofNanos(1);
    private static final Duration WINDOW = Duration.ofMillis(100);

    private final CallContext context = CallContext.named("orders");
    private final VirtualTime time = VirtualTime.create();
    private final AdaptiveLimiter limiter = limiter(settings -> {});

    private AdaptiveLimiter limiter(Consumer<AdaptiveLimiterBuilder<Integer>> change) {
        return AdaptiveLimiter.<Integer>of(
                "limiter",
                settings -> {
                    settings.latencyGoal(GOAL);
                    change.accept(settings);
                },
                time);
    }

    private List<Ticket> fill() {
        List<Ticket> tickets = new ArrayList<>();
        while (limiter.acquire(context) instanceof Ticket ticket) {
            tickets.add(ticket);
        }
        return tickets;
    }

    private static void endAll(List<Ticket> tickets, OutcomeClass outcome) {
        tickets.forEach(ticket -> ticket.settle(outcome, null, null));
    }

    /** The window in which calls have begun closes, and is judged by the calls that come then. */
    private void judge() {
        time.advance(WINDOW);
        limiter.acquire(context);
        time.advance(GOAL.plus(TICK));
        limiter.acquire(context);
    }

    private int limit() {
        return limiter.snapshot().limit();
    }

    @Test
    void callThatStandsByIsInFlightAndNoSample() {
        fill().forEach(Ticket::standBy);
        assertThat(limiter.snapshot().inFlight()).isEqualTo(20);
        judge();
        judge();
        assertThat(limit()).isEqualTo(20);
    }

    @Test
    void callThatStoodByIsMeasuredFromWhereItBegins() {
        List<Ticket> tickets = fill();
        tickets.forEach(Ticket::standBy);
        time.advance(WINDOW.plus(GOAL));
        tickets.forEach(Ticket::begin);
        time.advance(GOAL.dividedBy(2));
        endAll(tickets, OutcomeClass.SUCCESS);
        judge();
        assertThat(limit()).isGreaterThan(20);
        assertThat(limiter.snapshot().inFlight()).isLessThanOrEqualTo(2);
    }

    @Test
    void callThatStoodByAndIsSlowThenCountsAgainstTheLimit() {
        List<Ticket> tickets = fill();
        tickets.forEach(Ticket::standBy);
        tickets.forEach(Ticket::begin);
        tickets.forEach(Ticket::begin);
        judge();
        assertThat(limit()).isLessThan(20);
    }

    @Test
    void callThatEndsStandingByLeavesNoTrace() {
        List<Ticket> tickets = fill();
        tickets.forEach(Ticket::standBy);
        endAll(tickets, OutcomeClass.FAILURE);
        tickets.forEach(Ticket::begin);
        judge();
        assertThat(limit()).isEqualTo(20);
        assertThat(limiter.snapshot().inFlight()).isLessThanOrEqualTo(2);
    }

    @Test
    void callBeyondTheLimitIsRejected() {
        assertThat(fill()).hasSize(20);
        LimitReachedException rejection = (LimitReachedException) limiter.acquire(context);
        assertThat(rejection.pipeline()).isEqualTo("orders");
        assertThat(rejection.strategy()).isEqualTo("limiter");
        assertThat(rejection.retryAfter()).isEmpty();
        assertThat(limiter.snapshot().rejected()).isEqualTo(2);
        assertThat(limiter.snapshot().inFlight()).isEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource
    void permitComesBackOnceWhateverTheCallEndedIn(OutcomeClass outcome) {
        List<Ticket> tickets = fill();
        tickets.get(0).settle(outcome, null, null);
        tickets.get(0).settle(outcome, null, null);
        tickets.get(0).unused();
        tickets.get(1).unused();
        tickets.get(1).unused();
        assertThat(limiter.snapshot().inFlight()).isEqualTo(18);
    }

    @Test
    void callsWithinTheGoalRaiseTheLimit() {
        List<Ticket> tickets = fill();
        time.advance(GOAL);
        endAll(tickets, OutcomeClass.SUCCESS);
        judge();
        assertThat(limit()).isEqualTo(40);
        assertThat(limiter.snapshot().lastSamples()).isEqualTo(20);
        assertThat(limiter.snapshot().lastWithinGoal()).isEqualTo(1);
        assertThat(limiter.snapshot().lastLatency()).isEqualTo(GOAL);
    }

    @Test
    void callsBeyondTheGoalLowerTheLimit() {
        List<Ticket> tickets = fill();
        time.advance(GOAL.plus(TICK));
        endAll(tickets, OutcomeClass.SUCCESS);
        judge();
        assertThat(limit()).isEqualTo(18);
        assertThat(limiter.snapshot().lastWithinGoal()).isZero();
    }

    @Test
    void callsThatNeverEndLowerTheLimit() {
        fill();
        judge();
        assertThat(limit()).isEqualTo(18);
        assertThat(limiter.snapshot().lastSamples()).isEqualTo(20);
    }

    @Test
    void fastFailuresLowerTheLimit() {
        endAll(fill(), OutcomeClass.FAILURE);
        judge();
        assertThat(limit()).isEqualTo(18);
    }

    @Test
    void fastIgnoredOutcomesChangeNothing() {
        endAll(fill(), OutcomeClass.IGNORED);
        judge();
        assertThat(limit()).isEqualTo(20);
        assertThat(limiter.snapshot().lastSamples()).isZero();
    }

    @Test
    void slowIgnoredOutcomesLowerTheLimit() {
        List<Ticket> tickets = fill();
        time.advance(GOAL.plus(TICK));
        endAll(tickets, OutcomeClass.IGNORED);
        judge();
        assertThat(limit()).isEqualTo(18);
    }

    @Test
    void callsThatNeverBeganChangeNothing() {
        fill().forEach(Ticket::unused);
        judge();
        assertThat(limit()).isEqualTo(20);
    }

    @Test
    void halfOfTheCallsWithinTheGoalAreEnough() {
        List<Ticket> tickets = fill();
        endAll(tickets.subList(0, 10), OutcomeClass.SUCCESS);
        judge();
        assertThat(limiter.snapshot().lastWithinGoal()).isEqualTo(.5);
        assertThat(limit()).isEqualTo(40);
    }

    @Test
    void fewCallsAreNotJudgedBeforeThereAreMore() {
        List<Ticket> tickets = fill();
        tickets.subList(0, 11).forEach(Ticket::unused);
        judge();
        assertThat(limiter.snapshot().lastSamples()).isZero();
        judge();
        assertThat(limiter.snapshot().lastSamples()).isGreaterThanOrEqualTo(10);
        assertThat(limit()).isEqualTo(18);
    }

    @Test
    void callsOfAnEarlierWindowDoNotCountInALaterOne() {
        List<Ticket> hanging = fill();
        judge();
        endAll(hanging, OutcomeClass.SUCCESS);
        List<Ticket> next = fill();
        assertThat(next).hasSize(18);
        endAll(next, OutcomeClass.SUCCESS);
        judge();
        assertThat(limiter.snapshot().lastSamples()).isEqualTo(18);
        assertThat(limit()).isEqualTo(19);
    }

    @Test
    void onlyTimeoutsAreFailuresUnlessOthersAreNamed() {
        AdaptiveLimiter plain = limiter(settings -> {});
        assertThat(plain.classifier().classify(503, null)).isEqualTo(OutcomeClass.SUCCESS);
        assertThat(plain.classifier().classify(null, new IOException())).isEqualTo(OutcomeClass.IGNORED);
        assertThat(plain.classifier().classify(null, new CancellationException()))
                .isEqualTo(OutcomeClass.IGNORED);
        assertThat(plain.classifier().classify(null, new TimedOutException("p", "timeout", 1, null)))
                .isEqualTo(OutcomeClass.FAILURE);
        AdaptiveLimiter told = limiter(
                settings -> settings.handleResult(status -> status == 503).handle(IOException.class));
        assertThat(told.classifier().classify(503, null)).isEqualTo(OutcomeClass.FAILURE);
        assertThat(told.classifier().classify(null, new IOException())).isEqualTo(OutcomeClass.FAILURE);
        assertThat(told.classifier().classify(null, new IllegalStateException()))
                .isEqualTo(OutcomeClass.IGNORED);
    }

    @Test
    void settingsAreNamed() {
        assertThat(limiter).asString().startsWith("adaptiveLimiter limiter (latencyGoal 50 ms, percentile 0.5, ");
        assertThat(limiter.settings().toString())
                .isEqualTo(
                        "{latencyGoal=50 ms, percentile=0.5, minLimit=1, maxLimit=1000, initialLimit=20, "
                                + "window=100 ms, minimumSamples=10, decreaseFactor=0.9, failuresAre=failures: nothing but timeouts}");
    }

    @Test
    void initialLimitIsWithinTheBounds() {
        assertThat(limiter(settings -> settings.maxLimit(5)).snapshot().limit()).isEqualTo(5);
        assertThat(limiter(settings -> settings.minLimit(50)).snapshot().limit())
                .isEqualTo(50);
    }

    @Test
    void everythingWrongIsFoundAtOnce() {
        SettingsException refused = catchThrowableOfType(
                SettingsException.class,
                () -> AdaptiveLimiter.of(
                        "limiter",
                        settings -> settings.percentile(0)
                                .minLimit(0)
                                .maxLimit(-1)
                                .initialLimit(7)
                                .window(Duration.ZERO)
                                .minimumSamples(0)
                                .decreaseFactor(Double.NaN)));
        assertThat(refused.problems())
                .extracting(SettingsException.Problem::setting)
                .containsExactly(
                        "latencyGoal",
                        "initialLimit",
                        "percentile",
                        "minLimit",
                        "maxLimit",
                        "window",
                        "minimumSamples",
                        "decreaseFactor");
    }
}
