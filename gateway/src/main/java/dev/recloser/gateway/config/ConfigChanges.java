package dev.recloser.gateway.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What makes one configuration another one.
 *
 * @param added the clusters that only the new one has, in its order
 * @param changed the clusters that both have, with other settings
 * @param removed the clusters that only the old one has
 * @param routes whether the routes are others
 * @param tls whether clients connect in another way
 * @param clients whether what clients may do is something else
 * @param fixed the keys that a gateway that is running cannot follow, and whose values are others
 */
public record ConfigChanges(
        List<String> added,
        List<String> changed,
        List<String> removed,
        boolean routes,
        boolean tls,
        boolean clients,
        List<String> fixed) {

    /** Changes with copies of the lists. */
    public ConfigChanges {
        added = List.copyOf(added);
        changed = List.copyOf(changed);
        removed = List.copyOf(removed);
        fixed = List.copyOf(fixed);
    }

    /** What there is to be done to get from one to the other. */
    public static ConfigChanges between(GatewayConfig before, GatewayConfig after) {
        Map<String, ClusterConfig> old = before.clusters();
        Map<String, ClusterConfig> now = after.clusters();
        return new ConfigChanges(
                now.keySet().stream().filter(name -> !old.containsKey(name)).toList(),
                now.keySet().stream()
                        .filter(old::containsKey)
                        .filter(name -> !Objects.equals(old.get(name), now.get(name)))
                        .toList(),
                old.keySet().stream().filter(name -> !now.containsKey(name)).toList(),
                !before.routes().equals(after.routes()),
                !before.tls().equals(after.tls()),
                !before.clients().equals(after.clients()),
                fixed(before, after));
    }

    private static List<String> fixed(GatewayConfig before, GatewayConfig after) {
        List<String> keys = new ArrayList<>();
        if (!before.listen().equals(after.listen())) {
            keys.add("listen");
        }
        if (!before.admin().equals(after.admin())) {
            keys.add("admin");
        }
        if (!before.accessLog().equals(after.accessLog())) {
            keys.add("access-log");
        }
        return keys;
    }

    /** Whether there is nothing that takes effect. */
    public boolean isEmpty() {
        return added.isEmpty() && changed.isEmpty() && removed.isEmpty() && !routes && !tls && !clients;
    }

    /** What takes effect, in words: {@code cluster a added; clusters b, c changed; routes changed}. */
    public String describe() {
        List<String> parts = new ArrayList<>();
        describe(parts, added, "added");
        describe(parts, changed, "changed");
        describe(parts, removed, "removed");
        if (routes) {
            parts.add("routes changed");
        }
        if (tls) {
            parts.add("tls changed");
        }
        if (clients) {
            parts.add("clients changed");
        }
        return parts.isEmpty() ? "nothing changed" : String.join("; ", parts);
    }

    private static void describe(List<String> parts, List<String> clusters, String what) {
        if (!clusters.isEmpty()) {
            parts.add((clusters.size() == 1 ? "cluster " : "clusters ") + String.join(", ", clusters) + " " + what);
        }
    }
}
