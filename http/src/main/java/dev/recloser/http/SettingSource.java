package dev.recloser.http;

import java.util.Objects;
import java.util.Optional;

/**
 * Who says what the value of a setting is.
 *
 * @param kind what kind of source it is
 * @param property the full key of the property, if it is one
 */
public record SettingSource(Kind kind, Optional<String> property) {

    /** Nobody says anything: it is the value that the setting has by itself. */
    public static final SettingSource DEFAULT = new SettingSource(Kind.DEFAULT, Optional.empty());

    /** The program says so. */
    public static final SettingSource CODE = new SettingSource(Kind.CODE, Optional.empty());

    /** The kinds of source. What a property says counts more than the program, and that more than a default. */
    public enum Kind {
        /** Nobody says anything, or the program says what would be so anyway. */
        DEFAULT,
        /** The program. */
        CODE,
        /** A property. */
        PROPERTY
    }

    /** Refuses a property without a key, and a key of what is no property. */
    public SettingSource {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(property, "property");
        if ((kind == Kind.PROPERTY) != property.isPresent()) {
            throw new IllegalArgumentException("the key is " + property + " and the kind " + kind
                    + "; a property has a key, and nothing else has one");
        }
    }

    /** A property. */
    static SettingSource property(String key) {
        return new SettingSource(Kind.PROPERTY, Optional.of(key));
    }

    /** Such as {@code default}, {@code code} or {@code property recloser.http.payments.attemptTimeout}. */
    @Override
    public String toString() {
        return switch (kind) {
            case DEFAULT -> "default";
            case CODE -> "code";
            case PROPERTY -> "property " + property.orElseThrow();
        };
    }
}
