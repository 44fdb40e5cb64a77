package dev.recloser;

import dev.recloser.spi.Deadline;
import dev.recloser.spi.Strategy;
import dev.recloser.time.TimeSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What all calls of one pipeline share. */
final class Plan {

    private final String name;
    private final TimeSource time;
    private final List<Layer> layers;
    private final @Nullable Layer outermost;
    private final BlockingDriver blocking;

    /** Made when a call is watched for the first time; if two make it, they are alike. */
    private volatile @Nullable BlockingDriver watched;

    private final Listeners listeners;
    private final AtomicLong abandoned;
    private final Judgement judgement;

    Plan(String name, List<Layer> layers, TimeSource time) {
        this(name, layers, time, new Listeners(), new AtomicLong(), new Judgement(layers));
    }

    private Plan(
            String name,
            List<Layer> layers,
            TimeSource time,
            Listeners listeners,
            AtomicLong abandoned,
            Judgement judgement) {
        this.name = name;
        this.layers = List.copyOf(layers);
        this.outermost = layers.isEmpty() ? null : layers.get(0);
        Layer.lookAround(this.layers);
        this.blocking = BlockingDriver.of(outermost, new BlockingDriver.Work());
        this.time = time;
        this.listeners = listeners;
        this.abandoned = abandoned;
        this.judgement = judgement;
    }

    /** The same with a deadline around it: for the same listeners, and counting in the same place. */
    Plan within(Deadline deadline) {
        return new Plan(name, Layer.around(layers, deadline), time, listeners, abandoned, judgement);
    }

    String name() {
        return name;
    }

    TimeSource time() {
        return time;
    }

    /** Outermost first. */
    List<Layer> layers() {
        return layers;
    }

    @Nullable
    Layer outermost() {
        return outermost;
    }

    /** Runs blocking calls. */
    BlockingDriver blocking() {
        return blocking;
    }

    /** Runs blocking calls that are watched. */
    BlockingDriver watched() {
        BlockingDriver made = watched;
        if (made == null) {
            made = BlockingDriver.of(outermost, new WatchedWork());
            watched = made;
        }
        return made;
    }

    Listeners listeners() {
        return listeners;
    }

    /** Attempts that go on though their caller has been freed. */
    AtomicLong abandoned() {
        return abandoned;
    }

    /** Tells how calls have ended. */
    Judgement judgement() {
        return judgement;
    }

    /** What the strategy of a layer is called. */
    String nameOf(int layer) {
        Strategy strategy = layers.get(layer).strategy;
        return strategy.name();
    }
}
