package dev.recloser.tests.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.RetryBudget;
import dev.recloser.retry.Retry;
import dev.recloser.retry.RetryBuilder;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What whole calls do to the budget, and what listeners are told of retries. */
class RetryEventsTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();
    private final List<PipelineEvent> events = new CopyOnWriteArrayList<>();

    private Pipeline<String> around(Consumer<RetryBuilder<Object>> settings) {
        Retry retry = Retry.of("orders", settings, time);
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(retry, retry.classifier())
                .build();
        pipeline.addListener(events::add);
        return pipeline;
    }

    private List<Kind> kinds() {
        return events.stream().map(PipelineEvent::kind).toList();
    }

    private static void failAll(OngoingCall<String> call) {
        while (!call.isEnded()) {
            if (call.isRunning()) {
                call.fail(new IOException());
            }
            call.awaitRest();
        }
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callsFillTheBudgetAndTheirRetriesDoNot(CallMode mode) {
        Pipeline<String> pipeline = around(r -> r.maxRetries(1)
                .constantDelay(Duration.ZERO)
                .budget(RetryBudget.of(b -> b.ratio(.5).minimumPerSecond(0).maximumSaved(1), time)));
        for (int attempts : new int[] {2, 1, 2, 1, 2}) {
            OngoingCall<String> call = mode.start(pipeline);
            failAll(call);
            assertThat(call.attempts()).isEqualTo(attempts);
        }
        assertThat(kinds())
                .containsExactly(
                        Kind.RETRY,
                        Kind.RETRIES_EXHAUSTED,
                        Kind.RETRY_OVER_BUDGET,
                        Kind.RETRY,
                        Kind.RETRIES_EXHAUSTED,
                        Kind.RETRY_OVER_BUDGET,
                        Kind.RETRY,
                        Kind.RETRIES_EXHAUSTED);
        assertThat(events).allSatisfy(event -> {
            assertThat(event.strategy()).isEqualTo("orders");
            assertThat(event.error()).isInstanceOf(IOException.class);
        });
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void delayThatIsTooLongIsTold(CallMode mode) {
        Pipeline<String> pipeline = around(r -> r.delayFrom((value, error) -> Optional.of(Duration.ofHours(1))));
        failAll(mode.start(pipeline));
        assertThat(kinds()).containsExactly(Kind.RETRY_TOO_LATE);
        assertThat(time.elapsed()).isZero();
    }
}
