package dev.recloser.opentelemetry;

import dev.recloser.CallOutcome;
import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.spi.Strategy;
import dev.recloser.telemetry.AttemptKind;
import dev.recloser.telemetry.Reading;
import dev.recloser.telemetry.RejectionReason;
import dev.recloser.telemetry.StrategyPlaces;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The meters of all pipelines, and breakers used alone, that have one name: what they do is counted together. Thread-safe. */
final class PipelineMeters {

    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final Durations durations;

    /** Whether these are the meters of all that have none of their own. */
    private final boolean isOther;

    private final Map<CallOutcome, Attributes> ofCalls = new EnumMap<>(CallOutcome.class);
    private final Map<AttemptKind, Map<CallOutcome, Attributes>> ofAttempts = new EnumMap<>(AttemptKind.class);
    private final StrategyCounters others;
    private final StrategyPlaces<StrategyCounters> strategies;

    /** Those that have gone since somebody collected. Guarded by this object, as are changes of the strategies. */
    private final Departed<StrategyCounters> departed = new Departed<>(StrategyPlaces.MAX);

    private final Shared<Identity> circuits = new Shared<>();
    private final Shared<Identity> circuitsAlone = new Shared<>();

    /** The circuits in pipelines, whose rejections the pipelines tell; those that are read in calls stand in the set. */
    private final Shared<Identity> circuitsInPipelines = new Shared<>();

    private final Set<Identity> toldByPipelines = ConcurrentHashMap.newKeySet();
    private final Shared<Identity> readable = new Shared<>();
    private final Shared<Identity> pipelines = new Shared<>();
    private final Attributes attributes;

    /**
     * Nothing counted yet.
     *
     * @param name what stands in the tag
     * @param isOther whether these are the meters of all that have none of their own
     * @param durations where durations are recorded
     */
    PipelineMeters(String name, boolean isOther, Durations durations) {
        this.name = name;
        this.isOther = isOther;
        this.durations = durations;
        this.others = new StrategyCounters(name, MeterRegistry.OTHER);
        this.strategies = new StrategyPlaces<>(this, !isOther, others, this::counters, departed::add);
        this.attributes = Attributes.of(Tag.PIPELINE.key(), name);
        for (CallOutcome outcome : CallOutcome.values()) {
            ofCalls.put(outcome, with(Tag.OUTCOME, outcome).build());
        }
        for (AttemptKind kind : AttemptKind.values()) {
            Map<CallOutcome, Attributes> byOutcome = new EnumMap<>(CallOutcome.class);
            for (CallOutcome outcome : CallOutcome.values()) {
                byOutcome.put(
                        outcome,
                        with(Tag.OUTCOME, outcome)
                                .put(Tag.ATTEMPT.key(), Tag.valueOf(kind))
                                .build());
            }
            ofAttempts.put(kind, byOutcome);
        }
    }

    private AttributesBuilder with(Tag tag, Enum<?> value) {
        return attributes.toBuilder().put(tag.key(), Tag.valueOf(value));
    }

    /** Those that have just gone go on. */
    private StrategyCounters counters(String strategy) {
        if (strategy.equals(MeterRegistry.OTHER)) {
            return others;
        }
        StrategyCounters back = departed.take(strategy);
        return back == null ? new StrategyCounters(name, strategy) : back;
    }

    // ---- what is told of calls

    void happened(MeasuredCalls calls, PipelineEvent event) {
        StrategyCounters known = strategies.find(event.strategy());
        StrategyCounters strategy = known != null ? known : strategies.bring(event.strategy(), calls::areBound);
        if (strategy == null) {
            return;
        }
        Throwable error = event.error();
        if (event.kind() != PipelineEvent.Kind.REJECTED) {
            strategy.happened(event.kind());
        } else if (error != null) {
            strategy.rejected(RejectionReason.of(error));
        }
    }

    void attemptEnded(int attempt, int hedge, CallOutcome outcome, long nanos) {
        Map<CallOutcome, Attributes> byOutcome = ofAttempts.get(AttemptKind.of(attempt, hedge));
        durations.ofAttempts().record(nanos / NANOS_PER_SECOND, of(byOutcome, outcome));
    }

