package dev.recloser.gateway.config;

import java.time.Duration;
import java.util.Optional;

/**
 * How the gateway asks the destinations of a cluster by itself whether they are well.
 *
 * @param path what it asks for, by {@code GET}, or by a call of gRPC; begins with {@code /}
 * @param grpcService the service that it asks after by the health checking protocol of gRPC, empty for all of them together; absent where it
 *     asks by {@code GET}
 * @param interval how much time is from the beginning of one check of a destination to that of the next
 * @param timeout how long a check may take, from its beginning to the headers of the answer
 * @param healthyAfter after so many good checks in a row an unhealthy destination is healthy again; at least 1
 * @param unhealthyAfter after so many bad checks in a row a healthy destination is unhealthy; at least 1
 * @param statuses which statuses are good
 * @param probesCircuit whether checks and not requests of clients probe an open circuit
 */
public record HealthCheckConfig(
        String path,
        Optional<String> grpcService,
        Duration interval,
        Duration timeout,
        int healthyAfter,
        int unhealthyAfter,
        Statuses statuses,
        boolean probesCircuit) {

    /** A check with the given path, and everything else as it is where nothing is configured. */
    public static HealthCheckConfig of(String path) {
        return of(path, Optional.empty());
    }

    /** A check by the health checking protocol of gRPC, and everything else as it is where nothing is configured. */
    public static HealthCheckConfig ofGrpc(String service) {
        return of("/grpc.health.v1.Health/Check", Optional.of(service));
    }

    private static HealthCheckConfig of(String path, Optional<String> grpcService) {
        return new HealthCheckConfig(
                path, grpcService, Duration.ofSeconds(5), Duration.ofSeconds(1), 2, 3, new Statuses(200, 299), false);
    }

    /**
     * A range of statuses.
     *
     * @param first from 200 to 599
     * @param last from the first to 599
     */
    public record Statuses(int first, int last) {

        /** Whether it is one of them. */
        public boolean contain(int status) {
            return first <= status && status <= last;
        }

        @Override
        public String toString() {
            return first == last ? String.valueOf(first) : first + "-" + last;
        }
    }
}
