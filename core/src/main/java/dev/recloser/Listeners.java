package dev.recloser;

import dev.recloser.PipelineEvent.Kind;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The listeners of one pipeline. Where nobody listens, telling costs one look at an empty array and makes no object. */
final class Listeners {

    private static final Logger LOG = System.getLogger("dev.recloser");

    /** Replaced as a whole. */
    private volatile PipelineListener[] listeners = {};

    synchronized void add(PipelineListener listener) {
        PipelineListener[] more = Arrays.copyOf(listeners, listeners.length + 1);
        more[listeners.length] = listener;
        listeners = more;
    }

    /** Removes one place of the listener, if it has any. */
    synchronized void remove(PipelineListener listener) {
        int place = Arrays.asList(listeners).indexOf(listener);
        if (place >= 0) {
            PipelineListener[] fewer = new PipelineListener[listeners.length - 1];
            System.arraycopy(listeners, 0, fewer, 0, place);
            System.arraycopy(listeners, place + 1, fewer, place, fewer.length - place);
            listeners = fewer;
        }
    }

    /** Tells that something happened to the attempt that an execution is at. */
    void tell(Kind kind, Layer layer, Execution execution, @Nullable Object outcome) {
        tell(kind, layer, execution, execution.hedge(), outcome, 0);
    }

    /** The same, with a delay in nanoseconds. */
    void tell(Kind kind, Layer layer, Execution execution, @Nullable Object outcome, long delayNanos) {
        tell(kind, layer, execution, execution.hedge(), outcome, delayNanos);
    }

    /** Tells that something happened to one of the attempts that run beside each other. */
    void tell(Kind kind, Layer layer, Execution trunk, int hedge, @Nullable Object outcome) {
        tell(kind, layer, trunk, hedge, outcome, 0);
    }

    private void tell(
            Kind kind, Layer layer, Execution execution, int hedge, @Nullable Object outcome, long delayNanos) {
        PipelineListener[] all = listeners;
        if (all.length == 0) {
            return;
        }
        Object value = outcome;
        Throwable error = null;
        if (outcome instanceof Failure failure) {
            value = null;
            error = failure.error();
        }
        PipelineEvent event = new PipelineEvent(
                execution.pipeline(),
                layer.strategy.name(),
                kind,
                execution.attempt(),
                hedge,
                value,
                error,
                Duration.ofNanos(delayNanos));
        for (PipelineListener listener : all) {
            tell(listener, event);
        }
    }

    private static void tell(PipelineListener listener, PipelineEvent event) {
        try {
            listener.happened(event);
        } catch (Throwable thrown) {
            warn("a listener of " + event.pipeline() + " threw", thrown);
        }
    }

    /** Logs what somebody else's code threw where it changes nothing. */
    static void warn(String what, Throwable thrown) {
        LOG.log(Logger.Level.WARNING, what, thrown);
    }
}
