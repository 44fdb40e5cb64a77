package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.DestinationConfig;
import dev.recloser.gateway.config.LoadBalancing;
import dev.recloser.gateway.config.UpstreamProtocol;
import dev.recloser.time.TimeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The destinations of a cluster as one configuration has them, and what all event loops know of them. Thread-safe. */
final class Destinations {

    private final List<Destination> all = new ArrayList<>();
    private final LoadBalancing policy;
    private final boolean underwayIsRead;
    private final boolean http2;
    private final AtomicInteger balancers = new AtomicInteger();
    private volatile boolean allDown;

    Destinations(ClusterConfig config, TimeSource time) {
        policy = config.balancing().policy();
        int size = config.destinations().size();
        http2 = config.upstream().protocol() == UpstreamProtocol.HTTP_2;
        underwayIsRead = size > 1 && policy != LoadBalancing.ROUND_ROBIN;
        Ejections ejections = size == 1
                ? null
                : config.balancing()
                        .outlierDetection()
                        .map(rules -> new Ejections(rules, all, size))
                        .orElse(null);
        UpstreamTls tls = config.destinations().stream().anyMatch(DestinationConfig::secure)
                ? new UpstreamTls(config.upstream())
                : null;
        config.destinations().forEach(each -> all.add(destination(config.name(), each, tls, ejections, time)));
    }

    private Destination destination(
            String cluster,
            DestinationConfig config,
            @Nullable UpstreamTls tls,
            @Nullable Ejections ejections,
            TimeSource time) {
        HealthLog log = new HealthLog(cluster, config.url(), time.executor());
        return new Destination(config, tls, new Underway(underwayIsRead), new Health(ejections, time, log));
    }

    boolean speakHttp2() {
        return http2;
    }

    /** In the order of the configuration. */
    List<Destination> all() {
        return Collections.unmodifiableList(all);
    }

    /** Whether checks say of all of them that they are not well. */
    boolean areAllDown() {
        return allDown;
    }

    /** Checks have found something else of one of them. They are all on one thread. */
    void checked() {
        allDown = all.stream().allMatch(each -> each.health().isDown());
    }

    /** What chooses among them for one event loop. Each begins with another one, so that not all begin with the same. */
    Balancer balancer() {
        return Balancer.of(policy, List.copyOf(all), balancers.getAndIncrement() % all.size());
    }
}
