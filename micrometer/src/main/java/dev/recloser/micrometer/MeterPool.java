package dev.recloser.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.noop.NoopCounter;
import io.micrometer.core.instrument.noop.NoopTimer;
import java.lang.System.Logger;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes meters from the registry, and removes each from there when all who took it have given it back: where a filter of the user's leaves out
 * tags, several share one. A meter that the registry refuses is left out, which is logged once for each name.
 *
 * <p>Its monitor guards all that changes when something is bound or removed, and is held while the registry makes or removes a meter, as
 * the registry's own lock is. Whoever only measures does without.
 */
final class MeterPool {

    private static final Logger LOG = System.getLogger("dev.recloser.micrometer");

    private final MeterRegistry registry;
    private final Tags commonTags;
    private final boolean hasHistograms;
    private final IdentityHashMap<Meter, Integer> uses = new IdentityHashMap<>();
    private final Set<RecloserMeter> reported = EnumSet.noneOf(RecloserMeter.class);

    /**
     * Nothing taken yet.
     *
     * @param commonTags those that all meters have besides their own
     * @param hasHistograms whether timers show how often they measured what
     */
    MeterPool(MeterRegistry registry, Tags commonTags, boolean hasHistograms) {
        this.registry = registry;
        this.commonTags = commonTags;
        this.hasHistograms = hasHistograms;
    }

    /** A timer; one that does nothing if the registry refuses. */
    Timer timer(RecloserMeter meter, Tags tags) {
        Tags all = commonTags.and(tags);
        Timer timer = take(
                meter,
                () -> Timer.builder(meter.meterName())
                        .description(meter.description())
                        .tags(all)
                        .publishPercentileHistogram(hasHistograms ? true : null)
                        .register(registry));
        return timer == null ? noTimer(meter) : timer;
    }

    /** A counter; one that does nothing if the registry refuses. */
    Counter counter(RecloserMeter meter, Tags tags) {
        Tags all = commonTags.and(tags);
        Counter counter = take(
                meter,
                () -> Counter.builder(meter.meterName())
                        .description(meter.description())
                        .tags(all)
                        .register(registry));
        return counter == null ? noCounter(meter) : counter;
    }

    /** A gauge, if the registry does not refuse. The registry holds on to what it shows, which need not be kept elsewhere. */
    @Nullable
    Gauge gauge(RecloserMeter meter, Tags tags, DoubleSupplier source) {
        Tags all = commonTags.and(tags);
        return take(
                meter,
                () -> Gauge.builder(meter.meterName(), source, DoubleSupplier::getAsDouble)
                        .description(meter.description())
                        .tags(all)
                        .strongReference(true)
                        .register(registry));
    }

    /** Stands in the place of a timer, and does nothing. */
    static Timer noTimer(RecloserMeter meter) {
        return new NoopTimer(idOf(meter, Meter.Type.TIMER));
    }

    /** Stands in the place of a counter, and does nothing. */
    static Counter noCounter(RecloserMeter meter) {
        return new NoopCounter(idOf(meter, Meter.Type.COUNTER));
    }

    private static Meter.Id idOf(RecloserMeter meter, Meter.Type type) {
        return new Meter.Id(meter.meterName(), Tags.empty(), null, null, type);
    }

    /** Makes a meter; what it is made of may be code of the user's, such as a filter. */
    private interface Maker<M extends Meter> {
        M make();
    }

    private synchronized <M extends Meter> @Nullable M take(RecloserMeter meter, Maker<M> maker) {
        try {
            M made = maker.make();
            uses.merge(made, 1, Integer::sum);
            return made;
        } catch (RuntimeException refused) {
            failed(meter, refused);
            return null;
        }
    }

    /** A meter is not needed any more where it was taken. */
    synchronized void giveBack(Meter meter) {
        Integer count = uses.remove(meter);
        if (count == null) {
            // It stands in the place of one that was refused.
            return;
        }
        if (count > 1) {
            uses.put(meter, count - 1);
            return;
        }
        try {
            registry.remove(meter);
        } catch (RuntimeException failure) {
            LOG.log(Logger.Level.WARNING, "the meter " + meter.getId() + " could not be removed", failure);
        }
    }

    /** A meter cannot be had, or cannot measure. */
    synchronized void failed(RecloserMeter meter, RuntimeException failure) {
        if (reported.add(meter)) {
            LOG.log(
                    Logger.Level.WARNING,
                    "a meter " + meter.meterName() + " does not work, and what it should measure is lost; logged once",
                    failure);
        }
    }
}
