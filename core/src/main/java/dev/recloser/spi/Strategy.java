package dev.recloser.spi;

import dev.recloser.Classifier;
import java.util.Map;

/**
 * One layer of a pipeline. A strategy is pure decision: it runs nothing, waits for nothing and starts no thread. The drivers, one for
 * blocking calls and one for stages, ask it and do as it says, which is why no strategy exists twice.
 *
 * <p>There are four kinds: {@link Admission} decides whether a call may begin, {@link Continuation} what comes after an outcome,
 * {@link Race} whether attempts run beside each other, {@link Deadline} how long a call may take. Implementations are thread-safe, and
 * one instance serves all calls.
 */
public sealed interface Strategy permits Admission, Continuation, Race, Deadline {

    /** What this strategy is called in rejections, events and metrics, such as {@code circuitBreaker}. */
    String name();

    /** Which outcomes are failures to this strategy, where whoever uses it says nothing else. */
    default Classifier<Object> classifier() {
        return Classifier.defaults();
    }

    /** Whether it makes a difference to this strategy which outcomes are failures, so that its {@link #classifier} says what one is. */
    default boolean tellsFailures() {
        return false;
    }

    /** The settings by their names, each as a person would write it, in the order in which they are best read. */
    default Map<String, String> settings() {
        return Map.of();
    }
}
