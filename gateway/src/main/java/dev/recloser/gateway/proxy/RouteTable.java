package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.RouteConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cluster for a request. More specific matches win over less specific ones: a host over none; then an exact path over a
 * prefix over any path, and a longer prefix over a shorter; then routes that ask for methods, then those that ask for more
 * headers; then the order of the file.
 *
 * <p>Routes are indexed by host and path, so that finding one takes a look-up for each segment of the path that the longest
 * configured prefix can reach, however many routes there are and however long the path is.
 */
final class RouteTable {

    private static final String SUBTREE = "/**";

    private final Map<String, Paths> byHost = new HashMap<>();
    private final Paths anyHost = new Paths();

    /** Where a matching request goes. */
    private record Route(RouteConfig config, Cluster cluster) {

        boolean hasMethod(String method) {
            return config.methods().isEmpty() || config.methods().contains(method);
        }

        boolean hasHeaders(RequestHead head) {
            for (Map.Entry<String, String> header : config.headers().entrySet()) {
                if (!head.headers().contains(header.getKey(), header.getValue(), false)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The routes of one host. */
    private static final class Paths {
        final Map<String, List<Route>> exact = new HashMap<>();
        final Map<String, List<Route>> subtrees = new HashMap<>();
        final List<Route> any = new ArrayList<>();
        private int longestSubtree = -1;

        void add(Route route) {
            route.config
                    .path()
                    .map(path -> path.endsWith(SUBTREE)
                            ? subtrees.computeIfAbsent(
                                    path.substring(0, path.length() - SUBTREE.length()), key -> new ArrayList<>())
                            : exact.computeIfAbsent(path, key -> new ArrayList<>()))
                    .orElse(any)
                    .add(route);
        }

        void sort() {
            Comparator<Route> bySpecificity = Comparator.<Route, Boolean>comparing(
                            route -> route.config.methods().isEmpty())
                    .thenComparing(route -> -route.config.headers().size());
            exact.values().forEach(routes -> routes.sort(bySpecificity));
            subtrees.values().forEach(routes -> routes.sort(bySpecificity));
            any.sort(bySpecificity);
            longestSubtree =
                    subtrees.keySet().stream().mapToInt(String::length).max().orElse(-1);
        }

        /**
         * The end of the longest part of the path that may be the prefix of a route: whole segments only, and no more than the
         * longest prefix that there is; -1 if there is none.
         */
        int firstEnd(String path) {
            return path.length() <= longestSubtree ? path.length() : path.lastIndexOf('/', longestSubtree);
        }
    }

    /** What a search sees on its way: the methods that would have matched. */
    static final class Search {
        private final RequestHead head;
        private @Nullable Set<String> otherMethods;
        private int lookUps;

        Search(RequestHead head) {
            this.head = head;
        }

        /** What to say when no route matches: that there is none, or with which methods there would have been one. */
        Problem notFound() {
            return otherMethods == null
                    ? new Problem(Ending.NO_ROUTE)
                    : new Problem(Ending.METHOD).allowing(String.join(", ", otherMethods));
        }

        /** How many prefixes of the path were looked up so far. */
        int lookUps() {
            return lookUps;
        }

        private void sawMethods(Set<String> methods) {
            if (otherMethods == null) {
                otherMethods = new TreeSet<>();
            }
            otherMethods.addAll(methods);
        }

        private @Nullable Cluster among(@Nullable List<Route> routes) {
            if (routes == null) {
                return null;
            }
            String method = head.method().name();
            for (Route route : routes) {
                if (route.hasHeaders(head)) {
                    if (route.hasMethod(method)) {
                        return route.cluster;
                    }
                    sawMethods(route.config.methods());
                }
            }
            return null;
        }

        private @Nullable Cluster among(Paths paths) {
            String path = head.path();
            Cluster found = among(paths.exact.get(path));
            for (int end = paths.firstEnd(path); found == null && end >= 0; end = path.lastIndexOf('/', end - 1)) {
                lookUps++;
                found = among(paths.subtrees.get(path.substring(0, end)));
            }
            return found == null ? among(paths.any) : found;
        }
    }

    RouteTable(List<RouteConfig> routes, Map<String, Cluster> clusters) {
        for (RouteConfig config : routes) {
            Cluster cluster = clusters.get(config.cluster());
            if (cluster == null) {
                throw new IllegalArgumentException("route to an unknown cluster: " + config.cluster());
            }
            config.host()
                    .map(host -> byHost.computeIfAbsent(host.toLowerCase(Locale.ROOT), key -> new Paths()))
                    .orElse(anyHost)
                    .add(new Route(config, cluster));
        }
        byHost.values().forEach(Paths::sort);
        anyHost.sort();
    }

    /** The cluster that the request is for, or null. */
    @Nullable
    Cluster find(Search search) {
        Paths paths = byHost.isEmpty() ? null : byHost.get(hostName(search.head.host()));
        Cluster found = paths == null ? null : search.among(paths);
        return found == null ? search.among(anyHost) : found;
    }

    /** The host without its port, in lower case, and without the dot that may end a full name. */
    static String hostName(@Nullable String host) {
        if (host == null) {
            return "";
        }
        int colon = host.lastIndexOf(':');
        String name = colon < 0 || host.endsWith("]") ? host : host.substring(0, colon);
        String withoutDot = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        return withoutDot.toLowerCase(Locale.ROOT);
    }
}
