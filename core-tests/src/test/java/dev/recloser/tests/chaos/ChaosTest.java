package dev.recloser.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.OutcomeClass;
import dev.recloser.Pipeline;
import dev.recloser.SettingsException;
import dev.recloser.chaos.Chaos;
import dev.recloser.chaos.ChaosBuilder;
import dev.recloser.chaos.ChaosSnapshot;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Reservation;
import dev.recloser.spi.Substitute;
import dev.recloser.spi.Ticket;
import dev.recloser.testing.CallMode;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done to which calls. */
class ChaosTest {

    private static final CallContext CONTEXT = CallContext.named("p");
    private static final Duration DELAY = Duration.ofSeconds(2);

    /** A fault at 0.1, then an outcome at 0.2, then latency at 0.3. */
    private static void all(ChaosBuilder<Object> chaos) {
        chaos.fault(.1, IOException::new).outcome(.2, () -> "odd").latency(.3, DELAY);
    }

    private static Admittance drawing(double number, Consumer<ChaosBuilder<Object>> settings) {
        Chaos chaos = Chaos.of("chaos", c -> settings.accept(c.random(() -> number)));
        chaos.enable();
        return chaos.acquire(CONTEXT);
    }

    @Test
    void oneNumberDecidesWhatHappensToACall() {
        assertThat(drawing(0, ChaosTest::all))
                .isInstanceOfSatisfying(
                        Substitute.class, fault -> assertThat(fault.error()).isInstanceOf(IOException.class));
        assertThat(drawing(.0999, ChaosTest::all)).isInstanceOf(Substitute.class);
        assertThat(drawing(.1, ChaosTest::all)).isEqualTo(new Substitute("odd", null));
        assertThat(drawing(.2999, ChaosTest::all)).isEqualTo(new Substitute("odd", null));
        assertThat(drawing(.31, ChaosTest::all)).isInstanceOfSatisfying(Reservation.class, latency -> {
            assertThat(latency.waitNanos()).isEqualTo(DELAY.toNanos());
            assertThat(latency.isPartOfCall()).isTrue();
            assertThat(latency.isProbe()).isFalse();
            latency.settle(OutcomeClass.SUCCESS, "value", null);
            latency.unused();
        });
        assertThat(drawing(.61, ChaosTest::all)).isInstanceOf(Ticket.class).isNotInstanceOf(Reservation.class);
    }

    @Test
    void ratesAreKept() {
        Random random = new Random(5);
        Chaos chaos = Chaos.of("chaos", c -> all(c.random(random::nextDouble)));
        chaos.enable();
        for (int i = 0; i < 100_000; i++) {
            chaos.acquire(CONTEXT);
        }
        ChaosSnapshot done = chaos.snapshot();
        assertThat(done.faults()).isBetween(9_500L, 10_500L);
        assertThat(done.outcomes()).isBetween(19_500L, 20_500L);
        assertThat(done.delayed()).isBetween(29_500L, 30_500L);
    }

    @Test
    void rateOfOneIsEveryCallAndOfZeroNone() {
        assertThat(drawing(Math.nextDown(1.0), c -> c.fault(1, IOException::new)))
                .isInstanceOf(Substitute.class);
        assertThat(drawing(0, c -> c.fault(0, IOException::new))).isInstanceOf(Ticket.class);
    }

    @Test
    void itIsOffUnlessSwitchedOn() {
        Chaos chaos = Chaos.of("chaos", c -> c.fault(1, IOException::new));
        Admittance untouched = chaos.acquire(CONTEXT);
        assertThat(chaos.isEnabled()).isFalse();
        assertThat(untouched).isInstanceOf(Ticket.class).isSameAs(chaos.acquire(CONTEXT));
        ((Ticket) untouched).settle(OutcomeClass.FAILURE, null, new IOException());
        ((Ticket) untouched).unused();
        chaos.enable();
        assertThat(chaos.isEnabled()).isTrue();
        assertThat(chaos.acquire(CONTEXT)).isInstanceOf(Substitute.class);
        chaos.disable();
        assertThat(chaos.acquire(CONTEXT)).isSameAs(untouched);
        assertThat(chaos.snapshot()).isEqualTo(new ChaosSnapshot("chaos", 0, 1, 0));
    }

