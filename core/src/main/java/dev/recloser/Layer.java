package dev.recloser;

import dev.recloser.spi.Admission;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.Deadline;
import dev.recloser.spi.Strategy;
import org.jspecify.annotations.Nullable;

/** A strategy in its place in a pipeline. Exactly one of the three fields that tell its kind is not null. */
final class Layer {

    final Strategy strategy;
    final @Nullable Admission admission;
    final @Nullable Deadline deadline;
    final @Nullable Continuation continuation;

    /** How it judges outcomes; typed by the pipeline, which shows it nothing but its own values. */
    final Classifier<Object> classifier;

    /** Whether a timeout stands further in. */
    final boolean hasTimeoutInside;

    Layer(Strategy strategy, Classifier<Object> classifier, boolean hasTimeoutInside) {
        this.strategy = strategy;
        this.admission = strategy instanceof Admission a ? a : null;
        this.deadline = strategy instanceof Deadline d ? d : null;
        this.continuation = strategy instanceof Continuation c ? c : null;
        this.classifier = classifier;
        this.hasTimeoutInside = hasTimeoutInside;
    }
}
