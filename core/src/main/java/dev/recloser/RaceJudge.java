package dev.recloser;

import org.jspecify.annotations.Nullable;

/** Says what the outcome of an attempt means for the race that it ran in. */
final class RaceJudge {

    /** Null for a detached timeout, which has no opinion and takes what comes. */
    private final @Nullable Classifier<Object> classifier;

    RaceJudge(Layer layer) {
        this.classifier = layer.race == null ? null : layer.classifier;
    }

    /**
     * What an attempt has come to.
     *
     * @param outcome its class
     * @param result the result, or the exception of a classifier that threw
     * @param isFinal whether it ends the race, whatever the others do
     */
    record Verdict(OutcomeClass outcome, @Nullable Object result, boolean isFinal) {}

    Verdict of(@Nullable Object result) {
        OutcomeClass outcome;
        try {
            outcome = classify(result);
        } catch (Throwable fault) {
            return new Verdict(OutcomeClass.IGNORED, Failure.fault(fault), true);
        }
        boolean isFinal = outcome == OutcomeClass.SUCCESS || (outcome == OutcomeClass.IGNORED && !isRejected(result));
        return new Verdict(outcome, result, isFinal);
    }

    private OutcomeClass classify(@Nullable Object result) {
        if (!(result instanceof Failure failure)) {
            return classifier == null ? OutcomeClass.SUCCESS : classifier.classify(result, null);
        }
        return classifier == null || failure.kind() == Failure.Kind.FAULT
                ? OutcomeClass.IGNORED
                : classifier.classify(null, failure.error());
    }

    /** An attempt that was rejected leaves the others to run on, but is no reason for another one. */
    private static boolean isRejected(@Nullable Object result) {
        return result instanceof Failure failure
                && failure.kind() != Failure.Kind.FAULT
                && (failure.kind() == Failure.Kind.NOT_BEGUN || failure.error() instanceof RejectedException);
    }
}