    @Test
    void whatIsSwitchedByHandBeatsTheCondition() {
        AtomicBoolean condition = new AtomicBoolean();
        Chaos chaos = Chaos.of("chaos", c -> c.fault(1, IOException::new).enabledWhen(condition::get));
        assertThat(chaos.isEnabled()).isFalse();
        condition.set(true);
        assertThat(chaos.isEnabled()).isTrue();
        assertThat(chaos.acquire(CONTEXT)).isInstanceOf(Substitute.class);
        chaos.disable();
        assertThat(chaos.isEnabled()).isFalse();
        condition.set(false);
        chaos.enable();
        assertThat(chaos.isEnabled()).isTrue();
    }

    @Test
    void conditionThatThrowsCountsAsOff() {
        Chaos chaos = Chaos.of(
                "chaos",
                c -> c.fault(1, IOException::new).enabledWhen(() -> {
                    throw new IllegalStateException("a bug");
                }));
        assertThat(chaos.isEnabled()).isFalse();
        assertThat(chaos.acquire(CONTEXT)).isInstanceOf(Ticket.class);
    }

    @Test
    void sourceOfRandomNumbersThatThrowsLeavesTheCallAlone() {
        Chaos chaos = Chaos.of(
                "chaos",
                c -> c.fault(1, IOException::new).random(() -> {
                    throw new IllegalStateException("a bug");
                }));
        chaos.enable();
        assertThat(chaos.acquire(CONTEXT)).isInstanceOf(Ticket.class);
        assertThat(chaos.snapshot()).isEqualTo(new ChaosSnapshot("chaos", 0, 0, 0));
    }

    @Test
    void whatASupplierThrowsIsTheFault() {
        IllegalStateException thrown = new IllegalStateException();
        assertThat(drawing(
                        0,
                        c -> c.fault(1, () -> {
                            throw thrown;
                        })))
                .isEqualTo(new Substitute(null, thrown));
        assertThat(drawing(
                        0,
                        c -> c.outcome(1, () -> {
                            throw thrown;
                        })))
                .isEqualTo(new Substitute(null, thrown));
        assertThat(drawing(0, c -> c.fault(1, () -> null)))
                .isInstanceOfSatisfying(
                        Substitute.class, fault -> assertThat(fault.error()).isInstanceOf(NullPointerException.class));
        assertThat(drawing(0, c -> c.outcome(1, () -> null))).isEqualTo(new Substitute(null, null));
    }

    @Test
    void everythingWrongIsSaidAtOnce() {
        assertThatThrownBy(() -> Chaos.of(
                        "chaos",
                        c -> c.latency(-.1, Duration.ZERO)
                                .fault(1.5, IOException::new)
                                .outcome(Double.NaN, () -> "odd")))
                .isInstanceOf(SettingsException.class)
                .hasMessage("latency rate is -0.1, must be from 0 to 1;"
                        + " latency delay is 0 s, must be from 1 ns to 1 d;"
                        + " fault rate is 1.5, must be from 0 to 1;"
                        + " outcome rate is NaN, must be from 0 to 1");
        assertThatThrownBy(() -> Chaos.of("chaos", c -> c.enabledWhen(() -> true)))
                .isInstanceOf(SettingsException.class)
                .hasMessage("latency or fault or outcome is not set, must be set");
        assertThatThrownBy(() -> Chaos.of(
                        "chaos",
                        c -> c.latency(.5, DELAY).fault(.5, IOException::new).outcome(.1, () -> "odd")))
                .isInstanceOf(SettingsException.class)
                .hasMessage("sum of rates is 1.1, must be at most 1");
    }

    @Test
    void ratesThatAddUpToOneAreAllowed() {
        Chaos chaos = Chaos.of(
                "chaos", c -> c.latency(.7, DELAY).fault(.2, IOException::new).outcome(.1, () -> "odd"));
        assertThat(chaos)
                .hasToString("chaos (latency 2 s at a rate of 0.7, fault at a rate of 0.2,"
                        + " outcome at a rate of 0.1, enabledWhen by hand)");
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.testing.CallMode#available")
    void callsPassUntouchedWhileItIsOff(CallMode mode) {
        Chaos chaos = Chaos.of("chaos", ChaosTest::all);
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .strategy(chaos, Classifier.<String>defaults())
                .build();
        assertThat(mode.start(pipeline).succeed("fine").value()).isEqualTo("fine");
        assertThat(chaos.snapshot()).isEqualTo(new ChaosSnapshot("chaos", 0, 0, 0));
    }
}
