package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitState;
import java.util.Map;

/**
 * What happened to a cluster in a short time.
 *
 * @param nanos how long that time was
 * @param ok requests that the service answered, the slow ones left out
 * @param slow requests that the service answered, but slowly
 * @param failed requests that count against the service
 * @param ignored requests whose end says nothing about the service
 * @param rejected requests that the circuit kept from the service
 * @param failures those that failed, by reason
 * @param state the state of the circuit at the end
 */
record Slice(
        long nanos,
        long ok,
        long slow,
        long failed,
        long ignored,
        long rejected,
        Map<String, Long> failures,
        CircuitState state) {

    boolean isEmpty() {
        return ok + slow + failed + ignored + rejected == 0;
    }
}
