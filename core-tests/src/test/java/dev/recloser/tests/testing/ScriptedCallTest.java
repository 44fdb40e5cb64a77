package dev.recloser.tests.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.testing.ScriptedCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Scripts play what is written, at once or after virtual time, blocking and over stages. */
class ScriptedCallTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.selfAdvancing();
    private final Pipeline<String> pipeline =
            Pipeline.<String>named("quotes").time(time).timeout(SECOND).build();

    @Test
    void playsItsOutcomesInOrder() throws Exception {
        IOException down = new IOException("down");
        Error broken = new StackOverflowError("played");
        ScriptedCall<String> script =
                ScriptedCall.<String>of().returns("a").fails(down).fails(broken).returns("b");
        assertThat(pipeline.call(script::call)).isEqualTo("a");
        assertThatThrownBy(() -> pipeline.call(script::call)).isSameAs(down);
        assertThatThrownBy(() -> pipeline.call(script::call)).isSameAs(broken);
        assertThat(pipeline.call(script::call)).isEqualTo("b");
        assertThat(script.calls()).isEqualTo(4);
    }

    @Test
    void playsItsOutcomesInStages() {
        IOException down = new IOException("down");
        ScriptedCall<String> script = ScriptedCall.<String>of().returns("a").fails(down);
        assertThat(pipeline.callAsync(script::callAsync)).isCompletedWithValue("a");
        assertThat(pipeline.callAsync(script::callAsync))
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCause(down);
        assertThat(script.calls()).isEqualTo(2);
    }

    @Test
    void playsAnOutcomeSoManyTimes() throws Exception {
        ScriptedCall<String> script =
                ScriptedCall.<String>of().returns("a").returns("b").times(3).returns("c");
        StringBuilder played = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            played.append(script.call());
        }
        assertThat(played).hasToString("abbbc");
    }

    @Test
    void blockingCallTakesItsTime() throws Exception {
        ScriptedCall<String> script = ScriptedCall.<String>under(time)
                .returnsAfter(Duration.ofMillis(300), "a")
                .failsAfter(Duration.ofMillis(500), new IOException("down"));
        assertThat(pipeline.call(script::call)).isEqualTo("a");
        assertThat(time.elapsed()).hasMillis(300);
        assertThatThrownBy(() -> pipeline.call(script::call)).hasMessage("down");
        assertThat(time.elapsed()).hasMillis(800);
    }

    @Test
    void blockingCallIsCutByATimeout() {
        ScriptedCall<String> script = ScriptedCall.<String>under(time).returnsAfter(Duration.ofSeconds(6), "late");
        assertThatThrownBy(() -> pipeline.call(script::call)).isInstanceOf(TimedOutException.class);
        assertThat(time.elapsed()).isEqualTo(SECOND);
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void stageCompletesWhenTheClockIsAdvanced() {
        ScriptedCall<String> script = ScriptedCall.<String>under(time)
                .returnsAfter(Duration.ofMillis(300), "a")
                .failsAfter(Duration.ofMillis(500), new IOException("down"));
        CompletableFuture<String> first = pipeline.callAsync(script::callAsync);
        CompletableFuture<String> second = pipeline.callAsync(script::callAsync);
        time.advance(Duration.ofMillis(299));
        assertThat(first).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(first).isCompletedWithValue("a");
        assertThat(second).isNotDone();
        time.advance(Duration.ofMillis(200));
        assertThat(second).isCompletedExceptionally();
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void stageIsCutByATimeoutAndLeavesNoAlarm() {
        ScriptedCall<String> script = ScriptedCall.<String>under(time).returnsAfter(Duration.ofSeconds(6), "late");
        CompletableFuture<String> future = pipeline.callAsync(script::callAsync);
        time.advance(SECOND);
        assertThat(future).isCompletedExceptionally();
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void returnsNullWhereTheScriptSaysSo() throws Exception {
        ScriptedCall<Void> script = ScriptedCall.<Void>of().returns(null).times(2);
        assertThat(script.call()).isNull();
        assertThat(script.callAsync()).isCompletedWithValue(null);
    }

    @Test
    void callBeyondTheEndOfTheScriptIsAnError() throws Exception {
        ScriptedCall<String> script = ScriptedCall.<String>of().returns("a").times(2);
        assertThat(script.call()).isEqualTo("a");
        assertThat(script.callAsync()).isCompletedWithValue("a");
        String message = "call 3 of a script that has 2 outcomes";
        assertThatThrownBy(() -> pipeline.call(script::call))
                .isInstanceOf(AssertionError.class)
                .hasMessage(message);
        assertThat(pipeline.callAsync(script::callAsync))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(AssertionError.class)
                .withMessageContaining("call 4 of a script that has 2 outcomes");
        assertThat(script.calls()).isEqualTo(4);
    }

    @Test
    void scriptThatCannotBePlayedIsRefusedWhereItIsWritten() {
        ScriptedCall<String> script = ScriptedCall.of();
        assertThatThrownBy(() -> script.returnsAfter(SECOND, "a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the script has no clock: make it with ScriptedCall.under(time)");
        assertThatThrownBy(() -> script.times(2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("times comes after the outcome that it repeats");
        assertThatThrownBy(() -> script.returns("a").times(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("count is 0, must be at least 1");
        assertThatThrownBy(() -> ScriptedCall.<String>under(time).failsAfter(SECOND.negated(), new IOException()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a call does not take PT-1S");
    }
}
