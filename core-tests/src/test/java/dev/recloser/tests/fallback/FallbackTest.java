package dev.recloser.tests.fallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.RejectedException;
import dev.recloser.SettingsException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.fallback.Fallback;
import dev.recloser.fallback.FallbackSnapshot;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a fallback replaces, and by what. */
class FallbackTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();

    private Pipeline<String> around(Fallback fallback) {
        return Pipeline.<String>named("p")
                .time(time)
                .strategy(fallback, fallback.classifier())
                .circuitBreaker(cb -> cb.observeOnly(false))
                .timeout(Duration.ofSeconds(1))
                .build();
    }

    private static CircuitBreaker breakerOf(Pipeline<String> pipeline) {
        return pipeline.strategy(CircuitBreaker.class).orElseThrow();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void valueTakesThePlaceOfAFailure(CallMode mode) {
        Fallback fallback = Fallback.of("price", f -> f.value("unknown"));
        Pipeline<String> pipeline = around(fallback);
        assertThat(mode.start(pipeline).fail(new IOException()).value()).isEqualTo("unknown");
        assertThat(mode.start(pipeline).succeed("fine").value()).isEqualTo("fine");
        assertThat(fallback.snapshot().replaced()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void nullIsAValueToGive(CallMode mode) {
        OngoingCall<String> call = mode.start(around(Fallback.of("price", f -> f.value(null))));
        assertThat(call.fail(new IOException()).error()).isNull();
        assertThat(call.value()).isNull();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void rejectionIsReplacedIfItsClassIsNamed(CallMode mode) {
        Fallback fallback =
                Fallback.of("price", f -> f.handle(CircuitOpenException.class).value("unknown"));
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(fallback, fallback.classifier())
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .build();
        IOException failure = new IOException();
        assertThat(mode.start(pipeline).fail(failure).error())
                .as("it is not named")
                .isSameAs(failure);
        assertThat(mode.start(pipeline).value()).isEqualTo("unknown");
        assertThat(fallback.snapshot().replaced()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutIsNotReplacedIfOtherExceptionsAreNamed(CallMode mode) {
        Pipeline<String> pipeline = around(
                Fallback.of("price", f -> f.handle(CircuitOpenException.class).value("unknown")));
        OngoingCall<String> call = mode.start(pipeline);
        time.advance(Duration.ofSeconds(1));
        assertThat(call.error()).isInstanceOf(TimedOutException.class);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void familyOfRejectionsCoversAllOfThemAndTimeouts(CallMode mode) {
        Pipeline<String> pipeline = around(
                Fallback.of("price", f -> f.handle(RejectedException.class).value("unknown")));
        OngoingCall<String> call = mode.start(pipeline);
        time.advance(Duration.ofSeconds(1));
        assertThat(call.value()).isEqualTo("unknown");
        breakerOf(pipeline).isolate();
        assertThat(mode.start(pipeline).value()).isEqualTo("unknown");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void ifNothingIsNamedFailuresAreReplacedAndNothingElse(CallMode mode) {
        Fallback fallback = Fallback.of("price", f -> f.value("unknown"));
        Pipeline<String> pipeline = around(fallback);
        OngoingCall<String> late = mode.start(pipeline);
        time.advance(Duration.ofSeconds(1));
        assertThat(late.value()).isEqualTo("unknown");
        for (Throwable ignored :
                new Throwable[] {new AssertionError(), new InterruptedException(), new CancellationException()}) {
            assertThat(mode.start(pipeline).fail(ignored).error()).isSameAs(ignored);
        }
        breakerOf(pipeline).isolate();
        assertThat(mode.start(pipeline).error()).isInstanceOf(RejectedException.class);
        assertThat(fallback.snapshot().replaced()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void exceptionsAreNotReplacedIfOnlyResultsAreNamed(CallMode mode) {
        Fallback fallback = Fallback.of("price", f -> f.handleResult(""::equals).value("unknown"));
        assertThat(mode.start(around(fallback)).succeed("").value()).isEqualTo("unknown");
        IOException failure = new IOException();
        assertThat(mode.start(around(fallback)).fail(failure).error()).isSameAs(failure);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void functionSeesTheFailure(CallMode mode) {
        Fallback fallback = Fallback.of(
                "price",
                f -> f.handle(IOException.class)
                        .handleResult(""::equals)
                        .valueFrom((value, error) ->
                                "instead of " + (error == null ? "'" + value + "'" : error.getMessage())));
        assertThat(mode.start(around(fallback)).fail(new IOException("broken")).value())
                .isEqualTo("instead of broken");
        assertThat(mode.start(around(fallback)).succeed("").value()).isEqualTo("instead of ''");
        assertThat(fallback.snapshot().replaced()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void whatTheFunctionThrowsIsTheOutcomeAndLeavesTheFailureAsItWas(CallMode mode) {
        IOException failure = new IOException();
        IllegalStateException thrown = new IllegalStateException();
        Fallback fallback = Fallback.of(
                "price",
                f -> f.valueFrom((value, error) -> {
                    throw thrown;
                }));
        assertThat(mode.start(around(fallback)).fail(failure).error())
                .isSameAs(thrown)
                .hasNoCause()
                .hasNoSuppressedExceptions();
        assertThat(failure).hasNoSuppressedExceptions();
        assertThat(fallback.snapshot().replaced()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void functionCanLetTheFailureStand(CallMode mode) {
        Fallback fallback = Fallback.of(
                "price",
                f -> f.valueFrom((value, error) -> {
                    if (error instanceof FileNotFoundException notFound) {
                        throw notFound;
                    }
                    return "unknown";
                }));
        FileNotFoundException failure = new FileNotFoundException();
        assertThat(mode.start(around(fallback)).fail(failure).error()).isSameAs(failure);
        assertThat(mode.start(around(fallback)).fail(new IOException()).value()).isEqualTo("unknown");
        assertThat(fallback.snapshot().replaced()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void exceptionOfTheDomainTakesThePlaceOfAFailure(CallMode mode) {
        Fallback fallback =
                Fallback.of("price", f -> f.errorFrom((value, error) -> new IllegalStateException("no price", error)));
        IOException failure = new IOException();
        assertThat(mode.start(around(fallback)).fail(failure).error())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no price")
                .hasCause(failure);
        assertThat(fallback.snapshot().replaced()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void errorFunctionMayGiveTheFailureItselfButNotNull(CallMode mode) {
        Fallback same = Fallback.of("price", f -> f.errorFrom((value, error) -> error));
        IOException failure = new IOException();
        assertThat(mode.start(around(same)).fail(failure).error()).isSameAs(failure);
        assertThat(same.snapshot().replaced()).isZero();
        Fallback nothing = Fallback.of("price", f -> f.errorFrom((value, error) -> null));
        assertThat(mode.start(around(nothing)).fail(failure).error()).isInstanceOf(NullPointerException.class);
    }

    @Test
    void fallbackMustBeToldWhatToGiveOnce() {
        assertThatThrownBy(() -> Fallback.of("price", f -> f.handle(IOException.class)))
                .isInstanceOf(SettingsException.class)
                .hasMessage("value or valueFrom or errorFrom is not set, must be set");
        assertThatThrownBy(() -> Fallback.of("price", f -> f.value("a").valueFrom((value, error) -> "b")))
                .isInstanceOf(SettingsException.class)
                .hasMessage("value and valueFrom is set together, must be only one of them");
        assertThat(Fallback.of("price", f -> f.value("a").value("b")).snapshot())
                .isEqualTo(new FallbackSnapshot("price", 0));
    }

    @Test
    void fallbackSaysWhatItDoes() {
        Fallback fallback =
                Fallback.of("price", f -> f.handle(CircuitOpenException.class).value("unknown"));
        assertThat(fallback)
                .hasToString("fallback price (gives value,"
                        + " failuresAre failures: dev.recloser.CircuitOpenException; only what is named)");
        assertThat(fallback.name()).isEqualTo("price");
        assertThat(fallback.settings()).containsEntry("gives", "value").containsKey("failuresAre");
    }
}
