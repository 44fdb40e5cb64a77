package dev.recloser.gateway.config;

import dev.recloser.gateway.config.RouteReader.Placed;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds routes that no request can ever take, since earlier ones take them all. A route with a more special match wins over others
 * wherever it stands, so only routes for the same host, path and headers can be in each other's way.
 */
final class RouteAdvice {

    private final Findings findings;

    RouteAdvice(Findings findings) {
        this.findings = findings;
    }

    void give(List<Placed> routes) {
        for (int i = 1; i < routes.size(); i++) {
            Placed route = routes.get(i);
            give(
                    route,
                    routes.subList(0, i).stream()
                            .filter(earlier -> differOnlyInMethods(earlier.route(), route.route()))
                            .toList());
        }
    }

    private void give(Placed route, List<Placed> rivals) {
        Set<String> methods = route.route().methods();
        Set<String> taken = new HashSet<>();
        for (Placed rival : rivals) {
            taken.addAll(rival.route().methods());
            if (rival.route().methods().equals(methods)) {
                findings.error(
                        route.at(),
                        "this route matches the same requests as the one in line " + Findings.line(rival.at())
                                + "; leave one of them out");
                return;
            }
        }
        if (!methods.isEmpty() && taken.containsAll(methods)) {
            findings.warning(
                    route.at(),
                    "no request can take this route: its methods are all taken by the one in line "
                            + Findings.line(rivals.get(rivals.size() - 1).at()) + " or before; leave it out");
        }
    }

    private static boolean differOnlyInMethods(RouteConfig a, RouteConfig b) {
        return a.path().equals(b.path())
                && a.host().equals(b.host())
                && a.headers().equals(b.headers());
    }
}
