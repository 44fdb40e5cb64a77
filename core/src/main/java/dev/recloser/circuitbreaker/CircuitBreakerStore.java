package dev.recloser.circuitbreaker;

import dev.recloser.Registration;
import dev.recloser.spi.Bindings;
import dev.recloser.time.TimeSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Circuit breakers by the name of the service that they guard, so that all code of a process that calls it shares one circuit.
 *
 * <p>A store holds a bounded number of circuits. When another one would exceed the bound, the least recently used goes: of those that
 * are closed if there are any, since a circuit that is open knows something that would be forgotten with it. Whoever holds a circuit
 * that has gone can go on using it, and by that it returns, unless there is another for the same service by then.
 *
 * <p>Thread-safe. Calls do not touch the store, except for one in a while that notices that its circuit is still in use.
 */
public final class CircuitBreakerStore {

    /** How many circuits the process-wide store holds. */
    public static final int SHARED_CAPACITY = 1000;

    private static final CircuitBreakerStore SHARED = new CircuitBreakerStore(SHARED_CAPACITY, TimeSource.system());

    private final int capacity;
    private final TimeSource time;
    private final Map<String, CircuitBreaker> circuits = new ConcurrentHashMap<>();
    private final Bindings<CircuitBreaker> bindings = new Bindings<>(circuits::values);

    /**
     * A store of one's own.
     *
     * @param capacity how many circuits it holds, at least 1
     * @param time the time by which its circuits go
     */
    public CircuitBreakerStore(int capacity, TimeSource time) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity is " + capacity + ", must be at least 1");
        }
        this.capacity = capacity;
        this.time = time;
    }

    /** The store of this process, from which {@link CircuitBreaker#forService} takes its circuits. */
    public static CircuitBreakerStore shared() {
        return SHARED;
    }

    /** Begins to describe the circuit for a service. */
    public ServiceCircuitBuilder forService(String service) {
        return new ServiceCircuitBuilder(this, Objects.requireNonNull(service, "service"));
    }

    /**
     * The circuit for a service, made if there is none.
     *
     * @throws IllegalStateException if there is one with other settings; it names those that differ. Functions are compared by the
     *     names that they were given, if any.
     */
    public CircuitBreaker get(String service, CircuitBreakerOptions<Object> options) {
        CircuitBreaker circuit = circuits.get(service);
        if (circuit == null) {
            circuit = make(service, options);
            bindings.changed();
        }
        requireSame(service, circuit.firstOptions(), options);
        circuit.usage().at(time.nanoTime());
        return circuit;
    }

    private synchronized CircuitBreaker make(String service, CircuitBreakerOptions<Object> options) {
        CircuitBreaker present = circuits.get(service);
        if (present != null) {
            return present;
        }
        CircuitBreaker made = CircuitBreaker.of(service, options, time);
        made.usage().whenNoticed(() -> restore(made));
        makeRoom();
        circuits.put(service, made);
        return made;
    }

    /** Called now and then by a circuit that is in use. */
    private void restore(CircuitBreaker circuit) {
        if (!circuits.containsKey(circuit.name())) {
            putBack(circuit);
            bindings.changed();
        }
    }

    /** Not in the place of one that is in use just now: with more services in use than fit, they would only drive each other out. */
    private synchronized void putBack(CircuitBreaker circuit) {
        boolean fits =
                circuits.size() < capacity || !leastRecentlyUsed().usage().isRecent(time.nanoTime());
        if (fits && !circuit.usage().isRetired() && !circuits.containsKey(circuit.name())) {
            makeRoom();
            circuits.put(circuit.name(), circuit);
        }
    }

    private void makeRoom() {
        while (circuits.size() >= capacity) {
            CircuitBreaker goes = leastRecentlyUsed();
            circuits.remove(goes.name());
            goes.usage().noticeNext(time.nanoTime());
        }
    }

    private CircuitBreaker leastRecentlyUsed() {
        long now = time.nanoTime();
        Comparator<CircuitBreaker> closedFirst =
                Comparator.comparing(circuit -> circuit.state() != CircuitState.CLOSED);
        Comparator<CircuitBreaker> longestUnusedFirst = Comparator.<CircuitBreaker>comparingLong(
                        circuit -> now - circuit.usage().last())
                .reversed();
        return circuits.values().stream()
                .min(closedFirst.thenComparing(longestUnusedFirst))
                .orElseThrow();
    }

    private static void requireSame(String service, CircuitBreakerOptions<?> present, CircuitBreakerOptions<?> asked) {
        Map<String, String> is = present.describe();
        Map<String, String> wanted = asked.describe();
        TreeSet<String> names = new TreeSet<>(is.keySet());
        names.addAll(wanted.keySet());
        List<String> differences = names.stream()
                .filter(name -> !Objects.equals(is.get(name), wanted.get(name)))
                .map(name -> name + " is " + orNone(is.get(name)) + ", asked for was " + orNone(wanted.get(name)))
                .toList();
        if (!differences.isEmpty()) {
            throw new IllegalStateException(
                    "the circuit for " + service + " exists with other settings: " + String.join("; ", differences));
        }
    }

    private static String orNone(@Nullable String value) {
        return value == null ? "not set" : value;
    }

    /** The circuit for a service, if it has one. */
    public Optional<CircuitBreaker> find(String service) {
        return Optional.ofNullable(circuits.get(service));
    }

    /** The state of the circuit for a service; empty if it has none, in which case none is made. */
    public Optional<CircuitState> state(String service) {
        return find(service).map(CircuitBreaker::state);
    }

    /** All circuits at this moment. */
    public Collection<CircuitBreaker> circuits() {
        return List.copyOf(circuits.values());
    }

    /**
     * Removes the circuit for a service. Whoever holds it can go on using it, but it does not return.
     *
     * @return whether there was one
     */
    public boolean remove(String service) {
        CircuitBreaker removed = takeOut(service);
        bindings.changed();
        return removed != null;
    }

    private synchronized @Nullable CircuitBreaker takeOut(String service) {
        CircuitBreaker removed = circuits.remove(service);
        if (removed != null) {
            removed.usage().retire();
        }
        return removed;
    }

    /**
     * Does something for each circuit that is in the store or comes into it, such as adding a listener or making meters, and takes it back when
     * the circuit goes.
     *
     * @param bind called once for each; what it returns is removed when the circuit has left the store
     * @return ends that, and removes all that it has returned
     */
    public Registration forEachCircuit(Function<? super CircuitBreaker, ? extends Registration> bind) {
        return bindings.add(bind);
    }
}
