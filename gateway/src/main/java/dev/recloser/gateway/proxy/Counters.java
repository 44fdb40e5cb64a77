package dev.recloser.gateway.proxy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/**
 * What was counted since the start, and what there is now, of the requests to one cluster or of those that are for none. Each
 * event loop counts for itself; they are added up when somebody looks. Thread-safe.
 */
public final class Counters {

    private final List<Tally> tallies = new CopyOnWriteArrayList<>();

    Counters() {}

    /** What one more event loop counts. */
    Tally forLoop() {
        Tally tally = new Tally();
        tallies.add(tally);
        return tally;
    }

    /** How many event loops have counted. */
    int size() {
        return tallies.size();
    }

    private long sum(ToLongFunction<Tally> count) {
        long sum = 0;
        for (Tally tally : tallies) {
            sum += count.applyAsLong(tally);
        }
        return sum;
    }

    /** How many requests have ended so. */
    public long count(Ending ending) {
        long sum = 0;
        for (StatusClass status : StatusClass.values()) {
            sum += count(ending, status);
        }
        return sum;
    }

    /** How many requests have ended so, where the client got such a status. */
    public long count(Ending ending, StatusClass status) {
        return sum(tally -> tally.count(ending, status));
    }

    /** How many requests have ended in each way, by {@linkplain Ending#reason() reason}; ways that never happened are left out. */
    public Map<String, Long> byReason() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Ending ending : Ending.values()) {
            long count = count(ending);
            if (count > 0) {
                counts.put(ending.reason(), count);
            }
        }
        return counts;
    }

    /** How many requests have begun and not ended. */
    public long inFlight() {
        return sum(Tally::inFlight);
    }

    /** How many requests ended {@link Ending#OK ok} although the service took more than half of its timeout. */
    public long slow() {
        return sum(Tally::slowCount);
    }

    /** How many times a request went out once more because the cluster's settings say so. */
    public long retries() {
        return sum(Tally::retriedCount);
    }

    /** How many bytes of bodies were passed on to services, without the framing of chunks. */
    public long requestBytes() {
        return sum(Tally::requestBytes);
    }

    /** How many bytes of bodies were written to clients, without the framing of chunks; the gateway's own answers are among them. */
    public long responseBytes() {
        return sum(Tally::responseBytes);
    }

    /** How many connections to destinations were made. */
    public long upstreamConnected() {
        return sum(Tally::connectedCount);
    }

    /** How many attempts to connect to a destination were refused, failed otherwise, or took too long. */
    public long upstreamConnectFailed() {
        return sum(Tally::connectFailedCount);
    }

    /** How many times a request went out on a connection that had been used before. */
    public long upstreamReused() {
        return sum(Tally::reusedCount);
    }

    /** How many connections to destinations wait for their next request. */
    public long upstreamIdle() {
        return sum(Tally::idleCount);
    }

    /** How many connections to destinations serve a request. */
    public long upstreamInUse() {
        return sum(Tally::inUseCount);
    }
}
