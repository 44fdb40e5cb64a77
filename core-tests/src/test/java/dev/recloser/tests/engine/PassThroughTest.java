package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.SettingsException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What goes in comes out as it is. */
class PassThroughTest {

    private final Pipeline<String> pipeline = Pipeline.<String>named("p")
            .circuitBreaker(cb -> {})
            .timeout(Duration.ofSeconds(10))
            .build();

    @Test
    void checkedExceptionKeepsItsType() throws InterruptedException {
        SQLException thrown = new SQLException("gone");
        try {
            String never = pipeline.call(() -> {
                if (thrown.getMessage() != null) {
                    throw thrown;
                }
                return "";
            });
            assertThat(never).as("a value that cannot be").isNull();
        } catch (SQLException caught) {
            assertThat((Throwable) caught).isSameAs(thrown).hasNoSuppressedExceptions();
        }
    }

    @Test
    void nullIsAValue() throws InterruptedException {
        assertThat(pipeline.<RuntimeException>call(() -> null)).isNull();
        assertThat(pipeline.callAsync(() -> CompletableFuture.completedFuture(null)))
                .isCompletedWithValue(null);
    }

    @Test
    void stageFailsWithWhatItsWorkFailedWith() {
        IOException failure = new IOException("gone");
        CompletableFuture<String> future = pipeline.callAsync(
                () -> CompletableFuture.<String>failedFuture(failure).thenApply(value -> value + "!"));
        assertThat(future)
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .withCause(failure);
    }

    @Test
    void workThatReturnsNoStageFails() {
        assertThat(pipeline.callAsync(() -> null))
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .withMessageContaining("returned no stage");
    }

    @Test
    void rejectionIsNotThrownByCallAsync() {
        Pipeline<String> open =
                Pipeline.<String>named("p").circuitBreaker(cb -> {}).build();
        open.strategy(CircuitBreaker.class).orElseThrow().isolate();
        assertThat(open.callAsync(() -> CompletableFuture.completedFuture("never")))
                .isCompletedExceptionally();
    }

    @Test
    void endingTheFutureInAnyWayCancelsTheWork() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> future = pipeline.callAsync(() -> work);
        assertThat(future.completeExceptionally(new IOException("somebody else's decision")))
                .isTrue();
        assertThat(work).isCancelled();

        CompletableFuture<String> other = new CompletableFuture<>();
        CompletableFuture<String> limited = pipeline.callAsync(() -> other).orTimeout(1, TimeUnit.MILLISECONDS);
        assertThat(limited).failsWithin(Duration.ofSeconds(5));
        assertThat(other).failsWithin(Duration.ofSeconds(5));
        assertThat(other).isCancelled();
    }

    @Test
    void standaloneBreakerRunsCallsOfAnyType() throws Exception {
        CircuitBreaker breaker =
                CircuitBreaker.of("alone", cb -> cb.failureRatio(.3).minimumThroughput(3));
        int number = breaker.call(() -> 42);
        assertThat(number).isEqualTo(42);
        assertThat(breaker.callAsync(() -> CompletableFuture.completedFuture("text")))
                .isCompletedWithValue("text");
        assertThatThrownBy(() -> breaker.call(() -> {
                    throw new IOException();
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> breaker.call(() -> "rejected"))
                .isInstanceOf(CircuitOpenException.class)
                .hasMessageStartingWith("alone: the circuit is open; retry after ");
    }

    @Test
    void everyBadSettingIsNamedAtOnce() {
        assertThatThrownBy(() -> Pipeline.<String>named("payments")
                        .timeout(Duration.ZERO)
                        .circuitBreaker(cb -> cb.failureRatio(1.5)
                                .minimumThroughput(0)
                                .breakDuration(Duration.ofSeconds(-1))
                                .samplingDuration(Duration.ofDays(2)))
                        .build())
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        wrong -> assertThat(wrong.problems())
                                .extracting(SettingsException.Problem::toString)
                                .containsExactly(
                                        "payments.timeout.limit is 0 s, must be from 1 ns to 1 d",
                                        "payments.circuitBreaker.failureRatio is 1.5, must be more than 0 and at most 1",
                                        "payments.circuitBreaker.minimumThroughput is 0, must be from 1 to 1000000",
                                        "payments.circuitBreaker.samplingDuration is 2 d, must be from 10 ms to 1 d",
                                        "payments.circuitBreaker.breakDuration is -1 s, must be from 1 ns to 292 years"));
    }

    @Test
    void pipelineDescribesItself() {
        assertThat(pipeline).hasToString("p [circuitBreaker > timeout]");
    }
}
