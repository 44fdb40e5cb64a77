package dev.recloser.gateway.config;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which requests go to which cluster. A request matches if it fits every condition that is given.
 *
 * @param path the path or, ended by {@code /**}, everything below it and the path itself; empty for any
 * @param host the host without a port, in lower case; empty for any
 * @param methods the methods, in upper case; empty for all
 * @param headers names in lower case, with the value each must have; empty for none
 * @param cluster the name of the cluster
 */
public record RouteConfig(
        Optional<String> path,
        Optional<String> host,
        Set<String> methods,
        Map<String, String> headers,
        String cluster) {

    /** A route with copies of the collections. */
    public RouteConfig {
        methods = Set.copyOf(methods);
        headers = Map.copyOf(headers);
    }
}
