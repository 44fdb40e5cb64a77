package dev.recloser.tests.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.PipelineEvent.Kind;
import dev.recloser.RetryBudget;
import dev.recloser.SettingsException;
import dev.recloser.retry.Retry;
import dev.recloser.retry.RetryBuilder;
import dev.recloser.retry.RetrySnapshot;
import dev.recloser.spi.Continuation.Course;
import dev.recloser.spi.Continuation.Step;
import dev.recloser.tests.Calling;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a retry decides. */
class RetryTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Step EXHAUSTED = Step.done(Kind.RETRIES_EXHAUSTED);
    private static final Step OVER_BUDGET = Step.done(Kind.RETRY_OVER_BUDGET);

    private static Step tooLate(Duration delay) {
        long nanos = delay.toSeconds() > Integer.MAX_VALUE ? Long.MAX_VALUE : delay.toNanos();
        return Step.done(Kind.RETRY_TOO_LATE, nanos);
    }

    private final VirtualTime time = VirtualTime.create().startingAt(Long.MAX_VALUE - 1000);
    private final IOException error = new IOException();

    private Retry retry(Consumer<RetryBuilder<Object>> settings) {
        return Retry.of("orders", settings, time);
    }

    private Step after(Course course) {
        return course.after(null, error, Calling.FREELY);
    }

    private static Step again(Duration delay) {
        return Step.again(delay.toNanos());
    }

    @Test
    void threeRetriesWithExponentialBackoffAreTheDefault() {
        Retry retry = retry(r -> {});
        Course course = retry.begin(Calling.FREELY);
        assertThat(after(course)).isEqualTo(again(Duration.ofMillis(200)));
        assertThat(after(course)).isEqualTo(again(Duration.ofMillis(400)));
        assertThat(after(course)).isEqualTo(again(Duration.ofMillis(800)));
        assertThat(after(course)).isEqualTo(EXHAUSTED);
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 3, 1, 0, 0));
    }

    @Test
    void readsAsItIsMeant() {
        Retry retry = retry(
                r -> r.maxRetries(2).exponentialBackoff(Duration.ofMillis(200)).jitter());
        assertThat(retry.maxRetries()).isEqualTo(2);
        assertThat(retry)
                .hasToString("retry orders (maxRetries 2, exponentialBackoff 200 ms x 2.0, jitter true, maxDelay 30 s,"
                        + " delayFrom nothing, budget {ratio=0.2, minimumPerSecond=10.0, maximumSaved=100.0},"
                        + " failuresAre exceptions)");
    }

    @Test
    void kindOfBackoffSaidLastCounts() {
        Retry retry =
                retry(r -> r.exponentialBackoff(SECOND, 3).linearBackoff(SECOND).constantDelay(Duration.ZERO));
        assertThat(after(retry.begin(Calling.FREELY))).isEqualTo(Step.again(0));
        assertThat(retry.settings()).containsEntry("constantDelay", "0 s").doesNotContainKey("linearBackoff");
    }

    @Test
    void noRetriesAreAllowedIfTheMostIsNone() {
        assertThat(after(retry(r -> r.maxRetries(0)).begin(Calling.FREELY))).isEqualTo(EXHAUSTED);
    }

    @Test
    void callsAreCountedApart() {
        Retry retry = retry(r -> r.maxRetries(1).constantDelay(SECOND));
        Course one = retry.begin(Calling.FREELY);
        Course other = retry.begin(Calling.FREELY);
        assertThat(after(one)).isEqualTo(again(SECOND));
        assertThat(after(one)).isEqualTo(EXHAUSTED);
        assertThat(after(other)).isEqualTo(again(SECOND));
    }

    @Test
    void workThatMustNotRunTwiceIsNotRepeated() {
        RetryBudget budget = RetryBudget.of(b -> b.ratio(.1).minimumPerSecond(0).maximumSaved(5), time);
        Retry retry = retry(r -> r.budget(budget));
        Calling once = new Calling(null, false);
        assertThat(retry.begin(once).after(null, error, once)).isEqualTo(Step.done());
        assertThat(budget.available()).isEqualTo(5);
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 0, 0, 0, 0));
    }

    @Test
    void delayThatDoesNotFitTheTimeLeftIsNotBegunAndSpendsNothing() {
        RetryBudget budget = RetryBudget.of(b -> b.ratio(.1).minimumPerSecond(0).maximumSaved(5), time);
        Retry retry = retry(r -> r.constantDelay(SECOND).budget(budget));
        for (Duration left : new Duration[] {Duration.ZERO, SECOND.minusNanos(1), SECOND}) {
            assertThat(retry.begin(Calling.FREELY).after(null, error, Calling.with(left)))
                    .isEqualTo(tooLate(SECOND));
        }
        assertThat(budget.available()).isEqualTo(5);
        assertThat(retry.begin(Calling.FREELY).after(null, error, Calling.with(SECOND.plusNanos(1))))
                .isEqualTo(again(SECOND));
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 1, 0, 0, 3));
    }

    @Test
    void timeLeftThatIsLongerThanANumberIsEnough() {
        Calling endless = Calling.with(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(retry(r -> r.constantDelay(SECOND)).begin(endless).after(null, error, endless))
                .isEqualTo(again(SECOND));
    }

    // ---- delays that the dependency asks for

    private Step afterAsking(Duration asked) {
        Retry retry = retry(
                r -> r.constantDelay(SECOND).maxDelay(Duration.ofSeconds(10)).delayFrom((value, failure) -> {
                    assertThat(failure).isSameAs(error);
                    return Optional.ofNullable(asked);
                }));
        return after(retry.begin(Calling.FREELY));
    }

    @Test
    void theLongerOfBackoffAndAskedDelayIsWaited() {
        assertThat(afterAsking(null)).isEqualTo(again(SECOND));
        assertThat(afterAsking(Duration.ofSeconds(-5))).isEqualTo(again(SECOND));
        assertThat(afterAsking(Duration.ofMillis(500))).isEqualTo(again(SECOND));
        assertThat(afterAsking(Duration.ofSeconds(7))).isEqualTo(again(Duration.ofSeconds(7)));
        assertThat(afterAsking(Duration.ofSeconds(10))).isEqualTo(again(Duration.ofSeconds(10)));
    }

    @Test
    void askedDelayBeyondTheMaximumMeansNoRetry() {
        assertThat(afterAsking(Duration.ofSeconds(10).plusNanos(1)))
                .isEqualTo(tooLate(Duration.ofSeconds(10).plusNanos(1)));
        assertThat(afterAsking(Duration.ofSeconds(Long.MAX_VALUE)))
                .isEqualTo(tooLate(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    void askedDelayThatDoesNotFitTheTimeLeftMeansNoRetry() {
        Retry retry = retry(
                r -> r.maxDelay(Duration.ofMinutes(5)).delayFrom((value, e) -> Optional.of(Duration.ofMinutes(1))));
        Calling briefly = Calling.with(SECOND);
        assertThat(retry.begin(briefly).after(null, error, briefly)).isEqualTo(tooLate(Duration.ofMinutes(1)));
    }

    @Test
    void delayFunctionThatThrowsCountsAsEmpty() {
        Retry throwing = retry(r -> r.constantDelay(SECOND).delayFrom((value, failure) -> {
            throw new IllegalStateException("a bug");
        }));
        assertThat(after(throwing.begin(Calling.FREELY))).isEqualTo(again(SECOND));
        Retry nothing = retry(r -> r.constantDelay(SECOND).delayFrom((value, failure) -> null));
        assertThat(after(nothing.begin(Calling.FREELY))).isEqualTo(again(SECOND));
    }

    @Test
    void delayIsReadFromAValueToo() {
        Retry retry = retry(r -> r.constantDelay(SECOND)
                .handleResult(value -> true)
                .delayFrom((value, failure) -> Optional.of(Duration.parse(String.valueOf(value)))));
        assertThat(retry.begin(Calling.FREELY).after("PT5S", null, Calling.FREELY))
                .isEqualTo(again(Duration.ofSeconds(5)));
    }

    @Test
    void firstDelayAloneKeepsTheKindOfBackoff() {
        Retry retry =
                retry(r -> r.linearBackoff(SECOND).firstDelay(r.firstDelay().multipliedBy(3)));
        assertThat(retry.settings()).containsEntry("linearBackoff", "3 s");
    }

    @Test
    void jitterCanBeTakenBack() {
        Retry retry = retry(r -> r.exponentialBackoff(SECOND).jitter().withoutJitter());
        assertThat(after(retry.begin(Calling.FREELY))).isEqualTo(again(SECOND));
    }

    @Test
    void jitterIsDrawnOncePerRetry() {
        AtomicInteger drawn = new AtomicInteger();
        Retry retry = retry(r -> r.exponentialBackoff(SECOND).jitter().random(() -> {
            drawn.incrementAndGet();
            return .5;
        }));
        Course course = retry.begin(Calling.FREELY);
        assertThat(after(course)).isEqualTo(Step.again(897_404_935));
        after(course);
        assertThat(drawn).hasValue(2);
    }

    // ---- the budget

    @Test
    void retriesStopWhenTheBudgetIsSpent() {
        Retry retry = retry(r -> r.maxRetries(1000)
                .budget(RetryBudget.of(b -> b.ratio(.5).minimumPerSecond(0).maximumSaved(2), time)));
        Course course = retry.begin(Calling.FREELY);
        assertThat(after(course)).isNotEqualTo(OVER_BUDGET);
        assertThat(after(course)).isNotEqualTo(OVER_BUDGET);
        assertThat(after(course)).isEqualTo(OVER_BUDGET);
        retry.entered();
        retry.entered();
        assertThat(after(retry.begin(Calling.FREELY))).isEqualTo(again(Duration.ofMillis(200)));
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 3, 0, 1, 0));
    }

    @Test
    void outageAddsAFifthToTheTraffic() {
        Retry retry = retry(r -> {});
        int calls = 10_000;
        for (int call = 0; call < calls; call++) {
            retry.entered();
            Course course = retry.begin(Calling.FREELY);
            Step step = after(course);
            while (!step.equals(EXHAUSTED) && !step.equals(OVER_BUDGET)) {
                step = after(course);
            }
        }
        assertThat(retry.snapshot().retried()).isBetween(calls / 5L, calls / 5L + 100);
    }

    @Test
    void withoutBudgetOnlyTheNumberOfRetriesBoundsThem() {
        Retry retry = retry(r -> r.maxRetries(5000).withoutBudget());
        Course course = retry.begin(Calling.FREELY);
        for (int i = 0; i < 5000; i++) {
            after(course);
        }
        assertThat(retry.snapshot().retried()).isEqualTo(5000);
        assertThat(retry.budget()).isEmpty();
        assertThat(retry.settings()).containsEntry("budget", "none");
    }

    @Test
    void budgetOfThePipelineIsUsedUnlessSettingsSayOtherwise() {
        RetryBudget ofPipeline =
                RetryBudget.of(b -> b.ratio(.1).minimumPerSecond(0).maximumSaved(50), time);
        RetryBudget own = RetryBudget.of(b -> b.ratio(.1).minimumPerSecond(0).maximumSaved(60), time);
        assertThat(new RetryBuilder<>().build("r", ofPipeline).budget()).containsSame(ofPipeline);
        assertThat(new RetryBuilder<>().build("r", (RetryBudget) null).budget()).isEmpty();
        assertThat(new RetryBuilder<>().withoutBudget().build("r", ofPipeline).budget())
                .isEmpty();
        assertThat(new RetryBuilder<>()
                        .withoutBudget()
                        .budget(own)
                        .build("r", ofPipeline)
                        .budget())
                .containsSame(own);
        assertThat(new RetryBuilder<>()
                        .budget(own)
                        .withoutBudget()
                        .build("r", time)
                        .budget())
                .isEmpty();
    }

    @Test
    void eachCallIsToldToTheBudget() {
        RetryBudget budget = RetryBudget.of(b -> b.ratio(1).minimumPerSecond(0).maximumSaved(2), time);
        while (budget.trySpend()) {}
        new RetryBuilder<>().build("r", budget).entered();
        assertThat(budget.available()).isEqualTo(1);
        new RetryBuilder<>().budget(budget).build("r", time).entered();
        assertThat(budget.available()).isEqualTo(2);
        new RetryBuilder<>().withoutBudget().build("r", budget).entered();
        assertThat(budget.available()).isEqualTo(2);
    }

    // ---- settings

    private static String problem(Consumer<RetryBuilder<Object>> settings) {
        try {
            Retry.of("orders", settings);
            return "none";
        } catch (SettingsException e) {
            return e.getMessage();
        }
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThat(problem(r -> r.exponentialBackoff(Duration.ofMillis(1), -2)))
                .isEqualTo("exponentialBackoff factor is -2.0, must be a finite number, at least 1");
        assertThat(problem(r -> r.exponentialBackoff(SECOND, .99))).contains("factor is 0.99");
        assertThat(problem(r -> r.exponentialBackoff(SECOND, Double.NaN))).contains("factor is NaN");
        assertThat(problem(r -> r.exponentialBackoff(SECOND, Double.POSITIVE_INFINITY)))
                .contains("factor is Infinity");
        assertThat(problem(r -> r.constantDelay(Duration.ofNanos(-1))))
                .isEqualTo("constantDelay is -1 ns, must be from 0 s to 1 d");
        assertThat(problem(r -> r.linearBackoff(Duration.ofDays(1).plusNanos(1))))
                .startsWith("linearBackoff is ");
        assertThat(problem(r -> r.linearBackoff(SECOND).maxDelay(Duration.ofMillis(999))))
                .isEqualTo("maxDelay is 999 ms, must be at least the linearBackoff of 1 s");
        assertThat(problem(r -> r.maxDelay(Duration.ofDays(2)))).isEqualTo("maxDelay is 2 d, must be from 0 s to 1 d");
        assertThat(problem(r -> r.maxRetries(1_000_001))).isEqualTo("maxRetries is 1000001, must be from 0 to 1000000");
    }

    @Test
    void everythingWrongIsSaidAtOnce() {
        assertThatThrownBy(() -> retry(r -> r.maxRetries(-1)
                        .exponentialBackoff(Duration.ofSeconds(-1), 0)
                        .maxDelay(Duration.ofSeconds(-2))))
                .isInstanceOfSatisfying(
                        SettingsException.class, e -> assertThat(e.problems()).hasSize(5));
    }

    @Test
    void extremesAreAllowed() {
        assertThat(problem(r -> r.maxRetries(1_000_000).exponentialBackoff(Duration.ofDays(1), 1)))
                .isEqualTo("none");
        assertThat(problem(r -> r.maxRetries(0).constantDelay(Duration.ZERO).maxDelay(Duration.ZERO)))
                .isEqualTo("none");
    }

    @Test
    void worstCaseIsThatOfAllDelaysTogether() {
        assertThat(retry(r -> r.exponentialBackoff(Duration.ofSeconds(2))).worstCaseDelay())
                .isEqualTo(Duration.ofSeconds(2 + 4 + 8));
        assertThat(retry(r -> r.maxRetries(0)).worstCaseDelay()).isZero();
        assertThat(retry(r -> r.maxRetries(1_000_000).constantDelay(Duration.ofDays(1)))
                        .worstCaseDelay())
                .isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    }
}
