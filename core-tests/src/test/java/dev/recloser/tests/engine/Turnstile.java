package dev.recloser.tests.engine;

import dev.recloser.CallContext;
import dev.recloser.OutcomeClass;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;
import java.util.ArrayDeque;
import java.util.Deque;

/** The simplest limiter with a queue: one at a time, the others wait in order. */
final class Turnstile implements Admission, Ticket {

    private final Deque<Place> queue = new ArrayDeque<>();
    private boolean free = true;

    @Override
    public String name() {
        return "turnstile";
    }

    @Override
    public synchronized Admittance acquire(CallContext context) {
        if (free) {
            free = false;
            return this;
        }
        Place place = new Place();
        queue.add(place);
        return place;
    }

    @Override
    public void settle(OutcomeClass outcome, Object value, Throwable error) {
        unused();
    }

    @Override
    public void unused() {
        while (true) {
            Place next;
            synchronized (this) {
                next = queue.poll();
                if (next == null) {
                    free = true;
                    return;
                }
            }
            if (next.grant(this)) {
                return;
            }
        }
    }

    synchronized boolean isFree() {
        return free;
    }
}
