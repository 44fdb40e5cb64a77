package dev.recloser.gateway.accesslog;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the header {@code traceparent} of the W3C's Trace Context. */
final class TraceParent {

    /** A version after 00 may have more after what 00 has. */
    private static final Pattern VALID = Pattern.compile(
            "(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?<more>-.*)?");

    private static final String FIRST_VERSION = "00";

    private TraceParent() {}

    /** The id of the trace, if the header is valid. */
    static Optional<String> traceId(String header) {
        Matcher matcher = VALID.matcher(header);
        boolean valid = matcher.matches()
                && (matcher.group("more") == null || !matcher.group("version").equals(FIRST_VERSION));
        return valid ? Optional.of(matcher.group("trace")) : Optional.empty();
    }
}
