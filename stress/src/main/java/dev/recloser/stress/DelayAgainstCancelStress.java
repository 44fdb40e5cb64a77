package dev.recloser.stress;

import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.spi.Continuation;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** The delay before the second attempt is over while the caller cancels: no attempt is left running, and no alarm behind. */
@JCStressTest
@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "Nothing goes on.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An attempt or an alarm is left.")
@State
public class DelayAgainstCancelStress {

    private final VirtualTime time = VirtualTime.create();
    private final CompletableFuture<String> first = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<String> second;
    private final CompletableFuture<String> call = Pipeline.<String>named("raced")
            .time(time)
            .timeout(Duration.ofSeconds(9))
            .strategy(new OnceMore(), Classifier.defaults())
            .build()
            .callAsync(context -> context.attempt() == 1 ? first : startSecond());

    {
        first.completeExceptionally(new IllegalStateException());
    }

    private CompletableFuture<String> startSecond() {
        CompletableFuture<String> started = new CompletableFuture<>();
        second = started;
        return started;
    }

    @Actor
    public void delayIsOver() {
        time.advance(Duration.ofSeconds(1));
    }

    @Actor
    public void cancel() {
        call.cancel(true);
    }

    @Arbiter
    public void whatIsLeft(ZI_Result result) {
        CompletableFuture<String> started = second;
        result.r1 = started != null && !started.isDone();
        result.r2 = time.pendingAlarms();
    }

    /** One more attempt after a second. */
    private static final class OnceMore implements Continuation {

        @Override
        public String name() {
            return "once more";
        }

        @Override
        public Course begin(CallContext first) {
            return (value, error, context) ->
                    context.attempt() == 1 ? Step.again(Duration.ofSeconds(1).toNanos()) : Step.done();
        }
    }
}
