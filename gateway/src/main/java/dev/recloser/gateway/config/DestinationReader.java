package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/** Reads the destinations of a cluster: each a URL, or a mapping of a URL and a weight. */
final class DestinationReader {

    static final String EXAMPLE = "[ \"http://127.0.0.1:9101\" ]";

    private static final String URL_EXAMPLE = "\"http://127.0.0.1:9101\"";
    private static final int LARGEST_WEIGHT = 1000;
    private static final Shape URL =
            Shape.text("[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+").example("http://127.0.0.1:9101");
    private static final Keys KEYS = Keys.NONE
            .required("url", URL, "where it listens, http://HOST[:PORT] or https://HOST[:PORT]")
            .optional(
                    "weight",
                    Shape.wholeNumber(1, LARGEST_WEIGHT).byDefault(DestinationConfig.USUAL_WEIGHT),
                    "how large its share of the requests is beside that of the others");

    static final Shape SHAPE = Shape.listOf(Shape.either(URL, Shape.mapping(KEYS)));

    private final Findings findings;
    private final Scalars scalars;
    private final Ranges ranges;
    private final Addresses addresses;
    private final Optional<HostPort> listen;

    /**
     * A reader of all destinations.
     *
     * @param listen where the gateway itself listens, if that is known
     */
    DestinationReader(Optional<HostPort> listen, Findings findings) {
        this.listen = listen;
        this.findings = findings;
        this.scalars = new Scalars(findings);
        this.ranges = new Ranges(findings);
        this.addresses = new Addresses(findings);
    }

    List<DestinationConfig> read(Entry entry) {
        List<DestinationConfig> destinations = new ArrayList<>();
        for (Node node : scalars.list(entry, EXAMPLE)) {
            Optional<DestinationConfig> destination = node instanceof MappingNode ? weighted(node) : destination(node);
            destination.ifPresent(read -> adviseOn(read, destinations, node));
            destination.ifPresent(destinations::add);
        }
        return destinations;
    }

    private Optional<DestinationConfig> destination(Node node) {
        return scalars.text("destination", node).flatMap(text -> addresses.destination(text, node));
    }

    private Optional<DestinationConfig> weighted(Node node) {
        return Section.of("destination", node, node, findings).flatMap(section -> {
            section.allow(KEYS);
            int weight = ranges.wholeNumber(section, "weight", LARGEST_WEIGHT, DestinationConfig.USUAL_WEIGHT);
            return section.required("url", URL_EXAMPLE)
                    .flatMap(url -> destination(url.value()))
                    .map(read -> new DestinationConfig(read.secure(), read.address(), weight));
        });
    }

    private void adviseOn(DestinationConfig destination, List<DestinationConfig> others, Node at) {
        String what = "destination " + destination.url();
        if (others.stream().anyMatch(other -> other.address().equals(destination.address()))) {
            findings.warning(at, what + " is listed twice; it gets twice the requests");
        }
        if (listen.isPresent() && listen.get().equals(destination.address())) {
            findings.warning(at, what + " is this gateway itself; requests go round in a circle");
        }
    }
}
