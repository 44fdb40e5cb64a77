package dev.recloser.gateway.proxy;

import dev.recloser.CircuitIsolatedException;
import dev.recloser.OutcomeClass;
import dev.recloser.RejectedException;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Place;
import dev.recloser.spi.Reservation;
import dev.recloser.spi.Ticket;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a request holds of its cluster: the permits of its limiters and the ticket of its breaker. It asks them one after the other, rate
 * limiter, limiter, breaker, and may have to wait for the first two. Each is given back once.
 */
final class Admitted {

    /** What a client is told to wait that is turned away because others are under way: nobody knows when they end. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Lane lane;
    private final Gate gate;
    private final Exchange exchange;
    private final Sending sending;
    private final Loop loop;
    private @Nullable Ticket rate;
    private @Nullable Ticket permit;
    private @Nullable Ticket ticket;
    private Deadline total = Deadline.NONE;
    private boolean admitted;

    // Where it has to wait:
    private @Nullable Place place;
    private @Nullable Future<?> alarm;

    Admitted(Lane lane, Exchange exchange, Sending sending, Loop loop) {
        this.lane = lane;
        this.gate = lane.setup.gate();
        this.exchange = exchange;
        this.sending = sending;
        this.loop = loop;
    }

    /** Whether it tries out a service that is not trusted yet. */
    boolean isProbe() {
        return ticket != null && ticket.isProbe();
    }

    // ---- asking

    /** Asks for admittance. The exchange is told, at once or after a wait. */
    void ask() {
        if (lane.totals != null) {
            total = Deadline.of(this::overdue);
            lane.totals.arm(total);
        }
        Admission limiter = gate.rateLimiter;
        Admittance answer = limiter == null ? null : limiter.acquire(gate.context);
        if (answer instanceof RejectedException rejection) {
            reject(new Problem(Ending.RATE_LIMIT)
                    .retryAfter(rejection.retryAfter().orElse(SOON)));
            return;
        }
        if (answer instanceof Ticket held) {
            rate = held;
        }
        if (answer instanceof Reservation reserved) {
            wakeIn(reserved.waitNanos(), this::askLimiter);
        } else {
            askLimiter();
        }
    }

    private void askLimiter() {
        Admission limiter = gate.limiter;
        Admittance answer = limiter == null ? null : limiter.acquire(gate.context);
        if (answer instanceof Place queued) {
            wait(queued);
        } else {
            answered(answer);
        }
    }

    /** The limiter has answered, if there is one. */
    private void answered(@Nullable Admittance answer) {
        if (answer instanceof RejectedException) {
            reject(new Problem(Ending.LIMIT));
            return;
        }
        if (answer instanceof Ticket held) {
            permit = held;
            if (gate.measuresService()) {
                sending.measuredBy(held);
            }
        }
        askBreaker();
    }

    private void askBreaker() {
        Admittance answer = gate.breaker.acquire();
        if (answer instanceof Ticket held) {
            ticket = held;
            admitted = true;
            exchange.admitted();
        } else if (answer instanceof CircuitIsolatedException) {
            reject(new Problem(Ending.CIRCUIT_ISOLATED));
        } else {
            Duration wait = answer instanceof RejectedException rejection
                    ? rejection.retryAfter().orElse(Duration.ZERO)
                    : Duration.ZERO;
            reject(new Problem(Ending.CIRCUIT_OPEN).retryAfter(wait));
        }
    }

    private void reject(Problem problem) {
        leave();
        exchange.end(problem);
    }

    // ---- waiting

    private void wait(Place queued) {
        place = queued;
        wakeIn(queued.maxWaitNanos(), () -> expired(queued));
        queued.whenAnswered(() -> granted(queued));
    }

    private void wakeIn(long nanos, Runnable then) {
        sending.holdOff();
        alarm = loop.eventLoop()
                .schedule(
                        () -> {
                            alarm = null;
                            guard(then);
                        },
                        nanos,
                        TimeUnit.NANOSECONDS);
    }

    private void expired(Place queued) {
        if (place == queued && queued.leave()) {
            place = null;
            giveUp();
        } // else the answer is on its way
    }

    private void overdue() {
        if (admitted) {
            exchange.overdue();
        } else {
            giveUp();
        }
    }

    /** It has waited for long enough. */
    private void giveUp() {
        reject(new Problem(Ending.QUEUE_TIMEOUT));
    }

    /** On the thread of the one who has given the permit back. */
    private void granted(Place queued) {
        try {
            loop.eventLoop().execute(() -> {
                if (place == queued) {
                    place = null;
                    cancelAlarm();
                    guard(() -> answered(queued.answer()));
                }
            });
        } catch (RejectedExecutionException e) { // the loop has ended, and all requests with it
            giveBack(queued);
        }
    }

    /** Nobody would hear of a fault, and nobody wake the exchange. */
    private void guard(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            exchange.fault(e);
        }
        loop.flushes().now();
    }

    private void cancelAlarm() {
        Future<?> armed = alarm;
        alarm = null;
        if (armed != null) {
            armed.cancel(false);
        }
    }

    private static void giveBack(Place decided) {
        if (decided.answer() instanceof Ticket granted) {
            granted.unused();
        }
    }

    // ---- the end

    /**
     * The head of the answer has come, which is all that a probe wants to know: a long stream does not hold the circuit. Nor does an
     * upgraded connection, whose end says nothing of the service.
     */
    void answered(Ending ending) {
        if (isProbe() || ending == Ending.UPGRADED) {
            ticket = settle(ticket, ending);
        }
        if (ending == Ending.UPGRADED) {
            total.cancel();
        }
        if (gate.measuresService()) {
            permit = settle(permit, ending);
        }
    }

    /** The request has ended, whether it was admitted or not. */
    void settle(Ending ending) {
        total.cancel();
        if (admitted) {
            ticket = settle(ticket, ending);
            permit = settle(permit, ending);
            rate = settle(rate, ending);
        } else {
            leave();
        }
    }

    private static @Nullable Ticket settle(@Nullable Ticket held, Ending ending) {
        OutcomeClass outcome = ending.verdict.outcome;
        if (held == null) {
            return null;
        }
        if (outcome == null) {
            held.unused();
        } else {
            held.settle(outcome, null, outcome == OutcomeClass.FAILURE ? ending.cause() : null);
        }
        return null;
    }

    /** What was not admitted leaves no trace. */
    private void leave() {
        cancelAlarm();
        Place queued = place;
        place = null;
        if (queued != null && !queued.leave()) {
            giveBack(queued);
        }
        if (permit != null) {
            permit.unused();
            permit = null;
        }
        if (rate != null) {
            rate.unused();
            rate = null;
        }
    }
}
