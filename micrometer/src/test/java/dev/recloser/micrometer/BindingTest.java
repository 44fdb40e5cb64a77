package dev.recloser.micrometer;

import static dev.recloser.micrometer.RecloserMeter.EVENTS;
import static dev.recloser.micrometer.RecloserMeter.PIPELINE_DURATION;
import static dev.recloser.micrometer.RecloserMeter.REJECTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.SettingsException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import dev.recloser.timeout.Timeout;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is bound how often, and what is left when it is removed. */
class BindingTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecloserMetrics metrics = RecloserMetrics.of(registry);

    private Pipeline<String> pipeline(String name) {
        return Pipeline.<String>named(name)
                .time(time)
                .concurrencyLimiter(10)
                .circuitBreaker(cb -> cb.breakDuration(SECOND))
                .timeout(SECOND)
                .build();
    }

    private CircuitBreaker breaker(String name) {
        return CircuitBreaker.<String>of(name, cb -> cb.breakDuration(SECOND), time);
    }

    private Map<String, Double> counts(RecloserMeter meter) {
        return Meters.counts(registry, meter);
    }

    @Test
    void pipelineThatIsBoundTwiceIsCountedOnceUntilItsLastRegistrationIsRemoved() throws Exception {
        Pipeline<String> pipeline = pipeline("p");
        Registration first = metrics.bind(pipeline);
        Registration second = metrics.bind(pipeline);
        pipeline.call(() -> "fine");
        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 1.0));

        first.remove();
        first.remove();
        pipeline.call(() -> "fine");
        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 2.0));
        assertThat(Meters.gauges(registry)).isNotEmpty();

        second.remove();
        pipeline.call(() -> "fine");
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void whatWasDerivedFromAPipelineIsBoundWithIt() throws Exception {
        Pipeline<String> pipeline = pipeline("p");
        Pipeline<String> once = pipeline.once();
        Pipeline<String> within = once.within(Timeout.of("own", t -> t.limit(SECOND)));
        Registration first = metrics.bind(within);
        metrics.bind(pipeline);
        metrics.bind(once);
        within.call(() -> "fine");
        once.call(() -> "fine");
        pipeline.call(() -> "fine");
        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 3.0));
        first.remove();
        assertThat(registry.getMeters()).isNotEmpty();
    }

    @Test
    void breakerThatIsBoundTwiceIsCountedOnce() {
        CircuitBreaker breaker = breaker("p");
        Registration first = metrics.bind(breaker);
        Registration second = metrics.bind(breaker);
        breaker.isolate();
        assertThat(counts(EVENTS)).containsOnly(entry("{event=isolated, strategy=p}", 1.0));
        first.remove();
        second.remove();
        breaker.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void breakerAloneHasItsRejectionsCounted() {
        CircuitBreaker breaker = breaker("p");
        metrics.bind(breaker);
        breaker.isolate();
        assertThatThrownBy(() -> breaker.call(() -> "never")).isNotNull();
        breaker.acquire();
        assertThat(counts(REJECTIONS)).containsOnly(entry("{reason=circuit_isolated, strategy=p}", 2.0));
    }

    @Test
    void rejectionIsCountedOnceWhereABreakerIsBoundAloneAndByAPipelineOfItsName() {
        CircuitBreaker breaker = breaker("p");
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").time(time).circuitBreaker(breaker).build();
        metrics.bind(breaker);
        Registration ofPipeline = metrics.bind(pipeline);
        breaker.isolate();
        assertThat(counts(EVENTS)).containsOnly(entry("{event=isolated, strategy=p}", 1.0));
        assertThatThrownBy(() -> pipeline.call(() -> "never")).isNotNull();
        assertThat(counts(REJECTIONS)).containsOnly(entry("{reason=circuit_isolated, strategy=p}", 1.0));

        ofPipeline.remove();
        assertThatThrownBy(() -> pipeline.call(() -> "never")).isNotNull();
        assertThat(counts(REJECTIONS)).containsOnly(entry("{reason=circuit_isolated, strategy=p}", 2.0));
        assertThat(Meters.gauges(registry))
                .containsOnlyKeys(
                        "recloser.circuit.state{pipeline=p, strategy=p}",
                        "recloser.circuit.ratio{pipeline=p, strategy=p}");
    }

    @Test
    void pipelinesOfOneNameAreCountedTogetherAndGoOneByOne() throws Exception {
        Pipeline<String> one = pipeline("p");
        Pipeline<String> two = pipeline("p");
        Registration first = metrics.bind(one);
        Registration second = metrics.bind(two);
        one.call(() -> "fine");
        two.call(() -> "fine");
        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 2.0));

        first.remove();
        one.call(() -> "fine");
        two.call(() -> "fine");
        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 3.0));
        second.remove();
        assertThat(registry.getMeters()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThatOutlivesItsRegistrationLeavesNothingInTheRegistry(CallMode mode) {
        Pipeline<String> pipeline = pipeline("p");
        Registration registration = metrics.bind(pipeline);
        OngoingCall<String> call = mode.start(pipeline);
        registration.remove();
        time.advance(SECOND);
        assertThat(call.error()).isNotNull();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void closingRemovesAllAndWhatIsBoundLaterIsNotMeasured() throws Exception {
        Pipeline<String> pipeline = pipeline("p");
        Registration before = metrics.bind(pipeline);
        metrics.bind(breaker("alone"));
        metrics.close();
        assertThat(registry.getMeters()).isEmpty();

        Registration after = metrics.bind(pipeline);
        pipeline.call(() -> "fine");
        after.remove();
        before.remove();
        metrics.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void whatWasRemovedCanBeBoundAgain() throws Exception {
        Pipeline<String> pipeline = pipeline("p");
        metrics.bind(pipeline).remove();
        metrics.bind(pipeline);
        pipeline.call(() -> "fine");
        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 1.0));
    }

    @Test
    void moreNamesThanAllowedAreCountedTogetherWithoutGauges() throws Exception {
        RecloserMetrics few = RecloserMetrics.builder(registry).maxPipelines(1).build();
        Pipeline<String> own = pipeline("own");
        Pipeline<String> second = pipeline("second");
        Pipeline<String> third = pipeline("third");
        Registration ofOwn = few.bind(own);
        few.bind(second);
        Registration ofThird = few.bind(third);
        own.call(() -> "fine");
        second.call(() -> "fine");
        third.call(() -> "fine");
        CircuitBreaker breaker = second.strategy(CircuitBreaker.class).orElseThrow();
        breaker.isolate();

        assertThat(Meters.counts(registry))
                .containsOnly(
                        entry("recloser.pipeline.duration{outcome=success, pipeline=own}", 1.0),
                        entry("recloser.attempt.duration{attempt=first, outcome=success, pipeline=own}", 1.0),
                        entry("recloser.pipeline.duration{outcome=success, pipeline=other}", 2.0),
                        entry("recloser.attempt.duration{attempt=first, outcome=success, pipeline=other}", 2.0),
                        entry("recloser.events{event=isolated, pipeline=other, strategy=other}", 1.0));
        assertThat(Meters.gauges(registry).keySet()).allMatch(gauge -> gauge.contains("pipeline=own"));

        ofOwn.remove();
        ofThird.remove();
        few.bind(third);
        third.call(() -> "fine");
        assertThat(Meters.counts(registry))
                .containsEntry("recloser.pipeline.duration{outcome=success, pipeline=third}", 1.0);
    }

    @Test
    void commonTagsStandBesidesTheOwn() throws Exception {
        RecloserMetrics tagged =
                RecloserMetrics.builder(registry).tags(Tags.of("zone", "north")).build();
        Pipeline<String> pipeline = pipeline("p");
        tagged.bind(pipeline);
        pipeline.call(() -> "fine");
        assertThat(Meters.counts(registry))
                .containsKey("recloser.pipeline.duration{outcome=success, pipeline=p, zone=north}");
        assertThat(registry.getMeters())
                .allMatch(meter -> "north".equals(meter.getId().getTag("zone")));
    }

    @Test
    void settingsThatCannotWorkAreAllNamed() {
        assertThatThrownBy(() -> RecloserMetrics.builder(registry)
                        .maxPipelines(0)
                        .tags(Tags.of("outcome", "mine"))
                        .build())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("metrics.maxPipelines is 0")
                .hasMessageContaining("metrics.tags is outcome");
    }

    @Test
    void directCallsOfABreakerThatAPipelineHasAreNotItsRejections() {
        Pipeline<String> pipeline = pipeline("p");
        CircuitBreaker breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow();
        metrics.bind(pipeline);
        breaker.isolate();
        assertThatThrownBy(() -> breaker.call(() -> "never")).isNotInstanceOf(CircuitOpenException.class);
        assertThat(counts(REJECTIONS)).isEmpty();
    }
}
