package dev.recloser.testing;

import dev.recloser.Pipeline;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a pipeline runs calls. A scenario that is written once, against {@link OngoingCall}, can be run in each.
 *
 * <pre>{@code
 * @ParameterizedTest
 * @MethodSource("dev.recloser.testing.CallMode#available")
 * void opensAfterFiveFailures(CallMode mode) {
 *     for (int i = 0; i < 5; i++) {
 *         mode.start(pipeline).fail(new IOException());
 *     }
 *     assertThat(mode.start(pipeline).error()).isInstanceOf(CircuitOpenException.class);
 * }
 * }</pre>
 */
public enum CallMode {
    /** {@link Pipeline#call} on a thread of the operating system. */
    PLATFORM_THREAD {
        @Override
        public <R extends @Nullable Object> OngoingCall<R> start(Pipeline<R> pipeline) {
            return BlockingCall.start(pipeline, task -> {
                Thread thread = new Thread(task, "ongoing-call");
                thread.setDaemon(true);
                thread.start();
                return thread;
            });
        }
    },
    /** {@link Pipeline#call} on a virtual thread, where the JDK has them. */
    VIRTUAL_THREAD {
        @Override
        public <R extends @Nullable Object> OngoingCall<R> start(Pipeline<R> pipeline) {
            return BlockingCall.start(pipeline, VirtualThreads::start);
        }
    },
    /** {@link Pipeline#callAsync}. */
    STAGE {
        @Override
        public <R extends @Nullable Object> OngoingCall<R> start(Pipeline<R> pipeline) {
            return StageCallInProgress.start(pipeline);
        }
    };

    /** The modes that this JDK has: virtual threads from 21 on. */
    public static List<CallMode> available() {
        return Arrays.stream(values())
                .filter(mode -> mode != VIRTUAL_THREAD || VirtualThreads.EXIST)
                .toList();
    }

    /**
     * Starts a call whose work waits to be told how to end. Returns when its first attempt is running, when it has ended, or when
     * it stands in a queue.
     */
    public abstract <R extends @Nullable Object> OngoingCall<R> start(Pipeline<R> pipeline);
}
