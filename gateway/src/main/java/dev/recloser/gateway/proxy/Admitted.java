package dev.recloser.gateway.proxy;

import dev.recloser.CircuitIsolatedException;
import dev.recloser.OutcomeClass;
import dev.recloser.RejectedException;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Ticket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a request holds of its cluster: the ticket of the breaker, once it was admitted. It is given back once.
 */
final class Admitted {

    private final Cluster cluster;
    private @Nullable Ticket ticket;

    Admitted(Cluster cluster) {
        this.cluster = cluster;
    }

    Cluster cluster() {
        return cluster;
    }

    /** Asks the breaker; says why not, if not. */
    @Nullable
    Problem rejection() {
        Admittance admittance = cluster.breaker().acquire();
        if (admittance instanceof Ticket admitted) {
            ticket = admitted;
            return null;
        }
        if (admittance instanceof CircuitIsolatedException) {
            return new Problem(Ending.CIRCUIT_ISOLATED);
        }
        Duration wait = admittance instanceof RejectedException rejection
                ? rejection.retryAfter().orElse(Duration.ZERO)
                : Duration.ZERO;
        return new Problem(Ending.CIRCUIT_OPEN).retryAfter(wait);
    }

    /** The head of the answer has come, which is all that a probe wants to know: a long stream does not hold the circuit. */
    void answered(Ending ending) {
        if (ticket != null && ticket.isProbe()) {
            settle(ending);
        }
    }

    void settle(Ending ending) {
        Ticket held = ticket;
        ticket = null;
        if (held == null) {
            return;
        }
        OutcomeClass outcome = ending.verdict.outcome;
        if (outcome == null) {
            held.unused();
        } else {
            held.settle(outcome, null, outcome == OutcomeClass.FAILURE ? ending.cause() : null);
        }
    }
}
