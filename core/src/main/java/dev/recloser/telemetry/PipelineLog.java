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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;

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

    /** The circuits whose transitions are logged, which may be attached through several pipelines. Guarded by itself. */
    private static final Map<CircuitBreaker, Logged> LOGGED = new WeakHashMap<>();

    private static final CircuitListener TRANSITIONS = new CircuitListener() {
        @Override
        public void caused(CircuitTransition transition) {
            log(transition);
        }
    };

    private static final class Logged {
        final Registration registration;
        int uses;

        Logged(Registration registration) {
            this.registration = registration;
        }
    }

    private PipelineLog() {}

    /**
     * Logs what happens in a pipeline, the transitions of its circuits included, from now on.
     *
     * @return ends that
     */
    public static Registration attach(Pipeline<?> pipeline) {
        List<Registration> registrations = new ArrayList<>();
        registrations.add(pipeline.addListener((PipelineListener) PipelineLog::log));
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
        synchronized (LOGGED) {
            LOGGED.computeIfAbsent(breaker, key -> new Logged(key.addListener(TRANSITIONS))).uses++;
        }
        return Registration.once(() -> detach(breaker));
    }

    private static void detach(CircuitBreaker breaker) {
        synchronized (LOGGED) {
            Logged logged = LOGGED.get(breaker);
            if (logged != null && --logged.uses == 0) {
                LOGGED.remove(breaker);
                logged.registration.remove();
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
