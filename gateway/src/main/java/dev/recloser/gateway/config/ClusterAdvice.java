package dev.recloser.gateway.config;

import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.FailureRule;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;

/** Says what is unwise about a cluster: settings that work, but hardly as they were meant. */
final class ClusterAdvice {

    private final Findings findings;
    private final Node cluster;
    private final Section settings;
    private final Optional<Section> breaker;

    ClusterAdvice(Findings findings, Node cluster, Section settings, Optional<Section> breaker) {
        this.findings = findings;
        this.cluster = cluster;
        this.settings = settings;
        this.breaker = breaker;
    }

    void give(ClusterConfig config) {
        CircuitBreakerOptions<Object> options = config.circuitBreaker();
        if (options.failureRule() instanceof FailureRule.Ratio rule) {
            singleFailure(rule);
            shortSampling(rule.samplingDuration(), config.timeout());
        }
        config.totalTimeout().ifPresent(total -> shortTotal(total, config));
        shortBreak(options.breakDuration(), config.timeout());
        shortLease(options.probeLease(), config.timeout());
        if (config.destinations().size() == 1) {
            needless(BalancingReader.POLICY);
            needless(OutlierDetectionReader.NAME);
        }
    }

    /** What chooses among destinations, where there is nothing to choose. */
    private void needless(String key) {
        settings.optional(key)
                .ifPresent(entry -> findings.warning(
                        entry.keyNode(),
                        key + " does nothing with a single destination; add another destination or leave it out"));
    }

    private void singleFailure(FailureRule.Ratio rule) {
        int calls = rule.minimumThroughput();
        if (1.0 / calls >= rule.ratio()) {
            int needed = (int) Math.floor(2 / rule.ratio());
            findings.warning(
                    place("minimum-throughput", "failure-ratio"),
                    "one failed call opens the circuit: with minimum-throughput " + calls + " it is a ratio of "
                            + shortened(1.0 / calls) + ", and failure-ratio is " + shortened(rule.ratio())
                            + "; use a minimum-throughput of " + needed + " or more");
        }
    }

    private void shortSampling(Duration sampling, Duration timeout) {
        if (sampling.compareTo(timeout.multipliedBy(2)) < 0) {
            findings.warning(
                    place("sampling-duration", "timeout"),
                    "sampling-duration " + Durations.write(sampling) + " is shorter than twice the timeout of "
                            + Durations.write(timeout)
                            + ": calls that time out leave the window before enough of them are counted; use "
                            + Durations.write(timeout.multipliedBy(2)) + " or more");
        }
    }

    private void shortTotal(Duration total, ClusterConfig config) {
        int attempts = 1 + config.retry().maxRetries();
        Duration needed = config.timeout().multipliedBy(attempts).plus(config.connectTimeout());
        if (total.compareTo(needed) < 0) {
            findings.warning(
                    place("total-timeout"),
                    "total-timeout " + Durations.write(total) + " is shorter than "
                            + (attempts == 1 ? "the timeout" : attempts + " attempts with the timeout") + " of "
                            + Durations.write(config.timeout()) + " and the connect-timeout of "
                            + Durations.write(config.connectTimeout())
                            + ": it cuts what these allow; use " + Durations.write(needed) + " or more");
        }
    }

    private void shortBreak(Duration pause, Duration timeout) {
        if (pause.compareTo(timeout) < 0) {
            findings.warning(
                    place("break-duration", "timeout"),
                    "break-duration " + Durations.write(pause) + " is shorter than the timeout of "
                            + Durations.write(timeout)
                            + ": a service that hangs has a probe hanging in it most of the time; use "
                            + Durations.write(timeout) + " or more");
        }
    }

    private void shortLease(Duration lease, Duration timeout) {
        if (lease.compareTo(timeout) < 0) {
            findings.warning(
                    place("probe-lease", "timeout"),
                    "probe-lease " + Durations.write(lease) + " is shorter than the timeout of "
                            + Durations.write(timeout)
                            + ": probes are given up while their answer can still come; leave it out or use more than the timeout");
        }
    }

    /** Where the first of these keys stands, in the breaker's section or the cluster's. */
    private Node place(String... keys) {
        for (String key : keys) {
            Optional<Node> found = breaker.flatMap(section -> section.optional(key))
                    .or(() -> settings.optional(key))
                    .map(Section.Entry::value);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return cluster;
    }

    private static String shortened(double ratio) {
        return BigDecimal.valueOf(ratio)
                .setScale(3, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
