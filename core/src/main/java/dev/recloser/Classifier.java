package dev.recloser;

import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sorts outcomes into {@link OutcomeClass success, failure and ignored}. Immutable; each method returns another classifier.
 *
 * <p>By default a value is a success and an exception a failure, with four families of exceptions that say nothing about the
 * dependency and are ignored: cancellation, interruption ({@link InterruptedException}, {@link ClosedByInterruptException}),
 * {@link Error}, and {@linkplain RejectedException rejections}; but a {@linkplain TimedOutException timeout} is a failure, also where
 * other exceptions are named: only {@code ignore(TimedOutException.class)} and {@link #onlyWhatIsNamed} change that.
 *
 * <p>As soon as one exception is {@linkplain #handle named} or {@linkplain #when accepted}, those that are not are ignored. The
 * four families count only if one of their own classes is named: {@code handle(Exception.class)} does not make an interruption a
 * failure, {@code handle(InterruptedException.class)} does, and no predicate is asked for them. A value is a failure only if a
 * {@linkplain #handleResult result predicate} accepts it; every value is shown to it, {@code null} included.
 *
 * <p>A predicate that throws is a bug, which is not hidden: its exception reaches the caller.
 *
 * @param <R> what calls return
 */
public final class Classifier<R extends @Nullable Object> {

    private static final Classifier<Object> DEFAULTS =
            new Classifier<>(List.of(), List.of(), List.of(), List.of(), List.of(), false, false);

    /** As deep as any sensible chain of causes; a bound in case that one is a circle. */
    private static final int DEEPEST_CAUSE = 32;

    /** A function of the user's, and what it is called. */
    private record Named<T extends @Nullable Object>(String name, Predicate<? super T> predicate) {

        static final String NAMELESS = "a function";

        Named {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(predicate, "predicate");
        }

        boolean test(T subject) {
            return predicate.test(subject);
        }
    }

    private final List<Class<? extends Throwable>> handled;
    private final List<Named<Throwable>> accepted;
    private final List<Class<? extends Throwable>> ignored;
    private final List<Named<Throwable>> ignoredWhen;
    private final List<Named<R>> failedResults;
    private final boolean causes;
    private final boolean onlyNamed;

    private Classifier(
            List<Class<? extends Throwable>> handled,
            List<Named<Throwable>> accepted,
            List<Class<? extends Throwable>> ignored,
            List<Named<Throwable>> ignoredWhen,
            List<Named<R>> failedResults,
            boolean causes,
            boolean onlyNamed) {
        this.handled = handled;
        this.accepted = accepted;
        this.ignored = ignored;
        this.ignoredWhen = ignoredWhen;
        this.failedResults = failedResults;
        this.causes = causes;
        this.onlyNamed = onlyNamed;
    }

    /** The classifier described above, with nothing changed. */
    @SuppressWarnings("unchecked") // it asks no predicate about any value
    public static <R extends @Nullable Object> Classifier<R> defaults() {
        return (Classifier<R>) DEFAULTS;
    }

    /** Also counts exceptions of this class and its subclasses as failures. */
    public Classifier<R> handle(Class<? extends Throwable> type) {
        Objects.requireNonNull(type, "type");
        return new Classifier<>(with(handled, type), accepted, ignored, ignoredWhen, failedResults, causes, onlyNamed);
    }

    /** Also counts exceptions that the predicate accepts as failures. */
    public Classifier<R> when(Predicate<? super Throwable> predicate) {
        return when(Named.NAMELESS, predicate);
    }

    /** The same, with a name that {@link #toString} shows. */
    public Classifier<R> when(String name, Predicate<? super Throwable> predicate) {
        List<Named<Throwable>> more = with(accepted, new Named<>(name, predicate));
        return new Classifier<>(handled, more, ignored, ignoredWhen, failedResults, causes, onlyNamed);
    }

    /** Ignores exceptions of this class and its subclasses, whatever else is said about them. */
    public Classifier<R> ignore(Class<? extends Throwable> type) {
        Objects.requireNonNull(type, "type");
        return new Classifier<>(handled, accepted, with(ignored, type), ignoredWhen, failedResults, causes, onlyNamed);
    }

    /** Ignores exceptions that the predicate accepts, whatever else is said about them. */
    public Classifier<R> ignoreWhen(Predicate<? super Throwable> predicate) {
        return ignoreWhen(Named.NAMELESS, predicate);
    }

    /** The same, with a name that {@link #toString} shows. */
    public Classifier<R> ignoreWhen(String name, Predicate<? super Throwable> predicate) {
        List<Named<Throwable>> more = with(ignoredWhen, new Named<>(name, predicate));
        return new Classifier<>(handled, accepted, ignored, more, failedResults, causes, onlyNamed);
    }

    /** Also counts values that the predicate accepts as failures. */
    public Classifier<R> handleResult(Predicate<? super R> predicate) {
        return handleResult(Named.NAMELESS, predicate);
    }

    /** The same, with a name that {@link #toString} shows. */
    public Classifier<R> handleResult(String name, Predicate<? super R> predicate) {
        List<Named<R>> more = with(failedResults, new Named<>(name, predicate));
        return new Classifier<>(handled, accepted, ignored, ignoredWhen, more, causes, onlyNamed);
    }

    /** An exception also counts as what its causes are. */
    public Classifier<R> includingCauses() {
        return new Classifier<>(handled, accepted, ignored, ignoredWhen, failedResults, true, onlyNamed);
    }

    /**
     * Takes what is named by its letter: as soon as exceptions or results are named or accepted, nothing else is a failure. A timeout
     * that is not named is then ignored, and so are all exceptions if only results are named.
     */
    public Classifier<R> onlyWhatIsNamed() {
        return new Classifier<>(handled, accepted, ignored, ignoredWhen, failedResults, causes, true);
    }

    /** Whether there is no value that is a failure. */
    boolean acceptsEveryValue() {
        return failedResults.isEmpty();
    }

    /**
     * The class of an outcome.
     *
     * @param value the value in which the call ended, if it did
     * @param error the exception in which it ended, or null
     */
    public OutcomeClass classify(@Nullable R value, @Nullable Throwable error) {
        return error == null ? ofValue(value) : ofError(error);
    }

    @SuppressWarnings("NullAway") // a predicate of the user's is asked for every value, null included
    private OutcomeClass ofValue(@Nullable R value) {
        for (int i = 0; i < failedResults.size(); i++) {
            if (failedResults.get(i).test(value)) {
                return OutcomeClass.FAILURE;
            }
        }
        return OutcomeClass.SUCCESS;
    }

    private OutcomeClass ofError(Throwable error) {
        Throwable link = error;
        boolean failure = false;
        for (int depth = 0; link != null && depth < DEEPEST_CAUSE; depth++) {
            if (isIgnored(link)) {
                return OutcomeClass.IGNORED;
            }
            failure |= isFailure(link, depth);
            link = causes && familyOf(link) == null ? link.getCause() : null;
        }
        return failure ? OutcomeClass.FAILURE : OutcomeClass.IGNORED;
    }

    private boolean isIgnored(Throwable error) {
        return ignored.stream().anyMatch(type -> type.isInstance(error))
                || ignoredWhen.stream().anyMatch(predicate -> predicate.test(error));
    }

    private boolean isFailure(Throwable error, int depth) {
        Class<?> family = familyOf(error);
        if (family != null) {
            return handled.stream().anyMatch(type -> family.isAssignableFrom(type) && type.isInstance(error));
        }
        boolean timeout = error instanceof TimedOutException && !onlyNamed;
        if (timeout || takesAnyException()) {
            return depth == 0;
        }
        return handled.stream().anyMatch(type -> type.isInstance(error))
                || accepted.stream().anyMatch(predicate -> predicate.test(error));
    }

    private boolean takesAnyException() {
        return handled.isEmpty() && accepted.isEmpty() && !(onlyNamed && !failedResults.isEmpty());
    }

    /** The family of exceptions that say nothing about a dependency to which this one belongs, or null. */
    private static @Nullable Class<?> familyOf(Throwable error) {
        if (error instanceof Error) {
            return Error.class;
        }
        if (error instanceof CancellationException) {
            return CancellationException.class;
        }
        if (error instanceof InterruptedException) {
            return InterruptedException.class;
        }
        if (error instanceof ClosedByInterruptException) {
            return ClosedByInterruptException.class;
        }
        return error instanceof RejectedException && !(error instanceof TimedOutException)
                ? RejectedException.class
                : null;
    }

    private static <T> List<T> with(List<T> list, T element) {
        List<T> longer = new ArrayList<>(list);
        longer.add(element);
        return List.copyOf(longer);
    }

    /** What is a failure and what is ignored, such as {@code failures: IOException; ignored: a function}. */
    @Override
    public String toString() {
        List<String> failures = new ArrayList<>();
        boolean any = takesAnyException();
        if (any) {
            failures.add("exceptions");
        }
        if (!handled.isEmpty() || !accepted.isEmpty()) {
            failures.add(names(handled, accepted));
        }
        if (!failedResults.isEmpty()) {
            failures.add("results of " + names(List.of(), failedResults));
        }
        boolean plain = any && failures.size() == 1 && ignored.isEmpty() && ignoredWhen.isEmpty() && !causes;
        if (plain) {
            return "exceptions";
        }
        StringBuilder text = new StringBuilder("failures: ").append(String.join(", ", failures));
        text.append(onlyNamed && !any ? "; only what is named" : "");
        if (!ignored.isEmpty() || !ignoredWhen.isEmpty()) {
            text.append("; ignored: ").append(names(ignored, ignoredWhen));
        }
        return text.append(causes ? "; causes too" : "").toString();
    }

    private static String names(List<Class<? extends Throwable>> types, List<? extends Named<?>> functions) {
        return Stream.concat(
                        types.stream().map(Class::getName), functions.stream().map(function -> function.name()))
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