    void ended(CallOutcome outcome, long nanos) {
        durations.ofCalls().record(nanos / NANOS_PER_SECOND, of(ofCalls, outcome));
    }

    private Attributes of(@Nullable Map<CallOutcome, Attributes> byOutcome, CallOutcome outcome) {
        Attributes found = byOutcome == null ? null : byOutcome.get(outcome);
        return found == null ? attributes : found;
    }

    // ---- what is bound

    /** The pipeline has these meters, until the registration is removed. */
    Registration add(Pipeline<?> pipeline) {
        List<Registration> added = new ArrayList<>();
        for (Strategy strategy : pipeline.strategies()) {
            StrategyPlaces.Place<StrategyCounters> place = show(strategy, added);
            if (strategy instanceof CircuitBreaker breaker) {
                added.add(addCircuit(breaker, place.counters()));
                added.add(toldByPipeline(new Identity(breaker)));
            }
        }
        if (!isOther) {
            added.add(pipelines.hold(new Identity(pipeline), () -> Shared.NOTHING));
        }
        return Registration.all(added);
    }

    /** The breaker, which is used without a pipeline, has these meters, until the registration is removed. */
    Registration add(CircuitBreaker breaker) {
        List<Registration> added = new ArrayList<>();
        StrategyCounters counters = show(breaker, added).counters();
        added.add(addCircuit(breaker, counters));
        added.add(circuitsAlone.hold(new Identity(breaker), () -> countRejections(breaker, counters)));
        return Registration.all(added);
    }

    private StrategyPlaces.Place<StrategyCounters> show(Strategy strategy, List<Registration> added) {
        StrategyPlaces.Place<StrategyCounters> place = strategies.take(strategy.name());
        added.add(() -> strategies.giveBack(place));
        if (place.hasGauges()) {
            added.add(readable.hold(new Identity(strategy), () -> Shared.NOTHING));
        }
        return place;
    }

    private Registration addCircuit(CircuitBreaker breaker, StrategyCounters counters) {
        return circuits.hold(new Identity(breaker), () -> breaker.addListener(new CircuitMeters(counters)));
    }

    private Registration toldByPipeline(Identity breaker) {
        return circuitsInPipelines.hold(breaker, () -> {
            toldByPipelines.add(breaker);
            return () -> toldByPipelines.remove(breaker);
        });
    }

    private Registration countRejections(CircuitBreaker breaker, StrategyCounters counters) {
        Identity identity = new Identity(breaker);
        return breaker.addListener(new CircuitMeters.Rejections(counters, () -> toldByPipelines.contains(identity)));
    }

    // ---- what is shown

    void observe(Observed observed) {
        collect().forEach(strategy -> strategy.observe(observed.events(), observed.rejections()));
        if (isOther) {
            return;
        }
        List<Identity> all = pipelines.keys();
        if (!all.isEmpty()) {
            double abandoned = all.stream()
                    .mapToDouble(each -> ((Pipeline<?>) each.object()).abandoned())
                    .sum();
            observed.gauge(RecloserMeter.PIPELINE_ABANDONED).record(abandoned, attributes);
        }
        gauges().forEach((series, value) -> observed.gauge(series.meter)
                .record(value, Attributes.of(Tag.PIPELINE.key(), name, Tag.STRATEGY.key(), series.strategy)));
    }

    /** What has gone is seen to have gone. */
    private synchronized List<StrategyCounters> collect() {
        departed.forget();
        List<StrategyCounters> all = new ArrayList<>(strategies.own());
        all.add(others);
        return all;
    }

    private Map<Series, Double> gauges() {
        Map<Series, Double> gauges = new HashMap<>();
        for (Identity identity : readable.keys()) {
            for (Reading reading : Reading.of((Strategy) identity.object())) {
                RecloserMeter meter = RecloserMeter.of(reading.quantity());
                gauges.merge(
                        new Series(meter, reading.strategy()), reading.value().getAsDouble(), meter::together);
            }
        }
        return gauges;
    }

    private record Series(RecloserMeter meter, String strategy) {}
}
