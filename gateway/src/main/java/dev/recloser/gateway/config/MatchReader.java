package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import dev.recloser.spi.SettingsReading;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/** Reads the conditions of a route. */
final class MatchReader {

    static final Keys CONDITIONS = Keys.NONE
            .optional(
                    "path",
                    Shape.text("/.*"),
                    "the path, byte for byte, without the query; ended by /**, everything below it and the path itself")
            .optional("host", Shape.text(), "the host that the request is for, without its port; case does not matter")
            .optional(
                    "methods",
                    Shape.listOf(Shape.text("[!#$%&'*+.^_`|~0-9A-Z-]+")),
                    "the methods, in upper case; all if left out")
            .optional(
                    "headers",
                    Shape.mapOf("[!#$%&'*+.^_`|~0-9A-Za-z-]+", Shape.anything()),
                    "headers that the request must have, each with exactly this value");
    private static final Set<String> REFUSED_METHODS = Set.of("TRACE", "CONNECT");
    private static final List<String> USUAL_METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern PORT = Pattern.compile(".*[^:]:\\d+|\\[.*\\]:\\d+");
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");

    private final PathPatterns patterns;
    private final Findings findings;
    private final Scalars scalars;

    MatchReader(boolean encodedSlashes, Findings findings) {
        this.patterns = new PathPatterns(encodedSlashes);
        this.findings = findings;
        this.scalars = new Scalars(findings);
    }

    /** The section of a route in which its conditions stand, if it has any. */
    Optional<Section> section(Section route) {
        return route.required("match", "{ path: /** }")
                .flatMap(entry -> Section.of("match", entry.keyNode(), entry.value(), findings)
                        .filter(section -> hasConditions(section, entry.value())));
    }

    private boolean hasConditions(Section match, Node at) {
        match.allow(CONDITIONS);
        if (match.isEmpty()) {
            findings.error(at, "match has no condition; to match everything write match: { path: /** }");
        }
        return !match.isEmpty();
    }

    /** The route with these conditions. */
    RouteConfig route(Section match, String cluster) {
        return new RouteConfig(
                match.optional("path").flatMap(this::path),
                match.optional("host").flatMap(this::host),
                match.optional("methods").map(this::methods).orElse(Set.of()),
                match.optional("headers").map(this::headers).orElse(Map.of()),
                cluster);
    }

    private Optional<String> path(Entry entry) {
        Optional<String> path = scalars.text(entry);
        path.flatMap(patterns::problem)
                .ifPresent(problem -> findings.error(entry.value(), "path '" + path.get() + "' " + problem));
        return path;
    }

    private Optional<String> host(Entry entry) {
        Optional<String> written = scalars.text(entry);
        if (written.isEmpty()) {
            return Optional.empty();
        }
        String text = written.get();
        if (text.contains("*")) {
            findings.error(
                    entry.value(),
                    "host '" + text + "' has a wildcard, which is not supported; write a route for each host");
        } else if (PORT.matcher(text).matches()) {
            findings.error(
                    entry.value(),
                    "host '" + text + "' has a port, but hosts are compared without; write "
                            + text.substring(0, text.lastIndexOf(':')));
        } else if (Addresses.host(text).isEmpty()) {
            findings.error(
                    entry.value(), "host '" + text + "' is no name and no address; write one such as pay.example.com");
        }
        return written.map(host -> host.toLowerCase(Locale.ROOT));
    }

    private Set<String> methods(Entry entry) {
        Set<String> methods = new LinkedHashSet<>();
        for (Node node : scalars.list(entry, "[GET, POST]")) {
            Optional<String> method = scalars.text("a method", node);
            method.ifPresent(name -> checkMethod(name, node));
            if (method.isPresent() && !methods.add(method.get())) {
                findings.error(node, "method " + method.get() + " is listed twice; leave one of them out");
            }
        }
        return methods;
    }

    private void checkMethod(String method, Node at) {
        String upper = method.toUpperCase(Locale.ROOT);
        if (!TOKEN.matcher(method).matches()) {
            findings.error(at, "'" + method + "' is no method; write one such as GET");
        } else if (REFUSED_METHODS.contains(upper)) {
            findings.error(at, "the gateway never serves " + upper + "; leave it out");
        } else if (!method.equals(upper)) {
            findings.error(at, "method '" + method + "' is not in upper case; write " + upper);
        } else if (!USUAL_METHODS.contains(method)) {
            SettingsReading.nearestName(method, USUAL_METHODS)
                    .ifPresent(usual ->
                            findings.warning(at, "method " + method + " is unusual; did you mean '" + usual + "'?"));
        }
    }

    private Map<String, String> headers(Entry entry) {
        Map<String, String> headers = new LinkedHashMap<>();
        Section.of("headers", entry.keyNode(), entry.value(), findings).ifPresent(section -> {
            if (section.isEmpty()) {
                findings.error(entry.value(), "headers is empty; give at least one, such as { X-Version: \"2\" }");
            }
            section.entries().forEach(header -> header(header, headers));
        });
        return headers;
    }

    private void header(Entry entry, Map<String, String> headers) {
        String name = entry.key().toLowerCase(Locale.ROOT);
        if (!TOKEN.matcher(name).matches()) {
            findings.error(
                    entry.keyNode(), "'" + entry.key() + "' is no name of a header; write one such as X-Version");
        } else if (name.equals("host")) {
            findings.error(entry.keyNode(), "the host is a condition of its own; write host: beside headers:");
        }
        Optional<String> value = scalars.text("header '" + entry.key() + "'", entry.value());
        if (value.isPresent()
                && !(HEADER_VALUE.matcher(value.get()).matches()
                        && value.get().equals(value.get().strip()))) {
            findings.error(
                    entry.value(),
                    "header '" + entry.key()
                            + "' has a value that no request can have; write it without line ends and outer blanks");
        }
        if (value.isPresent() && headers.put(name, value.get()) != null) {
            findings.error(entry.keyNode(), "header '" + name + "' stands here twice; names differ in more than case");
        }
    }
}
