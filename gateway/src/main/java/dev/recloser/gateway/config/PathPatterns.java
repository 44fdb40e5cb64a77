package dev.recloser.gateway.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says what is wrong with the path of a route. A pattern is compared with the path that is sent on, byte for byte, and the gateway
 * refuses paths that a service could read in another way; a pattern for such a path could never match.
 */
final class PathPatterns {

    private static final String ALL_BELOW = "/**";
    private static final Set<String> DOTS = Set.of(".", "..");
    private static final Pattern ESCAPE = Pattern.compile("%(?<code>[0-9A-Fa-f]{2})?");
    private static final Pattern ENCODED_DOT = Pattern.compile("%2[eE]");
    private static final Pattern REFUSED_RAW = Pattern.compile("[^!-~]|\\\\");
    private static final Pattern ENCODED_SLASH = Pattern.compile("%2[fF]");
    private static final Pattern REFUSED_ENCODED = Pattern.compile("[\\\\\\x00-\\x1f\\x7f]");

    private final boolean encodedSlashes;

    /**
     * Patterns for paths.
     *
     * @param encodedSlashes whether paths may have such; they are compared like all else, and separate segments
     */
    PathPatterns(boolean encodedSlashes) {
        this.encodedSlashes = encodedSlashes;
    }

    /** What is wrong; what would be right. Empty if the pattern is good. */
    Optional<String> problem(String pattern) {
        if (!pattern.startsWith("/")) {
            return Optional.of("does not begin with '/'; write /" + pattern);
        }
        boolean below = pattern.endsWith(ALL_BELOW);
        String path = below ? pattern.substring(0, pattern.length() - ALL_BELOW.length()) : pattern;
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            return Optional.of("has a query or fragment, which is not part of a path; leave it out");
        } else if (path.indexOf('*') >= 0) {
            String stem = path.substring(0, path.indexOf('*')).replaceAll("/$", "");
            return Optional.of("has a '*' that does not stand in /** at the end; write " + stem + ALL_BELOW);
        }
        return segmentProblem(path).or(() -> characterProblem(path)).or(() -> escapeProblem(path));
    }

    private static Optional<String> segmentProblem(String path) {
        String separated = ENCODED_SLASH.matcher(path).replaceAll("/");
        List<String> segments =
                List.of(ENCODED_DOT.matcher(separated).replaceAll(".").split("/", -1));
        return segments.stream().map(PathPatterns::withoutParameters).anyMatch(DOTS::contains)
                ? Optional.of("has a dot segment, and such requests are refused; write the path without it")
                : Optional.empty();
    }

    private static String withoutParameters(String segment) {
        int semicolon = segment.indexOf(';');
        return semicolon < 0 ? segment : segment.substring(0, semicolon);
    }

    private static Optional<String> characterProblem(String path) {
        Matcher refused = REFUSED_RAW.matcher(path);
        return refused.find()
                ? Optional.of("has '" + refused.group()
                        + "', which cannot stand in the path of a request; write it as %XX, byte for byte")
                : Optional.empty();
    }

    private Optional<String> escapeProblem(String path) {
        Matcher escape = ESCAPE.matcher(path);
        while (escape.find()) {
            String code = escape.group("code");
            if (code == null) {
                return Optional.of("has a '%' without two hexadecimal digits; write %25 for the sign itself");
            }
            String plain = String.valueOf((char) Integer.parseInt(code, 16));
            if (plain.equals("/") && !encodedSlashes) {
                return Optional.of(
                        "has " + escape.group()
                                + ", and such requests are refused; leave it out, or add clients: { allow-encoded-slashes: true }");
            }
            if (REFUSED_ENCODED.matcher(plain).matches()) {
                return Optional.of("has " + escape.group() + ", and such requests are refused; leave it out");
            }
        }
        return Optional.empty();
    }
}
