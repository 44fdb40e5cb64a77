package dev.recloser.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import java.util.Locale;

/** The attributes by which series of a meter are told apart. Their values are names given in code, and the constants of enums. */
enum Tag {
    /** The name of the pipeline, or of a breaker that is used alone. */
    PIPELINE,
    /** The name of the strategy. */
    STRATEGY,
    /** How a call or an attempt ended. */
    OUTCOME,
    /** Which attempt of a call it was. */
    ATTEMPT,
    /** What happened. */
    EVENT,
    /** Why a call was rejected. */
    REASON;

    AttributeKey<String> key() {
        return AttributeKey.stringKey(valueOf(this));
    }

    /** A constant as it stands in metrics and traces. */
    static String valueOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
