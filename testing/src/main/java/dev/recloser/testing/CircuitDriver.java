package dev.recloser.testing;

import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.FailureRule;
import dev.recloser.spi.Ticket;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings a circuit into any state, so that a test can begin there.
 *
 * <pre>{@code
 * CircuitDriver driver = CircuitDriver.of(breaker, time);
 * driver.open();                       // calls are rejected
 * driver.halfOpen();                   // the next call probes
 * Ticket probe = driver.startProbe();  // a probe runs; end it with probe.settle(...)
 * driver.close();                      // calls go through
 * }</pre>
 *
 * <p>It does what traffic would do: it takes tickets, ends them, and advances the clock until the break is over. So the circuit comes
 * into its state with all that belongs to it: counts, transitions, rejections with a cause. Only out of {@link CircuitState#ISOLATED}
 * is there no way but {@link CircuitBreaker#close}. The calls that it plays take no time. Each method leaves a circuit as it is that is
 * already where it is to go.
 *
 * <p>Not thread-safe; made for the one thread of a test. A method that does not reach its state throws {@link IllegalStateException},
 * which says why as far as that can be known.
 */
public final class CircuitDriver {

    private final CircuitBreaker breaker;
    private final VirtualTime time;

    /** The probes that were started here and may be running. */
    private final List<Ticket> probes = new ArrayList<>();

    private CircuitDriver(CircuitBreaker breaker, VirtualTime time) {
        this.breaker = breaker;
        this.time = time;
    }

    /**
     * A driver of one circuit.
     *
     * @param breaker the circuit
     * @param time the time by which it goes
     */
    public static CircuitDriver of(CircuitBreaker breaker, VirtualTime time) {
        return new CircuitDriver(Objects.requireNonNull(breaker, "breaker"), Objects.requireNonNull(time, "time"));
    }

    /**
     * Opens the circuit: calls are rejected, and the break has yet to pass. The failure behind it is an {@link IOException} of this
     * driver's.
     *
     * @throws IllegalStateException when it does not open, for example because calls of the test's are its probes
     */
    public CircuitDriver open() {
        return open(new IOException("a failure played by CircuitDriver"));
    }

    /**
     * Opens the circuit by calls that end in this failure. A closed circuit gets as many of them as its rule needs; where no number of
     * them would do, because successes were counted before, the clock is first advanced by the sampling time. A circuit whose break is
     * over, or that is half-open, gets a probe that fails.
     *
     * @param failure counts as a failure whatever the settings of the circuit say; it is the cause of rejections, and is shown to the
     *     function that reads the break from the outcome
     * @throws IllegalStateException when it does not open, for example because calls of the test's are its probes
     */
    public CircuitDriver open(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        closeIfIsolated();
        if (is(CircuitState.CLOSED)) {
            failCalls(failure);
        } else if (is(CircuitState.HALF_OPEN)) {
            endProbes(OutcomeClass.FAILURE, failure, 1, CircuitState.OPEN);
        } else if (isBreakOver()) {
            settle(acquire(), OutcomeClass.FAILURE, failure);
        }
        return require(CircuitState.OPEN);
    }

    /**
     * Makes the circuit half-open, with a place free: the next call is a probe, and how it ends decides. A circuit that is not open
     * is opened first, and the clock is advanced to the end of the break.
     *
     * @throws IllegalStateException when no call could probe: the places for probes are taken, or a health check probes instead
     */
    public CircuitDriver halfOpen() {
        takeProbe().unused();
        return require(CircuitState.HALF_OPEN);
    }

    /**
     * Makes the circuit half-open, as {@link #halfOpen} does, and starts a probe, which takes a place: a circuit with room for one probe
     * rejects everyone else until it ends.
     *
     * @return the probe, which the test ends with {@link Ticket#settle} or {@link Ticket#unused}. If it leaves that to this driver,
     *     {@link #open} lets the probe fail, and {@link #close} lets it succeed.
     * @throws IllegalStateException when no call could probe: the places for probes are taken, or a health check probes instead
     */
    public Ticket startProbe() {
        Ticket probe = takeProbe();
        probes.add(probe);
        return probe;
    }

    /**
     * Closes the circuit by as many successful probes as it needs. Where a {@linkplain
     * dev.recloser.circuitbreaker.CircuitBreakerBuilder#rampUp ramp-up} is set, it begins.
     *
     * @throws IllegalStateException when it does not close, for example because calls of the test's are its probes, or its health
     *     check fails
     */
    public CircuitDriver close() {
        closeIfIsolated();
        if (!is(CircuitState.CLOSED)) {
            endBreak();
            endProbes(OutcomeClass.SUCCESS, null, breaker.options().successesToClose(), CircuitState.CLOSED);
        }
        return require(CircuitState.CLOSED);
    }

    /** Isolates the circuit, as {@link CircuitBreaker#isolate} does. */
    public CircuitDriver isolate() {
        breaker.isolate();
        return this;
    }

    private boolean is(CircuitState state) {
        return breaker.state() == state;
    }

    private void closeIfIsolated() {
        if (is(CircuitState.ISOLATED)) {
            breaker.close();
        }
    }

    // ---- out of closed

    private void failCalls(Throwable failure) {
        FailureRule rule = breaker.options().failureRule();
        failCalls(callsThatOpen(rule), failure);
        if (is(CircuitState.CLOSED) && rule instanceof FailureRule.Ratio ratio) {
            time.advance(ratio.samplingDuration());
            failCalls(ratio.minimumThroughput(), failure);
        }
    }

    private void failCalls(int atMost, Throwable failure) {
        for (int i = 0; i < atMost && is(CircuitState.CLOSED); i++) {
            Ticket ticket = acquire();
            if (ticket == null) {
                // A ramp-up admits only a share. Let it end.
                time.advance(breaker.options().rampUp());
                ticket = acquire();
            }
            settle(ticket, OutcomeClass.FAILURE, failure);
        }
    }

    /** How many failures open a circuit that has counted nothing. */
    private static int callsThatOpen(FailureRule rule) {
        if (rule instanceof FailureRule.Ratio ratio) {
            return ratio.minimumThroughput();
        }
        if (rule instanceof FailureRule.Count count) {
            return count.failures();
        }
        return ((FailureRule.Consecutive) rule).failures();
    }

    // ---- probes

    private boolean isBreakOver() {
        return breaker.snapshot().nextProbe().filter(rest -> rest.isZero()).isPresent();
    }

    private void endBreak() {
        breaker.snapshot().nextProbe().ifPresent(time::advance);
    }

    private Ticket takeProbe() {
        if (breaker.options().healthCheck().isPresent()) {
            throw noProbe();
        }
        if (!is(CircuitState.HALF_OPEN)) {
            open();
            endBreak();
        }
        Ticket ticket = acquire();
        if (ticket == null || !ticket.isProbe()) {
            throw noProbe();
        }
        return ticket;
    }

    private IllegalStateException noProbe() {
        return new IllegalStateException(breaker.name() + " lets no probe through: " + whyNot());
    }

    /** Ends the probes that were started here, and then starts and ends as many more as are needed. */
    private void endProbes(OutcomeClass outcome, @Nullable Throwable failure, int atMost, CircuitState until) {
        if (is(CircuitState.HALF_OPEN)) {
            for (int i = 0; i < probes.size() && !is(until); i++) {
                probes.get(i).settle(outcome, null, failure);
            }
        }
        probes.clear();
        for (int i = 0; i < atMost && !is(until); i++) {
            settle(acquire(), outcome, failure);
        }
    }

    // ---- tickets

    private @Nullable Ticket acquire() {
        return breaker.acquire() instanceof Ticket ticket ? ticket : null;
    }

    private static void settle(@Nullable Ticket ticket, OutcomeClass outcome, @Nullable Throwable failure) {
        if (ticket != null) {
            ticket.settle(outcome, null, failure);
        }
    }

    private CircuitDriver require(CircuitState state) {
        if (!is(state)) {
            throw new IllegalStateException(
                    breaker.name() + " is " + breaker.state() + " and did not become " + state + ": " + whyNot());
        }
        return this;
    }

    private String whyNot() {
        if (breaker.options().healthCheck().isPresent()) {
            return "its health check probes in the place of calls, and decides";
        }
        int running = breaker.snapshot().runningProbes();
        if (running > 0) {
            return running + " of at most " + breaker.options().probes() + " probes are running; end them first";
        }
        return "it does not go by the time that was given to the driver, or a listener changed its state";
    }
}
