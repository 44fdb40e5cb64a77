package dev.recloser.gateway.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What clients have sent and seen: each request ends once, by one of the gateway's reasons or as {@link #CUT} or {@link #UNREAD}. Thread-safe. */
final class Ledger {

    /** An answer that breaks off. */
    static final String CUT = "cut";

    /** The connection was closed before the first byte of an answer. */
    static final String UNREAD = "unread";

    private static final Pattern REASON = Pattern.compile("\"reason\":\"([a-z0-9-]+)\"");

    private final AtomicLong ids = new AtomicLong();
    private final LongAdder sent = new LongAdder();
    private final Map<String, Map<String, LongAdder>> endings = new ConcurrentHashMap<>();

    /** The id of one more request. */
    String send() {
        sent.increment();
        return "id-" + ids.incrementAndGet();
    }

    /** A body of this size or a little more, which says whose it is at its begin and at its end. */
    static String body(String id, int size) {
        String filler = id + ".";
        return filler.repeat(Math.max(2, size / filler.length()));
    }

    /** What a whole answer says: the gateway's reason, or ok, if it is the answer to this request. */
    static String reason(String cluster, int status, String answer, String expected) {
        if (status == 200) {
            if (!answer.equals(expected)) {
                throw new AssertionError("crossed: " + start(answer) + " instead of " + start(expected));
            }
            return "ok";
        }
        Matcher reason = REASON.matcher(answer);
        if (!reason.find() || !answer.contains("\"cluster\":\"" + cluster + "\"")) {
            throw new AssertionError("an answer that is nobody's: " + status + " " + start(answer));
        }
        return reason.group(1);
    }

    private static String start(String text) {
        return text.length() + " bytes " + text.substring(0, Math.min(200, text.length()));
    }

    String end(String cluster, String ending) {
        endings.computeIfAbsent(cluster, name -> new ConcurrentHashMap<>())
                .computeIfAbsent(ending, name -> new LongAdder())
                .increment();
        return ending;
    }

    long sent() {
        return sent.sum();
    }

    /** How many requests have ended in each way. */
    Map<String, Long> of(String cluster) {
        Map<String, Long> counts = new TreeMap<>();
        endings.getOrDefault(cluster, Map.of()).forEach((ending, count) -> counts.put(ending, count.sum()));
        return counts;
    }

    /** The same of all clusters. */
    Map<String, Long> all() {
        Map<String, Long> counts = new TreeMap<>();
        for (String cluster : endings.keySet()) {
            of(cluster).forEach((ending, count) -> counts.merge(ending, count, Long::sum));
        }
        return counts;
    }

    /** How many requests have ended in each way since these were counted. */
    Map<String, Long> since(Map<String, Long> before, String cluster) {
        Map<String, Long> counts = of(cluster);
        before.forEach((ending, count) ->
                counts.computeIfPresent(ending, (same, now) -> now.equals(count) ? null : Long.valueOf(now - count)));
        return counts;
    }
}
