package dev.recloser;

import dev.recloser.spi.Admission;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.Deadline;
import dev.recloser.spi.Race;
import dev.recloser.spi.Strategy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A strategy in its place in a pipeline. Exactly one of the four fields that tell its kind is not null. */
final class Layer {

    final Strategy strategy;
    final @Nullable Admission admission;
    final @Nullable Deadline deadline;
    final @Nullable Continuation continuation;
    final @Nullable Race race;

    /** How it judges outcomes; typed by the pipeline, which shows it nothing but its own values. */
    final Classifier<Object> classifier;

    /** Whether there is no value that is a failure to it. */
    final boolean takesEveryValue;

    /** Its place: 0 for the outermost. */
    final int index;

    /** The layer inside this one; null if that is the work. */
    final @Nullable Layer next;

    /** Whether a timeout stands further in. */
    final boolean hasTimeoutInside;

    /** The shortest of the limits further in that are known beforehand, in nanoseconds; {@code Long.MAX_VALUE} if none is. */
    final long shortestLimitInside;

    /**
     * Whether a value that leaves this layer leaves the next deadline further out as well with nothing of the user's in between. Known
     * once the layers around it are made.
     */
    boolean leavesLightly;

    Layer(Strategy strategy, Classifier<Object> classifier, int index, @Nullable Layer next) {
        this(strategy, strategy, classifier, index, next);
    }

    /** With something else in the place of the strategy for the drivers, see {@link CallCount}. */
    Layer(Strategy strategy, Strategy driven, Classifier<Object> classifier, int index, @Nullable Layer next) {
        this.strategy = strategy;
        this.admission = driven instanceof Admission a ? a : null;
        this.deadline = driven instanceof Deadline d ? d : null;
        this.continuation = driven instanceof Continuation c ? c : null;
        this.race = driven instanceof Race r ? r : null;
        this.classifier = classifier;
        this.takesEveryValue = classifier.acceptsEveryValue();
        this.index = index;
        this.next = next;
        this.hasTimeoutInside = next != null && (next.deadline != null || next.hasTimeoutInside);
        this.shortestLimitInside = next == null ? Long.MAX_VALUE : next.shortestLimitFromHere();
    }

    /** The same strategy in a place of another pipeline. */
    private Layer(Layer original, int index, @Nullable Layer next) {
        this.strategy = original.strategy;
        this.admission = original.admission;
        this.deadline = original.deadline;
        this.continuation = original.continuation;
        this.race = original.race;
        this.classifier = original.classifier;
        this.takesEveryValue = original.takesEveryValue;
        this.index = index;
        this.next = next;
        this.hasTimeoutInside = original.hasTimeoutInside;
        this.shortestLimitInside = original.shortestLimitInside;
    }

    /** These layers, outermost first, with another one around them. */
    static List<Layer> around(List<Layer> layers, Deadline deadline) {
        List<Layer> more = new ArrayList<>();
        Layer next = null;
        for (int i = layers.size() - 1; i >= 0; i--) {
            next = new Layer(layers.get(i), i + 1, next);
            more.add(0, next);
        }
        more.add(0, new Layer(deadline, Classifier.defaults(), 0, next));
        return more;
    }

    /** Looks at the layers around, from the outside in. */
    static void lookAround(List<Layer> layers) {
        boolean light = false;
        for (Layer layer : layers) {
            layer.leavesLightly = light;
            boolean passesValues = (layer.admission != null || layer.continuation != null) && layer.takesEveryValue;
            light = layer.deadline != null ? !layer.deadline.isDetached() : light && passesValues;
        }
    }

    private long shortestLimitFromHere() {
        long own =
                deadline == null ? Long.MAX_VALUE : deadline.knownLimitNanos().orElse(Long.MAX_VALUE);
        return Math.min(own, shortestLimitInside);
    }

    /** Whether a blocking call through this layer can do without an object of its own. */
    boolean needsNoExecution() {
        return admission != null;
    }
}
