package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recloser.SettingsException;
import dev.recloser.SettingsException.Problem;
import dev.recloser.circuitbreaker.BreakGrowth;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.spi.JudgingBuilder;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of settings in docs/circuit-breaker.md say what the code does. */
class CircuitBreakerDocumentTest {

    private static final Duration NEVER = Duration.ofSeconds(-1);

    private final SettingsTable table = new SettingsTable("circuit-breaker.md", "setting");

    private String cell(String setting, String heading) {
        return table.cell(setting, heading).orElseThrow(() -> new AssertionError("no row for " + setting));
    }

    @Test
    void everySettingHasARow() {
        Stream<String> settings = Stream.<Class<?>>of(CircuitBreakerBuilder.class, JudgingBuilder.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> JudgingBuilder.class.isAssignableFrom(method.getReturnType()))
                .map(method -> method.getName())
                .distinct();
        assertThat(settings).isNotEmpty().isSubsetOf(table.settings());
    }

    @Test
    void everyRowIsASetting() {
        List<String> methods = Arrays.stream(CircuitBreakerBuilder.class.getMethods())
                .map(method -> method.getName())
                .toList();
        assertThat(table.settings()).isSubsetOf(methods);
    }

    @Test
    void defaultsAreThoseOfTheOptions() {
        Map<String, String> settings = new HashMap<>();
        settings.putAll(describe(cb -> cb.breakGrowth(BreakGrowth.LINEAR)));
        settings.putAll(describe(cb -> cb.openAfter(5, 10)));
        settings.putAll(describe(cb -> cb.slowCalls(Duration.ofSeconds(1), .5)));
        for (String setting : List.of(
                "failureRatio",
                "minimumThroughput",
                "samplingDuration",
                "withinLast",
                "slowCallMinimumThroughput",
                "slowCallSamplingDuration",
                "breakDuration",
                "breakGrowth",
                "maximumBreakDuration",
                "breakJitter",
                "probes",
                "successesToClose",
                "healthCheck",
                "rampUp",
                "observeOnly")) {
            assertThat(cell(setting, "default"))
                    .as(setting)
                    .isEqualTo(settings.get(setting).replaceFirst("\\.0$", ""));
        }
    }

    private static Map<String, String> describe(UnaryOperator<CircuitBreakerBuilder<Object>> settings) {
        return settings.apply(new CircuitBreakerBuilder<>()).build().describe();
    }

    @Test
    void defaultOfTheLeaseIsTheLongestOfThree() {
        assertThat(cell("probeLease", "default"))
                .isEqualTo("the longest of breakDuration, 1 s, and timeoutInside + 1 s");
        assertThat(lease(Duration.ofMillis(1), Duration.ZERO)).isEqualTo(Duration.ofSeconds(1));
        assertThat(lease(Duration.ofSeconds(5), Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(5));
        assertThat(lease(Duration.ofSeconds(5), Duration.ofSeconds(7))).isEqualTo(Duration.ofSeconds(8));
    }

    private static Duration lease(Duration breakDuration, Duration timeoutInside) {
        return new CircuitBreakerBuilder<>()
                .breakDuration(breakDuration)
                .timeoutInside(timeoutInside)
                .build()
                .probeLease();
    }

    @Test
    void rangesAreThoseThatAreChecked() {
        Map<String, String> allowed = new HashMap<>();
        allowed.putAll(allowed(cb -> cb.failureRatio(0).minimumThroughput(0).samplingDuration(NEVER)));
        allowed.putAll(allowed(cb -> cb.openAfter(0, 0).withinLast(NEVER)));
        allowed.putAll(allowed(cb -> cb.openAfterConsecutive(0)));
        allowed.putAll(allowed(cb -> cb.slowCalls(NEVER, 0)
                .slowCallMinimumThroughput(0)
                .slowCallSamplingDuration(NEVER)
                .breakDuration(NEVER)
                .breakJitter(2)
                .probes(0)
                .successesToClose(0)
                .probeLease(NEVER)
                .timeoutInside(NEVER)
                .rampUp(NEVER)));
        allowed.put("openAfter, failures", allowed.remove("openAfter failures").replace("to 1", "to ofLast"));
        allowed.put("openAfter, ofLast", allowed.remove("openAfter outcomes"));
        allowed.put("slowCalls, threshold", allowed.remove("slowCallThreshold"));
        allowed.put("slowCalls, ratio", allowed.remove("slowCallRatio"));
        assertThat(allowed).hasSize(18);
        allowed.forEach((setting, range) ->
                assertThat(cell(setting, "range")).as(setting).isEqualTo(range));
    }

    private static Map<String, String> allowed(UnaryOperator<CircuitBreakerBuilder<Object>> settings) {
        SettingsException refused = catchThrowableOfType(
                SettingsException.class,
                () -> settings.apply(new CircuitBreakerBuilder<>()).build());
        Map<String, String> allowed = new HashMap<>();
        for (Problem problem : refused.problems()) {
            allowed.put(problem.setting(), problem.allowed());
        }
        return allowed;
    }

    @Test
    void adviceIsQuotedAsItIs() {
        String advice = new CircuitBreakerBuilder<>()
                .failureRatio(.5)
                .minimumThroughput(20)
                .samplingDuration(Duration.ofSeconds(10))
                .build()
                .advise(1)
                .get(0);
        assertThat(SettingsTable.lines("circuit-breaker.md")).contains(advice);
    }
}
