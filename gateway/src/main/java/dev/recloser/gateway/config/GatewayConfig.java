package dev.recloser.gateway.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a gateway is told.
 *
 * @param listen where clients connect
 * @param admin where operators connect, if anywhere
 * @param accessLog where a line for each request goes, if anywhere
 * @param routes in the order of the file
 * @param clusters by name, in the order of the file; every cluster that a route names is there
 */
public record GatewayConfig(
        HostPort listen,
        Optional<HostPort> admin,
        Optional<AccessLogConfig> accessLog,
        List<RouteConfig> routes,
        Map<String, ClusterConfig> clusters) {

    /** A configuration with copies of the collections. */
    public GatewayConfig {
        routes = List.copyOf(routes);
        clusters = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(clusters));
    }
}
