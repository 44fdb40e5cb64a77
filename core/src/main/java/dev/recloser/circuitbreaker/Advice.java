package dev.recloser.circuitbreaker;

import dev.recloser.spi.SettingsCheck;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What settings cannot do, or hardly ever, at a stated rate of calls. */
final class Advice {

    /** As long as any time can be over which something is counted. */
    private static final int SECONDS_OF_A_DAY = 86_400;

    private Advice() {}

    static List<String> of(CircuitBreakerOptions<?> options, double callsPerSecond) {
        if (!(callsPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "the rate is " + callsPerSecond + " calls per second, must be more than 0");
        }
        List<String> advice = new ArrayList<>();
        FailureRule rule = options.failureRule();
        if (rule instanceof FailureRule.Ratio ratio) {
            adviseRatio("", ratio, callsPerSecond, advice);
        } else if (rule instanceof FailureRule.Count count) {
            adviseCount(count, callsPerSecond, advice);
        } else if (rule instanceof FailureRule.Consecutive consecutive) {
            adviseConsecutive(consecutive, callsPerSecond, advice);
        }
        options.slowCallRule().ifPresent(slow -> adviseRatio("slow calls: ", slow.asRatio(), callsPerSecond, advice));
        adviseProbes(options, callsPerSecond, advice);
        return List.copyOf(advice);
    }

    private static void adviseRatio(String what, FailureRule.Ratio rule, double rate, List<String> advice) {
        double calls = rate * seconds(rule.samplingDuration());
        // The window holds at least nine tenths of the sampling time.
        if (Math.max(1, calls * 0.9) < rule.minimumThroughput()) {
            advice.add(String.format(
                    Locale.ROOT,
                    "%s%s: at %s calls/s a samplingDuration of %s holds %s calls, and the minimumThroughput is %d;"
                            + " a minimumThroughput of at most %d%s would do",
                    what,
                    calls < rule.minimumThroughput() ? "never opens" : "hardly ever opens",
                    number(rate),
                    SettingsCheck.readable(rule.samplingDuration()),
                    number(calls),
                    rule.minimumThroughput(),
                    Math.max(1, (int) (calls / 2)),
                    orLonger("samplingDuration", 2 * rule.minimumThroughput() / rate)));
        } else if (rule.minimumThroughput() * rule.ratio() <= 1 && rule.minimumThroughput() > 1) {
            advice.add(String.format(
                    Locale.ROOT,
                    "%sopens at a single one: 1 of the %d calls of the minimumThroughput is a ratio of %s",
                    what,
                    rule.minimumThroughput(),
                    number(1.0 / rule.minimumThroughput())));
        }
    }

    private static void adviseCount(FailureRule.Count rule, double rate, List<String> advice) {
        double calls = rate * seconds(rule.within());
        if (calls < rule.failures()) {
            advice.add(String.format(
                    Locale.ROOT,
                    "never opens: at %s calls/s the last %s hold %s calls, and %d must fail;"
                            + " fewer failures%s would do",
                    number(rate),
                    SettingsCheck.readable(rule.within()),
                    number(calls),
                    rule.failures(),
                    orLonger("withinLast", 2 * rule.failures() / rate)));
        } else if (calls < rule.of()) {
            advice.add(String.format(
                    Locale.ROOT,
                    "looks at fewer outcomes than it says: only %s calls come within the last %s, not %d",
                    number(calls),
                    SettingsCheck.readable(rule.within()),
                    rule.of()));
        }
    }

    private static void adviseConsecutive(FailureRule.Consecutive rule, double rate, List<String> advice) {
        double seconds = rule.failures() / rate;
        if (seconds > 60) {
            advice.add(String.format(
                    Locale.ROOT,
                    "opens late: %d failures in a row take %s at %s calls/s",
                    rule.failures(),
                    atLeast(seconds),
                    number(rate)));
        }
    }

    private static void adviseProbes(CircuitBreakerOptions<?> options, double rate, List<String> advice) {
        double seconds = options.successesToClose() / rate;
        if (seconds > 60) {
            advice.add(String.format(
                    Locale.ROOT,
                    "closes late: %d must succeed as probes, and take at least %s to come at %s calls/s",
                    options.successesToClose(),
                    atLeast(seconds),
                    number(rate)));
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** Three digits, which is as exact as advice can be. */
    private static String number(double value) {
        return new BigDecimal(value, new MathContext(3)).stripTrailingZeros().toPlainString();
    }

    private static String orLonger(String setting, double seconds) {
        return seconds > SECONDS_OF_A_DAY ? "" : " or a " + setting + " of at least " + atLeast(seconds);
    }

    private static String atLeast(double seconds) {
        return SettingsCheck.readable(Duration.ofSeconds((long) Math.ceil(seconds)));
    }
}
