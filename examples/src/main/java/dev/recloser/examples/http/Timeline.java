package dev.recloser.examples.http;

import dev.recloser.circuitbreaker.CircuitState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * What happened in a run.
 *
 * @param phases its phases
 * @param samples one after the other, without a gap
 * @param changes when the circuit went into another state, the first change first
 * @param mostInFlight attempts at a time, at most
 */
public record Timeline(List<Phase> phases, List<Sample> samples, List<Change> changes, int mostInFlight) {

    /** Keeps copies. */
    public Timeline {
        phases = List.copyOf(phases);
        samples = List.copyOf(samples);
        changes = List.copyOf(changes);
    }

    /**
     * The circuit has changed its state.
     *
     * @param atMillis when, in milliseconds from the start of the run
     * @param to the new state
     */
    public record Change(long atMillis, CircuitState to) {}

    /**
     * A phase with its place in the run.
     *
     * @param phase the phase
     * @param fromMillis when it began, in milliseconds from the start of the run
     * @param toMillis when it ended
     */
    public record Span(Phase phase, long fromMillis, long toMillis) {}

    /** The phases with their places in the run. */
    public List<Span> spans() {
        List<Span> spans = new ArrayList<>();
        long from = 0;
        for (Phase phase : phases) {
            long to = from + phase.length().toMillis();
            spans.add(new Span(phase, from, to));
            from = to;
        }
        return spans;
    }

    /** How long it took. */
    public Duration length() {
        return phases.stream().map(Phase::length).reduce(Duration.ZERO, Duration::plus);
    }

    /** When the circuit first went into a state, from a moment on and before another. */
    Optional<Long> firstChange(CircuitState to, long fromMillis, long beforeMillis) {
        return changes.stream()
                .filter(change -> change.to() == to)
                .map(Change::atMillis)
                .filter(at -> at >= fromMillis && at < beforeMillis)
                .findFirst();
    }

    /** How often the circuit went into a state, from a moment on and before another. */
    long changes(CircuitState to, long fromMillis, long beforeMillis) {
        return changes.stream()
                .filter(change -> change.to() == to)
                .filter(change -> change.atMillis() >= fromMillis && change.atMillis() < beforeMillis)
                .count();
    }

    /** The samples that lie within two moments as a whole. */
    List<Sample> within(long fromMillis, long toMillis) {
        return samples.stream()
                .filter(sample -> sample.fromMillis() >= fromMillis && sample.toMillis() <= toMillis)
                .toList();
    }

    /** A number, summed over the samples that lie within two moments as a whole. */
    long sum(long fromMillis, long toMillis, ToLongFunction<Sample> number) {
        return within(fromMillis, toMillis).stream().mapToLong(number).sum();
    }
}
