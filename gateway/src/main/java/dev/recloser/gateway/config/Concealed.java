package dev.recloser.gateway.config;

import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The values of environment variables, which may be secrets, and values that are secrets in any case: they are in no finding. Where a message
 * has the value of a variable, or a part of one as readers take addresses apart, it gets the name of the variable instead.
 */
final class Concealed {

    /** What stands between the parts of an address. */
    private static final Pattern BETWEEN = Pattern.compile("[^\\p{Alnum}._-]+");

    /** What stands in the file is no value, even if it looks like one. */
    private static final String VARIABLE = "\\$\\{\\w+(?::-[^}]*)?\\}";

    /** Schemes are no secrets, and stand in what is to be written instead. */
    private static final Set<String> KNOWN = Set.of("http", "https");

    /** A shorter value is taken for one only where it stands alone: else it would be found in any word. */
    private static final int SHORT = 4;

    private static final String SECRET = "***";

    /** What is written in the place of a value. */
    private final Map<String, String> instead =
            new TreeMap<>(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    private final IdentityHashMap<Node, Set<String>> variables = new IdentityHashMap<>();

    /** A variable that was used has this value. */
    void add(String name, String value) {
        put(written(name), value);
        for (String part : BETWEEN.split(value, -1)) {
            put(written(name), part);
        }
    }

    /** This value is a secret, wherever it comes from. */
    void addSecret(String value) {
        put(SECRET, value);
    }

    private void put(String replacement, String part) {
        String key = part.toLowerCase(Locale.ROOT);
        if (!key.isBlank() && !KNOWN.contains(key)) {
            instead.putIfAbsent(key, replacement);
        }
    }

    /** A value of the file comes from this variable, in part at least. */
    void from(Node node, String name) {
        variables.computeIfAbsent(node, any -> new TreeSet<>()).add(name);
    }

    /** The message without values, but with the names of the variables that the value at this place comes from. */
    String in(Node at, String message) {
        String safe = in(message);
        String unnamed = variables.getOrDefault(at, Set.of()).stream()
                .map(Concealed::written)
                .filter(name -> !safe.contains(name))
                .collect(Collectors.joining(", "));
        return unnamed.isEmpty() ? safe : safe + " (the value comes from " + unnamed + ")";
    }

    /** The message without values. */
    String in(String message) {
        if (instead.isEmpty()) {
            return message;
        }
        String any =
                instead.keySet().stream().map(Concealed::pattern).collect(Collectors.joining("|", VARIABLE + "|", ""));
        return Pattern.compile(any, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
                .matcher(message)
                .replaceAll(found -> Matcher.quoteReplacement(replacement(found.group())));
    }

    private String replacement(String found) {
        return instead.getOrDefault(found.toLowerCase(Locale.ROOT), found);
    }

    private static String pattern(String value) {
        String quoted = Pattern.quote(value);
        return value.length() < SHORT ? "(?<![\\p{Alnum}])" + quoted + "(?![\\p{Alnum}])" : quoted;
    }

    private static String written(String name) {
        return "${" + name + "}";
    }
}
