package dev.recloser.spi;

/**
 * One layer of a pipeline. A strategy is pure decision: it runs nothing, waits for nothing and starts no thread. The drivers, one for
 * blocking calls and one for stages, ask it and do as it says, which is why no strategy exists twice.
 *
 * <p>There are three kinds: {@link Admission} decides whether a call may begin, {@link Continuation} what comes after an outcome,
 * {@link Deadline} how long it may take. Implementations are thread-safe, and one instance serves all calls.
 */
public sealed interface Strategy permits Admission, Continuation, Deadline {

    /** What this strategy is called in rejections, events and metrics, such as {@code circuitBreaker}. */
    String name();
}
