package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Finding.Severity;
import java.util.List;
import java.util.Optional;

/**
 * What became of a configuration file.
 *
 * @param config the configuration; empty if anything is wrong with it
 * @param findings everything that is wrong or unwise, in the order of the file
 */
public record CheckedConfig(Optional<GatewayConfig> config, List<Finding> findings) {

    /** A result with a copy of the list. */
    public CheckedConfig {
        findings = List.copyOf(findings);
    }

    /** What is wrong. */
    public List<Finding> errors() {
        return of(Severity.ERROR);
    }

    /** What is unwise. */
    public List<Finding> warnings() {
        return of(Severity.WARNING);
    }

    private List<Finding> of(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .toList();
    }
}
