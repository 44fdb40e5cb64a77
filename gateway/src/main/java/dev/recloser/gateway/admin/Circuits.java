package dev.recloser.gateway.admin;

import dev.recloser.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The circuits that there are. They come, go and change with the configuration, which is seen when somebody {@linkplain #refresh looks}. Used
 * by one thread only.
 */
final class Circuits {

    private final Supplier<? extends Collection<Circuit>> source;
    private final TimeSource time;
    private final List<Runnable> followers = new ArrayList<>();
    private Map<String, Observed> known = Map.of();

    /**
     * The circuits that there are now.
     *
     * @param source tells all circuits of the moment, in the order in which they are shown
     */
    Circuits(Supplier<? extends Collection<Circuit>> source, TimeSource time) {
        this.source = source;
        this.time = time;
        refresh();
    }

    /** Tells this one, from now on, when there are others than before. */
    void follow(Runnable follower) {
        followers.add(follower);
    }

    /** Looks which there are. One that is still there stays the same, whatever its settings are now. */
    void refresh() {
        List<Circuit> present = List.copyOf(source.get());
        if (!isKnown(present)) {
            Map<String, Observed> next = new LinkedHashMap<>();
            present.forEach(circuit -> next.put(circuit.cluster().name(), observed(circuit)));
            known = Collections.unmodifiableMap(next);
            followers.forEach(Runnable::run);
        }
    }

    private boolean isKnown(List<Circuit> present) {
        int i = 0;
        for (Observed observed : known.values()) {
            if (i == present.size() || !observed.circuit().isAs(present.get(i))) {
                return false;
            }
            i++;
        }
        return i == present.size();
    }

    private Observed observed(Circuit circuit) {
        Observed before = known.get(circuit.cluster().name());
        if (before == null || before.breaker() != circuit.breaker()) {
            return new Observed(circuit, time);
        }
        before.change(circuit);
        return before;
    }

    /** By name, as they were at the last look. */
    Map<String, Observed> byName() {
        return known;
    }

    @Nullable
    Observed find(String name) {
        return known.get(name);
    }
}
