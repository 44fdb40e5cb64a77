package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.spi.Ticket;
import dev.recloser.time.VirtualTime;
import java.time.Duration;

/** Circuits in the states from which races start. The clock stands still unless a race advances it. */
final class Circuits {

    static final Duration BREAK = Duration.ofSeconds(5);

    final VirtualTime time = VirtualTime.create();
    final CircuitBreaker breaker;

    private Circuits(CircuitBreakerBuilder<Object> settings) {
        breaker = CircuitBreaker.of("raced", settings.breakDuration(BREAK).build(), time);
    }

    static Circuits closed(double ratio, int minimum) {
        return new Circuits(new CircuitBreakerBuilder<>().failureRatio(ratio).minimumThroughput(minimum));
    }

    /** Closed, with a success just before; another one makes it busy. */
    static Circuits nearlyBusy(double ratio, int minimum) {
        Circuits circuit = closed(ratio, minimum);
        circuit.end(OutcomeClass.SUCCESS);
        circuit.time.advance(Duration.ofNanos(100));
        return circuit;
    }

    /** Closed, with two successes that came so close together that the next ones are counted without the clock. */
    static Circuits busy(double ratio, int minimum) {
        Circuits circuit = nearlyBusy(ratio, minimum);
        circuit.end(OutcomeClass.SUCCESS);
        return circuit;
    }

    /** Opens when so many of the last calls have failed. */
    static Circuits counting(int failures, int of) {
        return new Circuits(new CircuitBreakerBuilder<>().openAfter(failures, of));
    }

    /** Open, with the break over. */
    static Circuits readyToProbe() {
        Circuits circuit = closed(1, 1);
        circuit.end(OutcomeClass.FAILURE);
        circuit.time.advance(BREAK);
        return circuit;
    }

    Ticket ticket() {
        return (Ticket) breaker.acquire();
    }

    /** A call that ends at once; not counted if it is rejected. */
    void end(OutcomeClass outcome) {
        if (breaker.acquire() instanceof Ticket ticket) {
            end(ticket, outcome);
        }
    }

    static void end(Ticket ticket, OutcomeClass outcome) {
        ticket.settle(outcome, null, null);
    }
}
