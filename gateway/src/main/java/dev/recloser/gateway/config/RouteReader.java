package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import dev.recloser.spi.SettingsReading;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;

/** Reads routes: what each matches, and the cluster to which it leads. */
final class RouteReader {

    /**
     * A route and where it stands.
     *
     * @param route the route
     * @param at its place
     */
    record Placed(RouteConfig route, Node at) {}

    static final Keys KEYS = Keys.NONE
            .required(
                    "match",
                    Shape.mapping(MatchReader.CONDITIONS)
                            .with("minProperties", 1)
                            .example(Map.of("path", "/**")),
                    "the conditions, all of which a request must fit")
            .required("cluster", Shape.text().example("service"), "the name of the cluster to which such requests go");

    private final Findings findings;
    private final Scalars scalars;
    private final MatchReader matches;
    private final Set<String> clusters;
    private final Set<String> used = new LinkedHashSet<>();

    /**
     * A reader of all routes.
     *
     * @param clusters the names of all clusters
     * @param encodedSlashes whether requests may have such in their path
     */
    RouteReader(Set<String> clusters, boolean encodedSlashes, Findings findings) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
        this.matches = new MatchReader(encodedSlashes, findings);
        this.clusters = clusters;
    }

    /** The clusters to which the routes read so far lead, or are meant to. */
    Set<String> used() {
        return used;
    }

    Optional<Placed> read(Node node) {
        return Section.of("a route", node, node, findings).flatMap(section -> {
            section.allow(KEYS);
            Optional<Section> conditions = matches.section(section);
            Optional<String> cluster = section.required("cluster", "NAME").flatMap(this::cluster);
            return conditions.map(match -> new Placed(matches.route(match, cluster.orElse("")), node));
        });
    }

    private Optional<String> cluster(Entry entry) {
        Optional<String> name = scalars.text(entry);
        name.flatMap(written -> clusters.contains(written) ? name : SettingsReading.nearestName(written, clusters))
                .ifPresent(used::add);
        if (name.isPresent() && !clusters.contains(name.get())) {
            findings.error(
                    entry.value(),
                    "there is no cluster '" + name.get() + "'; " + Nearest.hint(name.get(), clusters, "clusters"));
        }
        return name;
    }
}
