package dev.recloser.gateway.proxy;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests by how they ended, and those that are under way. Thread-safe. */
public final class Counters {

    private final Map<Ending, LongAdder> ended = new EnumMap<>(Ending.class);
    private final LongAdder inFlight = new LongAdder();

    Counters() {
        for (Ending ending : Ending.values()) {
            ended.put(ending, new LongAdder());
        }
    }

    private LongAdder of(Ending ending) {
        return Objects.requireNonNull(ended.get(ending));
    }

    void begun() {
        inFlight.increment();
    }

    void ended(Ending ending) {
        inFlight.decrement();
        of(ending).increment();
    }

    /** How many requests have ended so. */
    public long count(Ending ending) {
        return of(ending).sum();
    }

    /** How many requests have ended in each way, by {@linkplain Ending#reason() reason}; ways that never happened are left out. */
    public Map<String, Long> byReason() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Ending ending : ended.keySet()) {
            long count = count(ending);
            if (count > 0) {
                counts.put(ending.reason(), count);
            }
        }
        return counts;
    }

    /** How many requests have begun and not ended. */
    public long inFlight() {
        return Math.max(0, inFlight.sum());
    }
}
