package dev.recloser.spi;

import dev.recloser.Classifier;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the builders of all strategies that judge outcomes have in common: which outcomes are failures. See {@link Classifier} for
 * the rules. Not thread-safe.
 *
 * @param <R> what calls return
 * @param <B> the builder itself
 */
public abstract class JudgingBuilder<R extends @Nullable Object, B extends JudgingBuilder<R, B>> {

    private Classifier<R> classifier;

    /** Starts with the given classifier. */
    protected JudgingBuilder(Classifier<R> classifier) {
        this.classifier = classifier;
    }

    /** This builder, as what it is. */
    protected abstract B self();

    /** The classifier as built so far. */
    public final Classifier<R> classifier() {
        return classifier;
    }

    /** Replaces everything said so far about outcomes. */
    public final B classifier(Classifier<R> replacement) {
        classifier = Objects.requireNonNull(replacement, "replacement");
        return self();
    }

    /** Counts exceptions of this class and its subclasses as failures, and no others but those also named. */
    public final B handle(Class<? extends Throwable> type) {
        return classifier(classifier.handle(type));
    }

    /** Counts exceptions that the predicate accepts as failures, and no others but those also named. */
    public final B when(Predicate<? super Throwable> predicate) {
        return classifier(classifier.when(predicate));
    }

    /** The same, with a name for the predicate, by which settings are compared and described. */
    public final B when(String name, Predicate<? super Throwable> predicate) {
        return classifier(classifier.when(name, predicate));
    }

    /** Ignores exceptions of this class and its subclasses. */
    public final B ignore(Class<? extends Throwable> type) {
        return classifier(classifier.ignore(type));
    }

    /** Ignores exceptions that the predicate accepts. */
    public final B ignoreWhen(Predicate<? super Throwable> predicate) {
        return classifier(classifier.ignoreWhen(predicate));
    }

    /** The same, with a name for the predicate, by which settings are compared and described. */
    public final B ignoreWhen(String name, Predicate<? super Throwable> predicate) {
        return classifier(classifier.ignoreWhen(name, predicate));
    }

    /** Counts values that the predicate accepts as failures; it is asked for every value, {@code null} included. */
    public final B handleResult(Predicate<? super R> predicate) {
        return classifier(classifier.handleResult(predicate));
    }

    /** The same, with a name for the predicate, by which settings are compared and described. */
    public final B handleResult(String name, Predicate<? super R> predicate) {
        return classifier(classifier.handleResult(name, predicate));
    }

    /** An exception also counts as what its causes are. */
    public final B includingCauses() {
        return classifier(classifier.includingCauses());
    }
}
