package dev.recloser.opentelemetry;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.spi.Strategy;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Metrics and traces of pipelines and circuits.
 *
 * <pre>{@code
 * RecloserTelemetry telemetry = RecloserTelemetry.of(openTelemetry);
 * telemetry.bind(payments);
 * client.forEachPipeline(telemetry::bind);
 * store.forEachCircuit(telemetry::bind);
 * }</pre>
 *
 * <p><b>Metrics.</b> The meters are listed in {@code docs/metrics.md}. Pipelines of one name are counted together; those of the names beyond
 * {@link RecloserTelemetryBuilder#maxPipelines} are counted as {@code other}.
 *
 * <p><b>Traces.</b> No span is made for a call. The span that is current when a call begins gets events, of which there are at most 32 per call:
 * retries, rejections, timeouts, and transitions of circuits that the call brings about. The context of the caller is current in each attempt, on
 * whatever thread it runs, so that what is instrumented in there makes its spans as children of the caller's. See {@link
 * TracingHttpClient} for spans of HTTP requests.
 *
 * <p>Thread-safe. Make one per process and keep it.
 */
public final class RecloserTelemetry implements AutoCloseable {

    /** The name of the instrumentation scope. */
    static final String SCOPE = "dev.recloser";

    private final @Nullable MeterRegistry meters;
    private final boolean hasTraces;
    private final Shared<Identity> pipelines = new Shared<>();
    private final Shared<Identity> circuits = new Shared<>();
    private final Shared<Identity> tracedCircuits = new Shared<>();
    private final EventsAlone eventsAlone = new EventsAlone();
    private final AtomicBoolean closed = new AtomicBoolean();

    RecloserTelemetry(RecloserTelemetryBuilder builder) {
        this.meters = builder.hasMetrics
                ? new MeterRegistry(builder.openTelemetry.getMeter(SCOPE), builder.maxPipelines)
                : null;
        this.hasTraces = builder.hasTraces;
    }

    /**
     * Metrics and traces with all defaults.
     *
     * @param openTelemetry where they go
     */
    public static RecloserTelemetry of(OpenTelemetry openTelemetry) {
        return builder(openTelemetry).build();
    }

    /**
     * Begins to say what is not to have its default.
     *
     * @param openTelemetry where metrics and traces go
     */
    public static RecloserTelemetryBuilder builder(OpenTelemetry openTelemetry) {
        return new RecloserTelemetryBuilder(openTelemetry);
    }

    /**
     * Measures and traces the calls of a pipeline from now on. One that is bound already is bound once, until all registrations have been
     * removed. Does nothing once this is closed. To bind one that {@link Pipeline#once} or {@link Pipeline#within} made is to bind the one that it was made from.
     *
     * @return ends that, and removes its meters
     */
    public Registration bind(Pipeline<?> pipeline) {
        Pipeline<?> origin = Objects.requireNonNull(pipeline, "pipeline").origin();
        return pipelines.hold(new Identity(origin), () -> bindFirst(origin));
    }

    private Registration bindFirst(Pipeline<?> pipeline) {
        List<Registration> bound = new ArrayList<>();
        if (hasTraces) {
            for (Strategy strategy : pipeline.strategies()) {
                if (strategy instanceof CircuitBreaker breaker) {
                    bound.add(trace(breaker));
                }
            }
        }
        if (meters == null) {
            bound.add(pipeline.addCallListener(new PipelineCalls(pipeline, PipelineCalls.NOT_MEASURED, hasTraces)));
        } else {
            bound.add(meters.use(pipeline.name(), own -> measure(pipeline, own)));
        }
        return Registration.all(bound);
    }

    private Registration measure(Pipeline<?> pipeline, PipelineMeters meters) {
        MeasuredCalls calls = new MeasuredCalls(meters);
        return Registration.all(List.<Registration>of(
                meters.add(pipeline),
                calls::end,
                pipeline.addCallListener(new PipelineCalls(pipeline, calls, hasTraces))));
    }

    /**
     * Measures a circuit, and tells the spans of calls what happens to it, from now on. For a breaker that is used without a pipeline of one's own. One
     * that is bound already is bound once, until all registrations have been removed. Does nothing once this is closed.
     *
     * @return ends that, and removes its meters
     */
    public Registration bind(CircuitBreaker breaker) {
        Objects.requireNonNull(breaker, "breaker");
        return circuits.hold(new Identity(breaker), () -> bindFirst(breaker));
    }

    private Registration bindFirst(CircuitBreaker breaker) {
        List<Registration> bound = new ArrayList<>();
        if (hasTraces) {
            bound.add(trace(breaker));
            bound.add(breaker.addListener(new CircuitTraces.Rejections(breaker, eventsAlone)));
        }
        if (meters != null) {
            bound.add(meters.use(breaker.name(), own -> own.add(breaker)));
        }
        return Registration.all(bound);
    }

    /** Once for each circuit, in however many pipelines it is. */
    private Registration trace(CircuitBreaker breaker) {
        return tracedCircuits.hold(
                new Identity(breaker), () -> breaker.addListener(new CircuitTraces(breaker, eventsAlone)));
    }

    /**
     * How many retries and hedges the attempt to which a context belongs is away from the first, those of pipelines around it included: zero for
     * a first attempt, outside of all pipelines, and once the call is over. Hedges beside earlier attempts do not count. For instrumentation of one's own, such as of {@code http.request.resend_count}.
     */
    public static int attemptsBefore(Context context) {
        AttemptContext attempt = AttemptContext.in(context);
        return attempt == null ? 0 : attempt.before();
    }

    /** Removes all that is bound, and the instruments; nothing can be bound from then on. Does nothing the second time. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        pipelines.close();
        circuits.close();
        if (meters != null) {
            meters.close();
        }
    }
}
