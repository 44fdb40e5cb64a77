package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitTransition;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;

/** The last transitions of all circuits, numbered in the order in which they were told. Used by one thread only. */
final class TransitionRecords {

    /** So many are kept. */
    static final int KEPT = 200;

    /**
     * One of them.
     *
     * @param number its number, from 1
     * @param transition what happened
     */
    record Numbered(long number, CircuitTransition transition) {}

    private final ArrayDeque<Numbered> records = new ArrayDeque<>(KEPT);
    private long last;

    Numbered add(CircuitTransition transition) {
        if (records.size() == KEPT) {
            records.removeFirst();
        }
        Numbered added = new Numbered(++last, transition);
        records.addLast(added);
        return added;
    }

    /** The number of the last one, 0 before the first. */
    long last() {
        return last;
    }

    /** Oldest first. */
    Collection<Numbered> all() {
        return Collections.unmodifiableCollection(records);
    }
}
