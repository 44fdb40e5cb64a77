package dev.recloser.opentelemetry;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counters of the strategies under one name of a pipeline. A certain number of names that are bound are told apart, each until nothing that
 * has it is bound any more; and as many that are not bound, for as long as the name of the pipeline is: a limit that a single call brings along
 * is a strategy too, and might be named by the call. What comes beyond is counted together.
 *
 * <p>Thread-safe. Whoever finds a strategy that is there takes no lock.
 */
final class StrategyPlaces {

    /** So many names of strategies that are bound are told apart, and so many of those that calls bring along. */
    private static final int MAX = 100;

    private final String pipeline;
    private final boolean tellsApart;
    private final StrategyCounters others;
    private final Map<String, Place> places = new ConcurrentHashMap<>();
    private final Departed<StrategyCounters> departed = new Departed<>(MAX);
    private int bound;
    private final AtomicInteger placesOfCalls = new AtomicInteger();

    /**
     * None yet.
     *
     * @param pipeline the name of the pipeline
     * @param tellsApart whether strategies have places of their own at all
     */
    StrategyPlaces(String pipeline, boolean tellsApart) {
        this.pipeline = pipeline;
        this.tellsApart = tellsApart;
        this.others = new StrategyCounters(pipeline, MeterRegistry.OTHER);
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

        /** Whether there is a place for gauges too. For whoever has taken it. */
        boolean hasGauges() {
            return isForBound;
        }
    }

    /** A strategy is bound. */
    synchronized Place take(String name) {
        Place there = places.get(name);
        Place place = there == null || there.users == 0 ? settle(name, there) : there;
        place.users++;
        return place;
    }

    private Place settle(String name, @Nullable Place broughtAlong) {
        boolean hasRoom = tellsApart && bound < MAX;
        Place place = broughtAlong != null ? broughtAlong : new Place(name, hasRoom ? own(name) : others);
        if (hasRoom) {
            place.isForBound = true;
            bound++;
            placesOfCalls.addAndGet(broughtAlong == null ? 0 : -1);
        }
        places.put(name, place);
        return place;
    }

    private StrategyCounters own(String name) {
        if (name.equals(MeterRegistry.OTHER)) {
            return others;
        }
        StrategyCounters back = departed.take(name);
        return back == null ? new StrategyCounters(pipeline, name) : back;
    }

    /** The strategy is not bound any more. */
    synchronized void giveBack(Place place) {
        place.users--;
        if (place.users > 0) {
            return;
        }
        bound -= place.isForBound ? 1 : 0;
        if (place.isForBound || place.counters == others) {
            places.remove(place.name);
        }
        if (place.isForBound && place.counters != others) {
            departed.add(place.name, place.counters);
        }
    }

    /**
     * The counters of a strategy of which a call tells.
     *
     * @param calls those of the pipeline through which it goes
     * @return null if there are none, and none are made because the pipeline is not bound any more
     */
    @Nullable
    StrategyCounters toldBy(MeasuredCalls calls, String name) {
        Place place = places.get(name);
        if (place != null) {
            return place.counters;
        }
        boolean hasRoom = tellsApart && placesOfCalls.get() < MAX && !name.equals(MeterRegistry.OTHER);
        return hasRoom ? broughtAlongBy(calls, name) : others;
    }

    private synchronized @Nullable StrategyCounters broughtAlongBy(MeasuredCalls calls, String name) {
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
        Place place = new Place(name, own(name));
        placesOfCalls.incrementAndGet();
        places.put(name, place);
        return place.counters;
    }

    /** Those that somebody who collects is to see, each once; what has gone before is forgotten. */
    synchronized List<StrategyCounters> collect() {
        departed.forget();
        return Stream.concat(
                        places.values().stream().map(Place::counters).filter(counters -> counters != others),
                        Stream.of(others))
                .toList();
    }
}
