package dev.recloser.opentelemetry;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counters that have gone since the last collection, by name. What comes back before the next one goes on counting: whoever collects has seen
 * it and not seen it go, and would see it go backwards if it began anew. Not more than a number are kept, the latest. Guarded by whoever has it.
 *
 * @param <V> the counters
 */
final class Departed<V> {

    private final int most;
    private final Map<String, V> byName = new LinkedHashMap<>();

    /**
     * None.
     *
     * @param most so many are kept
     */
    Departed(int most) {
        this.most = most;
    }

    void add(String name, V counters) {
        byName.put(name, counters);
        if (byName.size() > most) {
            Iterator<String> earliest = byName.keySet().iterator();
            earliest.next();
            earliest.remove();
        }
    }

    /** Those that come back, if they are there still. */
    @Nullable
    V take(String name) {
        return byName.remove(name);
    }

    /** Somebody collects, and sees that they have gone. */
    void forget() {
        byName.clear();
    }
}
