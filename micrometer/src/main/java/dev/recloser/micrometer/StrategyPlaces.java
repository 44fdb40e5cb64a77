package dev.recloser.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The counters of the strategies under one name of a pipeline. A certain number of names that are bound are told apart, each until nothing that
 * has it is bound any more; and as many that are not bound, for as long as the name of the pipeline is: a limit that a single call brings along
 * is a strategy too, and might be named by the call. What comes beyond is counted together.
 *
 * <p>Changes under the lock of the pool. Whoever finds a strategy that is there takes no lock.
 */
final class StrategyPlaces {

    /** So many names of strategies that are bound are told apart, and so many of those that calls bring along. */
    static final int MAX = 100;

    private final MeterPool pool;
    private final MeterSet meters;
    private final boolean tellsApart;
    private final StrategyCounters others;
    private final Map<String, Place> places = new ConcurrentHashMap<>();
    private int bound;
    private final AtomicInteger placesOfCalls = new AtomicInteger();

    /**
     * None yet.
     *
     * @param meters those of the pipeline
     * @param tellsApart whether strategies have places of their own at all
     */
    StrategyPlaces(MeterPool pool, MeterSet meters, boolean tellsApart) {
        this.pool = pool;
        this.meters = meters;
        this.tellsApart = tellsApart;
        this.others = new StrategyCounters(meters, TagKey.OTHER);
    }

    /** What strategies of one name have: counters of their own, or those of all for which there was no place. */
    static final class Place {

        private final String name;
        private final StrategyCounters counters;

        /** How often strategies of this name are bound. */
        private int users;

        /** Whether it is one of those for strategies that are bound. */
        private boolean isForBound;

        Place(String name, StrategyCounters counters) {
            this.name = name;
            this.counters = counters;
        }

        StrategyCounters counters() {
            return counters;
        }

        /** Whether there is a place for gauges too. */
        boolean hasGauges() {
            return isForBound;
        }
    }

    /** A strategy is bound. */
    Place take(String name) {
        synchronized (pool) {
            Place there = places.get(name);
            Place place = there == null || there.users == 0 ? settle(name, there) : there;
            place.users++;
            return place;
        }
    }

    private Place settle(String name, @Nullable Place broughtAlong) {
        boolean hasRoom = tellsApart && bound < MAX;
        Place place = broughtAlong != null
                ? broughtAlong
                : new Place(name, hasRoom ? new StrategyCounters(meters, name) : others);
        if (hasRoom) {
            place.isForBound = true;
            bound++;
            placesOfCalls.addAndGet(broughtAlong == null ? 0 : -1);
        }
        places.put(name, place);
        return place;
    }

    /** The strategy is not bound any more. */
    void giveBack(Place place) {
        synchronized (pool) {
            place.users--;
            if (place.users > 0) {
                return;
            }
            if (place.isForBound) {
                bound--;
                places.remove(place.name);
                place.counters.close();
            } else if (place.counters == others) {
                places.remove(place.name);
            }
        }
    }

    /**
     * The counters of a strategy of which a call tells.
     *
     * @param calls those of the pipeline through which it goes
     * @return null if there are none, and none are made because the pipeline is not bound any more
     */
    @Nullable
    StrategyCounters toldBy(PipelineCalls calls, String name) {
        Place place = places.get(name);
        if (place != null) {
            return place.counters;
        }
        return tellsApart && placesOfCalls.get() < MAX ? broughtAlongBy(calls, name) : others;
    }

    private @Nullable StrategyCounters broughtAlongBy(PipelineCalls calls, String name) {
        synchronized (pool) {
            if (!calls.areBound()) {
                return null;
            }
            Place there = places.get(name);
            if (there != null) {
                return there.counters;
            }
            if (placesOfCalls.get() >= MAX) {
                return others;
            }
            Place place = new Place(name, new StrategyCounters(meters, name));
            placesOfCalls.incrementAndGet();
            places.put(name, place);
            return place.counters;
        }
    }

    /** Removes the counters. Called under the pool's lock, when nothing is bound any more. */
    void close() {
        places.values().forEach(place -> place.counters.close());
        places.clear();
        others.close();
    }
}
