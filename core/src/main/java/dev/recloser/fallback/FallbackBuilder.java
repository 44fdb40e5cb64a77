package dev.recloser.fallback;

import dev.recloser.Classifier;
import dev.recloser.spi.Continuation.Step;
import dev.recloser.spi.JudgingBuilder;
import dev.recloser.spi.SettingsCheck;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Fallback}. It needs to be told what to give, by exactly one of {@link #value}, {@link #valueFrom} and {@link #errorFrom}; what
 * is wrong is found when it is built.
 *
 * <p>And it should be told for what: {@code handle(CircuitOpenException.class)} for calls that an open circuit rejects, {@code
 * handle(RejectedException.class)} for all that are rejected or timed out, {@code handle(IOException.class)}. As soon as something is
 * named nothing else is replaced, not even a timeout. If nothing is named, what is a failure by default is replaced: exceptions and
 * timeouts, but neither rejections nor interruption, cancellation and {@link Error}. Not thread-safe.
 *
 * @param <R> what calls return
 */
public final class FallbackBuilder<R extends @Nullable Object> extends JudgingBuilder<R, FallbackBuilder<R>> {

    private static final List<String> WAYS = List.of("value", "valueFrom", "errorFrom");

    private final Set<String> given = new LinkedHashSet<>();

    Substitution substitution = (value, error) -> Step.done();

    /** A builder that still has to be told what to give. */
    public FallbackBuilder() {
        super(Classifier.<R>defaults().onlyWhatIsNamed());
    }

    /** Makes the step that replaces a failure. */
    @FunctionalInterface
    interface Substitution {

        /** May throw what a function of the user's throws. */
        Step insteadOf(@Nullable Object value, @Nullable Throwable error) throws Exception;
    }

    @Override
    protected FallbackBuilder<R> self() {
        return this;
    }

    /** Gives this value in the place of a failure. */
    public FallbackBuilder<R> value(R instead) {
        Step step = Step.replaceByValue(instead);
        return give("value", (value, error) -> step);
    }

    /** Gives the value that the function makes, or the exception that it throws. */
    @SuppressWarnings("unchecked") // it is shown nothing but outcomes of calls that return R
    public FallbackBuilder<R> valueFrom(FallbackFunction<? super R, ? extends R> function) {
        FallbackFunction<Object, ?> any = (FallbackFunction<Object, ?>) Objects.requireNonNull(function, "function");
        return give("valueFrom", (value, error) -> Step.replaceByValue(any.insteadOf(value, error)));
    }

    /** Gives the exception that the function makes or throws, such as one of the caller's domain with the failure as its cause. */
    @SuppressWarnings("unchecked") // as above
    public FallbackBuilder<R> errorFrom(FallbackFunction<? super R, ? extends Throwable> function) {
        FallbackFunction<Object, ? extends Throwable> any =
                (FallbackFunction<Object, ? extends Throwable>) Objects.requireNonNull(function, "function");
        return give("errorFrom", (value, error) -> {
            Throwable instead = Objects.requireNonNull(any.insteadOf(value, error), "the exception of a fallback");
            return instead == error ? Step.done() : Step.replaceByError(instead);
        });
    }

    private FallbackBuilder<R> give(String setting, Substitution newSubstitution) {
        given.add(setting);
        substitution = newSubstitution;
        return this;
    }

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        check.exactlyOne(WAYS, given);
    }

    /**
     * The fallback.
     *
     * @param name what it is called in events and metrics
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public Fallback build(String name) {
        SettingsCheck.throwIfWrong(this::check);
        return new Fallback(name, this);
    }

    /** By which setting it is said what to give. */
    String kind() {
        return String.join(" and ", given);
    }
}
