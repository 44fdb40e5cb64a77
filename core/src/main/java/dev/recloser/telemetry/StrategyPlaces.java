package dev.recloser.telemetry;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of the strategies under one name of a pipeline, for those who measure. A certain number of names that are bound are told
 * apart, each until nothing that has it is bound any more; and as many that are not bound, for as long as the name of the pipeline is: a limit
 * that a single call brings along is a strategy too, and might be named by the call. What comes beyond is counted together.
 *
 * <p>Thread-safe. Changes happen under a lock that is given; whoever finds a strategy that is there takes none.
 *
 * @param <C> the counters of a strategy
 */
public final class StrategyPlaces<C> {

    /** So many names of strategies that are bound are told apart, and so many of those that calls bring along. */
    public static final int MAX = 100;

    private final Object lock;
    private final boolean tellsApart;
    private final C others;
    private final Function<? super String, ? extends C> maker;
    private final BiConsumer<? super String, ? super C> gone;
    private final Map<String, Place<C>> places = new ConcurrentHashMap<>();
    private int bound;
    private final AtomicInteger placesOfCalls = new AtomicInteger();

    /**
     * None yet.
     *
     * @param lock what changes happen under, so also what the two functions are called under
     * @param tellsApart whether strategies have places of their own at all
     * @param others the counters of those that have none of their own
     * @param maker makes the counters of a strategy, of its name; it may return {@code others}
     * @param gone is told which counters have no strategy any more, never {@code others}
     */
    public StrategyPlaces(
            Object lock,
            boolean tellsApart,
            C others,
            Function<? super String, ? extends C> maker,
            BiConsumer<? super String, ? super C> gone) {
        this.lock = lock;
        this.tellsApart = tellsApart;
        this.others = others;
        this.maker = maker;
        this.gone = gone;
    }

    /**
     * What strategies of one name have: counters of their own, or those of all for which there was no place.
     *
     * @param <C> the counters
     */
    public static final class Place<C> {

        private final String name;
        private final C counters;

        /** How often strategies of this name are bound. */
        private int users;

        /** Whether it is one of those for strategies that are bound. */
        private boolean isForBound;

        private Place(String name, C counters) {
            this.name = name;
            this.counters = counters;
        }

        /** The counters. */
        public C counters() {
            return counters;
        }

        /** Whether there is a place for gauges too. For whoever has taken it. */
        public boolean hasGauges() {
            return isForBound;
        }
    }

    /** A strategy of this name is bound, until its place is {@linkplain #giveBack given back}. */
    public Place<C> take(String name) {
        synchronized (lock) {
            Place<C> there = places.get(name);
            Place<C> place = there == null || there.users == 0 ? settle(name, there) : there;
            place.users++;
            return place;
        }
    }

    private Place<C> settle(String name, @Nullable Place<C> broughtAlong) {
        boolean hasRoom = tellsApart && bound < MAX;
        Place<C> place = broughtAlong != null ? broughtAlong : new Place<>(name, hasRoom ? maker.apply(name) : others);
        if (hasRoom) {
            place.isForBound = true;
            bound++;
            placesOfCalls.addAndGet(broughtAlong == null ? 0 : -1);
        }
        places.put(name, place);
        return place;
    }

    /** The strategy is not bound any more. To be called once for each {@link #take}. */
    public void giveBack(Place<C> place) {
        synchronized (lock) {
            place.users--;
            if (place.users > 0) {
                return;
            }
            bound -= place.isForBound ? 1 : 0;
            if (place.isForBound || place.counters == others) {
                places.remove(place.name);
            }
            if (place.isForBound) {
                leave(place);
            }
        }
    }

    private void leave(Place<C> place) {
        if (place.counters != others) {
            gone.accept(place.name, place.counters);
        }
    }

    /**
     * The counters of a strategy of which a call tells.
     *
     * @return null if there are none, and some may be {@linkplain #bring made}
     */
    public @Nullable C find(String name) {
        Place<C> place = places.get(name);
        if (place != null) {
            return place.counters;
        }
        return tellsApart && placesOfCalls.get() < MAX ? null : others;
    }

    /**
     * The same, made if need be.
     *
     * @param isBound whether the pipeline through which the call goes still is bound; asked under the lock
     * @return null if there are none, and none are made because the pipeline is not bound any more
     */
    public @Nullable C bring(String name, BooleanSupplier isBound) {
        synchronized (lock) {
            if (!isBound.getAsBoolean()) {
                return null;
            }
            C found = find(name);
            if (found != null) {
                return found;
            }
            C made = maker.apply(name);
            if (made != others) {
                placesOfCalls.incrementAndGet();
                places.put(name, new Place<>(name, made));
            }
            return made;
        }
    }

    /** The counters that strategies have of their own. To be looked at under the lock. */
    public Collection<C> own() {
        return places.values().stream()
                .map(Place::counters)
                .filter(counters -> counters != others)
                .toList();
    }

    /** Nothing is bound any more: all counters that strategies have of their own are gone. */
    public void close() {
        synchronized (lock) {
            places.values().forEach(this::leave);
            places.clear();
        }
    }
}
