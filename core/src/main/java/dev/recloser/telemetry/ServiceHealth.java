package dev.recloser.telemetry;

import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.circuitbreaker.CircuitState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Tells how the circuits of a service are, and whether the service should count as degraded because of them. For the endpoint that people and
 * dashboards ask; not for the one by which an orchestrator restarts processes, since a restart heals no dependency.
 *
 * <pre>{@code
 * ServiceHealth health = new ServiceHealth().critical(payments).informative(recommendations);
 * if (health.report().isDegraded()) { ... }
 * }</pre>
 *
 * <p>A service counts as degraded while a <em>critical</em> circuit is not closed; half-open ones have not healed yet. <em>Informative</em>
 * circuits stand in the report and change nothing. To look changes no circuit and costs a few snapshots. Thread-safe.
 */
public final class ServiceHealth {

    private final List<Source> sources = new CopyOnWriteArrayList<>();

    private record Source(Supplier<? extends Collection<CircuitBreaker>> circuits, boolean isCritical) {}

    /** Without circuits. */
    public ServiceHealth() {}

    /** The service is degraded while this circuit is not closed. */
    public ServiceHealth critical(CircuitBreaker circuit) {
        return add(List.of(circuit), true);
    }

    /** The same for all circuit breakers of a pipeline. */
    public ServiceHealth critical(Pipeline<?> pipeline) {
        return add(breakersOf(pipeline), true);
    }

    /** The same for all circuit breakers of pipelines that come and go, such as {@code () -> client.pipelines().values()}. */
    public ServiceHealth critical(Supplier<? extends Collection<? extends Pipeline<?>>> pipelines) {
        sources.add(new Source(() -> breakersOf(pipelines.get()), true));
        return this;
    }

    /** The same for all circuits of a store, those that come later included. */
    public ServiceHealth critical(CircuitBreakerStore store) {
        sources.add(new Source(store::circuits, true));
        return this;
    }

    /** This circuit is told of, and that is all. */
    public ServiceHealth informative(CircuitBreaker circuit) {
        return add(List.of(circuit), false);
    }

    /** The same for all circuit breakers of a pipeline. */
    public ServiceHealth informative(Pipeline<?> pipeline) {
        return add(breakersOf(pipeline), false);
    }

    /** The same for all circuit breakers of pipelines that come and go, such as {@code () -> client.pipelines().values()}. */
    public ServiceHealth informative(Supplier<? extends Collection<? extends Pipeline<?>>> pipelines) {
        sources.add(new Source(() -> breakersOf(pipelines.get()), false));
        return this;
    }

    /** The same for all circuits of a store, those that come later included. */
    public ServiceHealth informative(CircuitBreakerStore store) {
        sources.add(new Source(store::circuits, false));
        return this;
    }

    private ServiceHealth add(List<CircuitBreaker> circuits, boolean isCritical) {
        sources.add(new Source(() -> circuits, isCritical));
        return this;
    }

    private static List<CircuitBreaker> breakersOf(Pipeline<?> pipeline) {
        return Objects.requireNonNull(pipeline, "pipeline").strategies().stream()
                .filter(CircuitBreaker.class::isInstance)
                .map(CircuitBreaker.class::cast)
                .toList();
    }

    private static List<CircuitBreaker> breakersOf(Collection<? extends Pipeline<?>> pipelines) {
        return pipelines.stream()
                .flatMap(pipeline -> breakersOf(pipeline).stream())
                .toList();
    }

    /** How all circuits are at this moment; one that was added more than once stands there once, as critical if it ever was. */
    public HealthReport report() {
        List<HealthReport.Circuit> circuits = new ArrayList<>();
        Set<CircuitBreaker> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (boolean isCritical : new boolean[] {true, false}) {
            for (Source source : sources) {
                if (source.isCritical == isCritical) {
                    source.circuits.get().stream()
                            .filter(seen::add)
                            .map(circuit -> look(circuit, isCritical))
                            .forEach(circuits::add);
                }
            }
        }
        boolean degraded =
                circuits.stream().anyMatch(circuit -> circuit.critical() && circuit.state() != CircuitState.CLOSED);
        return new HealthReport(degraded, circuits);
    }

    private static HealthReport.Circuit look(CircuitBreaker circuit, boolean isCritical) {
        CircuitSnapshot snapshot = circuit.snapshot();
        return new HealthReport.Circuit(
                snapshot.name(),
                snapshot.state(),
                isCritical,
                snapshot.timeInState(),
                snapshot.failureRatio(),
                snapshot.nextProbe());
    }
}
