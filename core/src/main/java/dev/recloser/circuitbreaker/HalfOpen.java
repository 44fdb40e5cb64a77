package dev.recloser.circuitbreaker;

import dev.recloser.CallContext;
import dev.recloser.spi.Admittance;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The half-open state: which probes are running, and how many have succeeded. Immutable: a probe that starts or ends makes
 * another value of the same generation.
 */
final class HalfOpen extends State {

    /** The opening that this half-open follows, which is what makes its values one generation. */
    private final Open opening;

    private final List<Probe> running;
    private final int successes;

    private HalfOpen(long since, Journal.@Nullable Entry entry, Open opening, List<Probe> running, int successes) {
        super(since, entry);
        this.opening = opening;
        this.running = running;
        this.successes = successes;
    }

    static HalfOpen first(Probe probe, Open opening, long now) {
        return new HalfOpen(now, new Journal.Entry(), opening, List.of(probe), 0);
    }

    private HalfOpen with(List<Probe> nowRunning, int nowSuccesses) {
        return new HalfOpen(since, entry(), opening, nowRunning, nowSuccesses);
    }

    /** Without this probe, and perhaps with its success. */
    HalfOpen ended(Probe probe, boolean success) {
        List<Probe> others = new ArrayList<>(running);
        others.remove(probe);
        return with(List.copyOf(others), success ? successes + 1 : successes);
    }

    @Override
    CircuitState kind() {
        return CircuitState.HALF_OPEN;
    }

    @Override
    @Nullable
    Admittance admit(Breaker breaker, CallContext context) {
        long now = breaker.now();
        breaker.usage().at(now);
        List<Probe> alive = running.stream().filter(probe -> !probe.isLost(now)).toList();
        if (alive.size() >= breaker.options().probes()) {
            long rest = alive.get(0).restOfLease(now);
            return breaker.reject(context, rest, opening.cause());
        }
        Probe probe = new Probe(breaker, opening, now);
        List<Probe> next = new ArrayList<>(alive);
        next.add(probe);
        if (!breaker.move(this, with(List.copyOf(next), successes))) {
            return null;
        }
        breaker.probesLost(running.size() - alive.size());
        return probe.admit(context);
    }

    /** Whether the probe was let through in this half-open, running still or lost. */
    boolean issued(Probe probe) {
        return probe.belongsTo(opening);
    }

    Open opening() {
        return opening;
    }

    int successes() {
        return successes;
    }

    /** Whether another probe than this one is running within its lease. */
    boolean hasOther(Probe probe, long now) {
        return running.stream().anyMatch(other -> other != probe && !other.isLost(now));
    }

    /** How many probes are running within their lease. */
    int running(long now) {
        return (int) running.stream().filter(probe -> !probe.isLost(now)).count();
    }

    /** Whether the probe has its place still, and nobody noticed yet that it is lost. */
    boolean holds(Probe probe) {
        return running.contains(probe);
    }

    @Override
    Tally tally(long now) {
        return opening.tally(now);
    }

    @Override
    Tally slowTally(long now) {
        return opening.slowTally(now);
    }

    @Override
    int reopenings() {
        return opening.reopenings();
    }
}
