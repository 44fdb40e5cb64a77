package dev.recloser.testing;

import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Records the transitions of a circuit from the moment on in which it is made, and compares them with those that a test expects.
 *
 * <pre>{@code
 * try (TransitionRecorder recorder = TransitionRecorder.on(breaker)) {
 *     ...
 *     recorder.assertStates(CircuitState.OPEN, CircuitState.HALF_OPEN, CircuitState.CLOSED);
 * }
 * }</pre>
 *
 * <p>Under virtual time a transition is recorded before the call returns that caused it. Under the time of the system listeners are told
 * a little later, so that an assertion waits for transitions that are missing, and says that they are when its patience is over.
 *
 * <p>Thread-safe.
 */
public final class TransitionRecorder implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String circuit;
    private final Duration patience;
    private final List<CircuitTransition> transitions = new ArrayList<>();
    private final Registration registration;

    private TransitionRecorder(CircuitBreaker breaker, Duration patience) {
        this.circuit = breaker.name();
        this.patience = patience;
        this.registration = breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                record(transition);
            }
        });
    }

    /** Records from now on. Assertions wait up to 10 seconds for transitions that are missing. */
    public static TransitionRecorder on(CircuitBreaker breaker) {
        return on(breaker, PATIENCE);
    }

    /**
     * Records from now on.
     *
     * @param patience how long assertions wait for transitions that are missing, on the clock of the system; not negative. Zero is
     *     right for a circuit under virtual time.
     */
    public static TransitionRecorder on(CircuitBreaker breaker, Duration patience) {
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience is " + patience + ", must not be negative");
        }
        return new TransitionRecorder(Objects.requireNonNull(breaker, "breaker"), patience);
    }

    private synchronized void record(CircuitTransition transition) {
        transitions.add(transition);
        notifyAll();
    }

    /** What has been recorded so far. */
    public synchronized List<CircuitTransition> transitions() {
        return List.copyOf(transitions);
    }

    /**
     * Asserts that the circuit has entered these states, in this order, and no others. Waits for those that are missing.
     *
     * @throws AssertionError when it has not; the message has every transition that was recorded, with its reason
     * @throws IllegalStateException when the thread is interrupted while it waits
     */
    public synchronized void assertStates(CircuitState... expected) {
        List<CircuitState> states = List.of(expected);
        boolean waited = awaitSize(states);
        if (!entered().equals(states)) {
            throw new AssertionError(message(states, waited));
        }
    }

    private List<CircuitState> entered() {
        return transitions.stream().map(CircuitTransition::to).toList();
    }

    /** Waits until as many were recorded, or it is clear that they are other ones; true when patience was lost. */
    private boolean awaitSize(List<CircuitState> expected) {
        long start = TimeSource.system().nanoTime();
        while (isBeginningOf(expected)) {
            long rest = patience.toNanos() - (TimeSource.system().nanoTime() - start);
            if (rest <= 0) {
                return !patience.isZero();
            }
            try {
                wait(TimeUnit.NANOSECONDS.toMillis(rest) + 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for transitions of " + circuit, e);
            }
        }
        return false;
    }

    private boolean isBeginningOf(List<CircuitState> expected) {
        List<CircuitState> entered = entered();
        return entered.size() < expected.size() && entered.equals(expected.subList(0, entered.size()));
    }

    private String message(List<CircuitState> expected, boolean waited) {
        String recorded = transitions.isEmpty()
                ? " no transition"
                : transitions.stream().map(TransitionRecorder::line).collect(Collectors.joining("\n  ", "\n  ", ""));
        String more = waited ? "\nand in " + patience.toMillis() + " ms came no more" : "";
        return circuit + " was expected to enter " + expected + ", but recorded was" + recorded + more;
    }

    private static String line(CircuitTransition transition) {
        return transition.from() + " -> " + transition.to() + " (" + transition.reason() + ", " + transition.failures()
                + " of " + transition.calls() + " calls failed)";
    }

    /** Stops recording. What was recorded stays. */
    @Override
    public void close() {
        registration.remove();
    }
}
