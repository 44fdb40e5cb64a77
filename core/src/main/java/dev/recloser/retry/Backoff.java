package dev.recloser.retry;

import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before each retry.
 *
 * <p>Without jitter a delay is the base times a factor, up to the maximum. With jitter there are two ways:
 *
 * <p><b>Spread.</b> The delay is left to chance from 25 % below to 25 % above. This is for constant and linear backoff, and for
 * exponential backoff that grows slowly.
 *
 * <p><b>Decorrelated.</b> The delay before retry number {@code n}, from 0, is {@code base * (f(n + random) - f(before)) / 1.4}, where
 * {@code f(t) = multiplier^t * tanh(sqrt(4 t))} and {@code before} is the argument of the retry before. So the sum of the delays
 * follows a smooth curve, and callers that failed together do not come back in waves. This is "decorrelated jitter backoff V2", as
 * Polly has it, which knows the multiplier 2 only. The factor 1.4 brings the median of the first delays close to the base. Where the
 * multiplier is close to 1 the curve is nearly flat and the delays would vanish, which is why those are spread instead.
 *
 * <p>A delay with jitter that is beyond the maximum becomes one from half of the maximum to all of it, by the same random number: the
 * callers that reach it, which all do in a long outage, are still spread.
 *
 * @param growth how delays grow
 * @param base the first delay
 * @param multiplier with exponential growth, by how much each delay is longer than the one before
 * @param jitter whether the delays are left to chance
 * @param ownMaximum as long as a delay can be; null for the default
 */
record Backoff(
        Growth growth,
        Duration base,
        double multiplier,
        boolean jitter,
        @Nullable Duration ownMaximum) {

    static final Duration LONGEST = Duration.ofDays(1);

    private static final Duration DEFAULT_MAXIMUM = Duration.ofSeconds(30);

    /** From this multiplier on, exponential growth with jitter is decorrelated. */
    private static final double DECORRELATED_FROM = 1.5;

    private static final double DECORRELATED_SCALE = 1.4;
    private static final double SPREAD = .25;

    /** How delays grow. */
    enum Growth {
        CONSTANT("constantDelay"),
        LINEAR("linearBackoff"),
        EXPONENTIAL("exponentialBackoff");

        final String setting;

        Growth(String setting) {
            this.setting = setting;
        }
    }

    /** As long as a delay can be: by default 30 s, or twice the base if that is longer. */
    Duration maximum() {
        if (ownMaximum != null) {
            return ownMaximum;
        }
        Duration twice = base.multipliedBy(2);
        return twice.compareTo(DEFAULT_MAXIMUM) > 0 ? twice : DEFAULT_MAXIMUM;
    }

    double maximumNanos() {
        return (double) maximum().toNanos();
    }

    void check(SettingsCheck check) {
        check.range(growth.setting, base, Duration.ZERO, LONGEST)
                .require(
                        multiplier >= 1 && multiplier < Double.POSITIVE_INFINITY,
                        growth.setting + " factor",
                        multiplier,
                        "a finite number, at least 1");
        if (ownMaximum != null) {
            check.range("maxDelay", ownMaximum, Duration.ZERO, LONGEST)
                    .require(
                            ownMaximum.compareTo(base) >= 0,
                            "maxDelay",
                            SettingsCheck.readable(ownMaximum),
                            "at least the " + growth.setting + " of " + SettingsCheck.readable(base));
        }
    }

    void describe(Map<String, String> settings) {
        String times = growth == Growth.EXPONENTIAL ? " x " + multiplier : "";
        settings.put(growth.setting, SettingsCheck.readable(base) + times);
        settings.put("jitter", String.valueOf(jitter));
        settings.put("maxDelay", SettingsCheck.readable(maximum()));
    }

    boolean isDecorrelated() {
        return jitter && growth == Growth.EXPONENTIAL && multiplier >= DECORRELATED_FROM;
    }

    /** The delay before a retry, without jitter and without the maximum; infinite if it is too long for a number. */
    double grownNanos(int retry) {
        double factor = switch (growth) {
            case CONSTANT -> 1;
            case LINEAR -> retry + 1.0;
            case EXPONENTIAL -> Math.pow(multiplier, retry);
        };
        return scaled(factor);
    }

    /** The sum of the decorrelated delays up to a point in the sequence of retries; infinite if it is too long for a number. */
    double curveNanos(double t) {
        return scaled(Math.pow(multiplier, t) * Math.tanh(Math.sqrt(4 * t)) / DECORRELATED_SCALE);
    }

    /** No base makes no delay, however large the factor. */
    private double scaled(double factor) {
        return base.isZero() ? 0 : (double) base.toNanos() * factor;
    }

    /** Leaves a delay to chance, from 25 % below to 25 % above. */
    double spreadNanos(double nanos, double random) {
        return nanos * (1 - SPREAD + 2 * SPREAD * random);
    }

    /** Keeps a delay with jitter within the maximum. What is no number, infinity less infinity, is beyond it. */
    double cappedNanos(double nanos, double random) {
        double most = maximumNanos();
        return nanos <= most ? nanos : most / 2 + most / 2 * random;
    }

    /**
     * The longest that so many delays together can take. A decorrelated delay can be long only after short ones, so the sum of the
     * first n is bounded by the curve, beside each of them being bounded by the maximum.
     */
    long worstCaseNanos(int retries) {
        double most = maximumNanos();
        double total = 0;
        for (int retry = 0; retry < retries; retry++) {
            double before = total;
            total = Math.min(before + most, isDecorrelated() ? curveNanos(retry + 1.0) : before + longestNanos(retry));
            if (total - before >= most) {
                total += (retries - retry - 1) * most;
                break;
            }
        }
        // A cast from double saturates.
        return (long) total;
    }

    private double longestNanos(int retry) {
        return jitter ? spreadNanos(grownNanos(retry), 1) : grownNanos(retry);
    }
}
