package dev.recloser.gateway.config;

import java.util.Optional;

/**
 * How a cluster uses its destinations.
 *
 * @param policy how requests are shared among them
 * @param outlierDetection when one to which requests fail is left out for a time; empty if never. With a single destination it
 *     does nothing
 * @param healthCheck how the gateway asks by itself whether they are well; empty if it does not
 */
public record BalancingConfig(
        LoadBalancing policy,
        Optional<OutlierDetectionConfig> outlierDetection,
        Optional<HealthCheckConfig> healthCheck) {

    /** What holds where nothing is configured. */
    public static final BalancingConfig USUAL =
            new BalancingConfig(LoadBalancing.ROUND_ROBIN, Optional.of(OutlierDetectionConfig.USUAL), Optional.empty());

    /** The same with another policy. */
    public BalancingConfig with(LoadBalancing other) {
        return new BalancingConfig(other, outlierDetection, healthCheck);
    }

    /** The same with another outlier detection. */
    public BalancingConfig with(OutlierDetectionConfig other) {
        return new BalancingConfig(policy, Optional.of(other), healthCheck);
    }

    /** The same with another health check. */
    public BalancingConfig with(HealthCheckConfig other) {
        return new BalancingConfig(policy, outlierDetection, Optional.of(other));
    }
}
