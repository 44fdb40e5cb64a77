package dev.recloser.fallback;

import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.SettingsText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fallback: puts a value or an exception in the place of a failure. For which failures it does so is said by the {@linkplain
 * #classifier classifier}; see {@link FallbackBuilder}. The failure that was replaced is told to the listeners of the pipeline, and
 * left as it is.
 *
 * <p>Thread-safe.
 */
public final class Fallback implements Continuation {

    private final String name;
    private final FallbackBuilder.Substitution substitution;
    private final Classifier<Object> classifier;
    private final Map<String, String> settings;
    private final LongAdder replaced = new LongAdder();

    /** All calls are alike, and nothing is remembered of them. */
    private final Course course = this::replace;

    @SuppressWarnings("unchecked") // it is shown nothing but outcomes of calls that return what the builder was for
    Fallback(String name, FallbackBuilder<?> builder) {
        this.name = Objects.requireNonNull(name, "name");
        this.substitution = builder.substitution;
        this.classifier = (Classifier<Object>) builder.classifier();
        this.settings = describe(builder);
    }

    /**
     * A fallback, as {@code Fallback.of("price", f -> f.handle(CircuitOpenException.class).value("unknown"))}.
     *
     * @param name what it is called in events and metrics
     * @param settings says what it gives, and for which failures
     * @param <R> what the calls return whose results are judged
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public static <R extends @Nullable Object> Fallback of(String name, Consumer<FallbackBuilder<R>> settings) {
        FallbackBuilder<R> builder = new FallbackBuilder<>();
        settings.accept(builder);
        return builder.build(name);
    }

    @Override
    public String name() {
        return name;
    }

    /** Which outcomes are replaced. A pipeline goes by it unless it is given another classifier together with this fallback. */
    @Override
    public Classifier<Object> classifier() {
        return classifier;
    }

    /** What it has done so far. */
    public FallbackSnapshot snapshot() {
        return new FallbackSnapshot(name, replaced.sum());
    }

    @Override
    public Course begin(CallContext context) {
        return course;
    }

    private Step replace(@Nullable Object value, @Nullable Throwable error, CallContext context) {
        Step step;
        try {
            step = substitution.insteadOf(value, error);
        } catch (Throwable thrown) {
            step = thrown == error ? Step.done() : Step.replaceByError(thrown);
        }
        if (step instanceof Replace) {
            replaced.increment();
        }
        return step;
    }

    private static Map<String, String> describe(FallbackBuilder<?> builder) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("gives", builder.kind());
        settings.put("failuresAre", builder.classifier().toString());
        return Collections.unmodifiableMap(settings);
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public String toString() {
        return SettingsText.of("fallback", this);
    }
}
