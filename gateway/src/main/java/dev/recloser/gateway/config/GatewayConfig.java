package dev.recloser.gateway.config;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that a gateway is told.
 *
 * @param listen where clients connect
 * @param tls how clients connect by TLS; if empty, without
 * @param admin where operators connect, if anywhere
 * @param accessLog where a line for each request goes, if anywhere
 * @param clients what clients may do
 * @param routes in the order of the file
 * @param clusters by name, in the order of the file; every cluster that a route names is there
 */
public record GatewayConfig(
        HostPort listen,
        Optional<ListenerTls> tls,
        Optional<AdminConfig> admin,
        Optional<AccessLogConfig> accessLog,
        ClientsConfig clients,
        List<RouteConfig> routes,
        Map<String, ClusterConfig> clusters) {

    /** A configuration with copies of the collections. */
    public GatewayConfig {
        routes = List.copyOf(routes);
        clusters = Collections.unmodifiableMap(new LinkedHashMap<>(clusters));
    }

    /** The files that the configuration names, and whose contents belong to it. */
    public List<Path> files() {
        return Stream.concat(
                        tls.map(ListenerTls::files).orElse(List.of()).stream(),
                        clusters.values().stream().flatMap(cluster -> cluster.upstream().tls().files().stream()))
                .distinct()
                .toList();
    }

    /** When the certificates that the gateway itself shows expire: of each file, the one that does so first. */
    public Map<Path, Instant> certificateEnds() {
        Map<Path, Instant> ends = new LinkedHashMap<>();
        Stream.concat(
                        tls.map(ListenerTls::identity).stream(),
                        clusters.values().stream().flatMap(cluster -> cluster.upstream().tls().identity().stream()))
                .forEach(identity -> ends.put(identity.certificateFile(), identity.end()));
        return ends;
    }
}
