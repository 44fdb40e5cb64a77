package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads how a cluster uses its destinations. */
final class BalancingReader {

    static final String POLICY = "load-balancing";

    private static final List<String> POLICIES =
            Arrays.stream(LoadBalancing.values()).map(LoadBalancing::key).toList();

    static final Shape POLICY_SHAPE =
            Shape.oneOf(POLICIES).byDefault(BalancingConfig.USUAL.policy().key());

    private final Scalars scalars;
    private final OutlierDetectionReader outliers;
    private final HealthCheckReader checks;

    BalancingReader(Findings findings) {
        this.scalars = new Scalars(findings);
        this.outliers = new OutlierDetectionReader(findings);
        this.checks = new HealthCheckReader(findings);
    }

    /** What holds for a cluster; its keys that are about something else are not looked at. */
    BalancingConfig read(Section cluster) {
        return new BalancingConfig(
                cluster.optional(POLICY).flatMap(this::policy).orElse(BalancingConfig.USUAL.policy()),
                outliers.read(cluster),
                checks.read(cluster));
    }

    private Optional<LoadBalancing> policy(Entry entry) {
        return scalars.oneOf(entry, List.of(LoadBalancing.values()), LoadBalancing::key);
    }
}
