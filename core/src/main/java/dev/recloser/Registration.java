package dev.recloser;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A listener's place among others, or whatever else was attached and can be taken back. */
public interface Registration {

    /** Removes the listener. A call of it that is in progress goes on; no other one comes. Does nothing the second time. */
    void remove();

    /** One that does something when it is removed for the first time. Thread-safe. */
    static Registration once(Runnable onRemoval) {
        AtomicBoolean isRegistered = new AtomicBoolean(true);
        return () -> {
            if (isRegistered.getAndSet(false)) {
                onRemoval.run();
            }
        };
    }

    /** Several as one: removes them all, the latest first. */
    static Registration all(Collection<? extends Registration> registrations) {
        List<Registration> latestFirst = new ArrayList<>(registrations);
        Collections.reverse(latestFirst);
        return () -> latestFirst.forEach(Registration::remove);
    }
}
