package dev.recloser.micrometer;

import dev.recloser.CallOutcome;
import dev.recloser.PipelineEvent;
import dev.recloser.telemetry.AttemptKind;
import dev.recloser.telemetry.CircuitEvent;
import dev.recloser.telemetry.RejectionReason;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tags of all meters. Their values are names that the program gave to its pipelines and strategies, or come from an enum. */
enum TagKey {
    PIPELINE("The name of the pipeline; of a circuit breaker that was bound alone, the name of the breaker"),
    STRATEGY("The name of the strategy"),
    OUTCOME("How it ended", CallOutcome.values()),
    ATTEMPT("Which of the attempts of a call it was", AttemptKind.values()),
    EVENT("What happened", events()),
    REASON("Why it was rejected", RejectionReason.values());

    /** What is counted together because there are too many names, is counted under this one. */
    static final String OTHER = "other";

    private final String description;
    private final String constants;

    TagKey(String description, Enum<?>... values) {
        this.description = description;
        this.constants = Arrays.stream(values).map(TagKey::value).collect(Collectors.joining(", "));
    }

    /** What happens to calls and circuits, but for rejections, which have a counter of their own. */
    private static Enum<?>[] events() {
        return Stream.concat(
                        Arrays.stream(PipelineEvent.Kind.values()).filter(kind -> kind != PipelineEvent.Kind.REJECTED),
                        Arrays.stream(CircuitEvent.values()))
                .toArray(Enum<?>[]::new);
    }

    /** The key, such as {@code pipeline}. */
    String key() {
        return value(this);
    }

    String description() {
        return description;
    }

    /** All values that there can be, with commas between them; empty if they are names. */
    String constants() {
        return constants;
    }

    /** The value that stands for a constant. */
    static String value(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
