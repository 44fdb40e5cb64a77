package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration of a gateway from YAML. It does not stop at the first mistake: whatever is wrong or unwise is found in
 * one go, each with the line and column where it stands and with what would be right.
 *
 * <p>The text becomes a tree of nodes that know their places ({@link YamlText}); each part of the configuration has a reader, which
 * takes what it knows from a {@link Section} of that tree. A reader never throws: what it cannot make sense of is a finding, and
 * absent.
 */
public final class ConfigReader {

    static final Keys KEYS = Keys.NONE
            .required("listen", Shape.address().example("127.0.0.1:8080"), "where clients connect, HOST:PORT")
            .optional(
                    AdminReader.NAME,
                    AdminReader.SHAPE,
                    "where the admin server listens, and the token that changes need")
            .optional(
                    TlsReader.NAME,
                    Shape.mapping(TlsReader.LISTENER_KEYS),
                    "how clients connect by TLS; without it if left out")
            .optional(ClientsReader.NAME, Shape.mapping(ClientsReader.KEYS), "what clients may do")
            .optional("access-log", AccessLogReader.SHAPE, "where a line for each request goes")
            .required("routes", Shape.listOf(Shape.mapping(RouteReader.KEYS)), "which requests go to which cluster")
            .required(
                    "clusters",
                    Shape.mapOf(ClusterReader.NAMES, Shape.mapping(ClusterReader.KEYS)),
                    "the services, by name; a name stands in the paths of the admin server");

    private static final String ROUTES_EXAMPLE = "[ { match: { path: /** }, cluster: NAME } ]";
    private static final String CLUSTERS_EXAMPLE = "{ NAME: { destinations: [ \"http://127.0.0.1:9101\" ] } }";

    private final Findings findings;
    private final Scalars scalars;
    private final Addresses addresses;
    private final TlsReader tls;

    private ConfigReader(Findings findings, Path directory) {
        this.tls = new TlsReader(findings, directory);
        this.findings = findings;
        this.scalars = new Scalars(findings);
        this.addresses = new Addresses(findings);
    }

    /** Reads a file. Whatever is wrong, be it that there is no such file, is in the result. */
    public static CheckedConfig read(Path file) {
        Findings findings = new Findings(file.toString());
        return check(YamlText.read(file, findings), System::getenv, findings, directory(file.toString()));
    }

    /**
     * Reads what a file has held.
     *
     * @param name what to call it in findings; the files that it names relatively are beside that one
     * @param content the bytes of the file
     */
    public static CheckedConfig parse(String name, byte[] content) {
        Findings findings = new Findings(name);
        return check(YamlText.decode(content, findings), System::getenv, findings, directory(name));
    }

    /**
     * Reads a text.
     *
     * @param name what to call it in findings
     * @param yaml the text
     */
    public static CheckedConfig parse(String name, String yaml) {
        return parse(name, yaml, System::getenv);
    }

    static CheckedConfig parse(String name, String yaml, UnaryOperator<@Nullable String> environment) {
        return check(Optional.of(yaml), environment, new Findings(name), directory(name));
    }

    /** Where a file is. What has a name that no file can have is in the working directory. */
    private static Path directory(String file) {
        try {
            Path parent = Path.of(file).toAbsolutePath().getParent();
            return parent == null ? Path.of("") : parent;
        } catch (InvalidPathException e) {
            return Path.of("");
        }
    }

    private static CheckedConfig check(
            Optional<String> yaml, UnaryOperator<@Nullable String> environment, Findings findings, Path directory) {
        Optional<GatewayConfig> config = yaml.flatMap(text -> YamlText.compose(text, findings))
                .map(new Variables(environment, findings)::expand)
                .flatMap(root -> Section.of("the configuration", root, root, findings))
                .flatMap(new ConfigReader(findings, directory)::config);
        return new CheckedConfig(findings.hasErrors() ? Optional.empty() : config, findings.inOrder());
    }

    private Optional<GatewayConfig> config(Section root) {
        root.allow(KEYS);
        Optional<HostPort> listen = root.required("listen", "127.0.0.1:8080").flatMap(this::listen);
        Optional<AdminConfig> admin = root.optional(AdminReader.NAME).flatMap(new AdminReader(findings)::read);
        if (listen.isPresent()
                && listen.equals(admin.map(AdminConfig::listen))
                && listen.get().port() != 0) {
            root.optional(AdminReader.NAME)
                    .ifPresent(entry ->
                            findings.error(entry.value(), "admin is the same address as listen; use another port"));
        }
        Optional<AccessLogConfig> accessLog = root.optional("access-log").flatMap(new AccessLogReader(findings)::read);
        Optional<ListenerTls> listenerTls = root.optional(TlsReader.NAME).flatMap(tls::listener);
        ClientsConfig clients = new ClientsReader(findings).read(root);
        Optional<Section> clusterSection =
                root.required("clusters", CLUSTERS_EXAMPLE).flatMap(this::clusterSection);
        Optional<Entry> routeEntry = root.required("routes", ROUTES_EXAMPLE);
        Map<String, ClusterConfig> clusters =
                clusterSection.map(section -> clusters(section, listen)).orElse(Map.of());
        List<RouteConfig> routes = routeEntry
                .flatMap(entry -> clusterSection.map(section -> routes(entry, section, clients)))
                .orElse(List.of());
        return listen.map(
                address -> new GatewayConfig(address, listenerTls, admin, accessLog, clients, routes, clusters));
    }

    private Optional<HostPort> listen(Entry entry) {
        return scalars.text(entry).flatMap(text -> addresses.listen(entry.key(), text, entry.value()));
    }

    private Optional<Section> clusterSection(Entry entry) {
        Optional<Section> section = Section.of("clusters", entry.keyNode(), entry.value(), findings);
        if (section.isPresent() && section.get().isEmpty()) {
            findings.error(entry.value(), "clusters is empty; give at least one, such as " + CLUSTERS_EXAMPLE);
        }
        return section;
    }

    private Map<String, ClusterConfig> clusters(Section section, Optional<HostPort> listen) {
        ClusterReader reader = new ClusterReader(listen, tls, findings);
        Map<String, ClusterConfig> clusters = new LinkedHashMap<>();
        for (Entry entry : section.entries()) {
            reader.read(entry).ifPresent(cluster -> clusters.put(entry.key(), cluster));
        }
        return clusters;
    }

    private List<RouteConfig> routes(Entry entry, Section clusters, ClientsConfig clients) {
        RouteReader reader = new RouteReader(clusters.keys(), clients.encodedSlashes(), findings);
        List<RouteReader.Placed> routes = new ArrayList<>();
        scalars.list(entry, ROUTES_EXAMPLE).forEach(node -> reader.read(node).ifPresent(routes::add));
        new RouteAdvice(findings).give(routes);
        for (Entry cluster : clusters.entries()) {
            if (!reader.used().contains(cluster.key())) {
                findings.warning(
                        cluster.keyNode(),
                        "no route leads to cluster '" + cluster.key() + "'; add one or remove the cluster");
            }
        }
        return routes.stream().map(RouteReader.Placed::route).toList();
    }
}
