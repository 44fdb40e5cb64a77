package dev.recloser.examples.http;

import dev.recloser.circuitbreaker.CircuitState;

/** Sums since the start, in the shape of a sample; and a sample as the difference of two. */
final class Totals {

    static final Sample NONE = new Sample(0, 0, 0, 0, 0, 0, 0, 0, 0, CircuitState.CLOSED);

    private Totals() {}

    static Sample of(Traffic traffic, MeteredTransport transport, FaultyService service) {
        return new Sample(
                0,
                traffic.offered(),
                traffic.answered(),
                traffic.failed(),
                traffic.rejectedByCircuit(),
                traffic.rejectedByLimiter(),
                transport.attempts(),
                service.reached(),
                0,
                CircuitState.CLOSED);
    }

    /** Two samples as one, which begins with the first that is not {@link #NONE}. */
    static Sample sum(Sample one, Sample next) {
        return new Sample(
                one.equals(NONE) ? next.fromMillis() : one.fromMillis(),
                one.offered() + next.offered(),
                one.answered() + next.answered(),
                one.failed() + next.failed(),
                one.rejectedByCircuit() + next.rejectedByCircuit(),
                one.rejectedByLimiter() + next.rejectedByLimiter(),
                one.attempts() + next.attempts(),
                one.reached() + next.reached(),
                Math.max(one.mostInFlight(), next.mostInFlight()),
                next.circuit());
    }

    static Sample difference(Sample now, Sample before, long fromMillis, int mostInFlight, CircuitState circuit) {
        return new Sample(
                fromMillis,
                now.offered() - before.offered(),
                now.answered() - before.answered(),
                now.failed() - before.failed(),
                now.rejectedByCircuit() - before.rejectedByCircuit(),
                now.rejectedByLimiter() - before.rejectedByLimiter(),
                now.attempts() - before.attempts(),
                now.reached() - before.reached(),
                mostInFlight,
                circuit);
    }
}
