package dev.recloser.gateway.admin;

import dev.recloser.gateway.proxy.Ending;
import dev.recloser.gateway.proxy.Ending.Verdict;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was counted for a cluster since the start.
 *
 * @param requests how many requests have ended in each way, by reason
 * @param slow of those that the service answered, the slow ones
 */
record Totals(Map<String, Long> requests, long slow) {

    private static final Map<String, Verdict> VERDICTS =
            Stream.of(Ending.values()).collect(Collectors.toMap(Ending::reason, Ending::verdict));

    /** What has been added since an earlier look. */
    Added since(Totals earlier) {
        Map<Verdict, Long> sums = new EnumMap<>(Verdict.class);
        Map<String, Long> failures = new LinkedHashMap<>();
        requests.forEach((reason, count) -> {
            long added = count - earlier.requests.getOrDefault(reason, 0L);
            Verdict verdict = VERDICTS.getOrDefault(reason, Verdict.IGNORED);
            if (added > 0) {
                sums.merge(verdict, added, Long::sum);
            }
            if (added > 0 && verdict == Verdict.FAILURE) {
                failures.put(reason, added);
            }
        });
        long answered = sums.getOrDefault(Verdict.SUCCESS, 0L);
        // The two are counted one after the other, so a look between them may see one more slow one than answers.
        long slowAdded = Math.min(answered, slow - earlier.slow);
        return new Added(sums, slowAdded, Collections.unmodifiableMap(failures));
    }

    /**
     * What has been added between two looks.
     *
     * @param sums requests by what the breaker saw
     * @param slow of the successes, the slow ones
     * @param failures the failures by reason
     */
    record Added(Map<Verdict, Long> sums, long slow, Map<String, Long> failures) {

        long of(Verdict verdict) {
            return sums.getOrDefault(verdict, 0L);
        }
    }
}
