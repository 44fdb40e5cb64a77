package dev.recloser.telemetry;

import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.PipelineListener;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.function.Function;

/**
 * Logs what happens in pipelines, through {@link System.Logger} under {@code dev.recloser.telemetry}. Each transition of a circuit is logged
 * once, with the numbers that led to it: at {@code WARNING} when the circuit opens, for the first time or again, or is isolated, else at
 * {@code INFO}. Rejections, retries and all else that happens to single calls are logged at {@code DEBUG}, where they cost nothing unless
 * switched on; an outage makes no flood.
 *
 * <p>All is logged on the thread of the call, within its context where the call is watched by something that has one, so that a logging
 * framework that adds the id of the current trace adds the right one. Messages hold the text of exceptions, never arguments or results.
 */
public final class PipelineLog {

    private static final Logger LOG = System.getLogger("dev.recloser.telemetry");

    /** What logs each circuit and pipeline that is attached. Guarded by itself. */
    private static final Map<Object, WeakReference<Logging>> LOGGING = new WeakHashMap<>();

    /**
     * Logs a circuit or a pipeline, once, however often that is attached. It lives among the listeners of what it logs: if it were held here, it
     * would hold all of those, and whatever they know, which may be what they listen to.
     */
    private static final class Logging implements CircuitListener, PipelineListener {
        private final Registration registration;
        private int uses;

        Logging(Function<Logging, Registration> adding) {
            this.registration = adding.apply(this);
        }

        @Override
        public void caused(CircuitTransition transition) {
            log(transition);
        }

        @Override
        public void happened(PipelineEvent event) {
            log(event);
        }
    }

    private PipelineLog() {}

    /**
     * Logs what happens in a pipeline, the transitions of its circuits included, from now on; each once, however often the pipeline is attached,
     * itself or one that was made from it.
     *
     * @return ends that
     */
    public static Registration attach(Pipeline<?> pipeline) {
        List<Registration> registrations = new ArrayList<>();
        registrations.add(use(pipeline.origin(), pipeline::addListener));
        pipeline.strategies().stream()
                .filter(CircuitBreaker.class::isInstance)
                .map(CircuitBreaker.class::cast)
                .distinct()
                .forEach(breaker -> registrations.add(attach(breaker)));
        return Registration.all(registrations);
    }

    /**
     * Logs the transitions of a circuit from now on; each once, however often the circuit is attached.
     *
     * @return ends that
     */
    public static Registration attach(CircuitBreaker breaker) {
        return use(breaker, breaker::addListener);
    }

    private static Registration use(Object logged, Function<Logging, Registration> adding) {
        Logging logging;
        synchronized (LOGGING) {
            logging = Objects.requireNonNull(
                    LOGGING.computeIfAbsent(logged, key -> new WeakReference<>(new Logging(adding)))
                            .get(),
                    "what is listening is held by what it listens to");
            logging.uses++;
        }
        return Registration.once(() -> leave(logged, logging));
    }

    private static void leave(Object logged, Logging logging) {
        synchronized (LOGGING) {
            logging.uses--;
            if (logging.uses == 0) {
                LOGGING.remove(logged);
                logging.registration.remove();
            }
        }
    }

    private static void log(CircuitTransition transition) {
        boolean isBad = transition.to() == CircuitState.OPEN || transition.to() == CircuitState.ISOLATED;
        LOG.log(
                isBad ? Level.WARNING : Level.INFO,
                () -> "circuit " + transition.circuit() + " " + TransitionText.describe(transition)
                        + transition
                                .cause()
                                .map(cause -> "; last failure: " + cause)
                                .orElse(""));
    }

    private static void log(PipelineEvent event) {
        LOG.log(Level.DEBUG, () -> text(event));
    }

    private static String text(PipelineEvent event) {
        StringBuilder text = new StringBuilder(event.pipeline())
                .append(": ")
                .append(event.strategy())
                .append(' ')
                .append(event.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .append(", attempt ")
                .append(event.attempt());
        if (event.hedge() > 0) {
            text.append(", hedge ").append(event.hedge());
        }
        if (!event.delay().isZero()) {
            text.append(", delay ").append(event.delay().toMillis()).append(" ms");
        }
        event.failure().ifPresent(failure -> text.append(": ").append(failure));
        return text.toString();
    }
}
