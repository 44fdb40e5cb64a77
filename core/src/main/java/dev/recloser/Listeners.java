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

    /** Those that are told of every call. Replaced as a whole. */
    private volatile CallListener[] callListeners = {};

    synchronized void add(PipelineListener listener) {
        listeners = with(listeners, listener);
    }

    synchronized void addCallListener(CallListener listener) {
        callListeners = with(callListeners, listener);
    }

    /** Removes one place of the listener, if it has any. */
    synchronized void remove(PipelineListener listener) {
        listeners = without(listeners, listener);
    }

    /** Removes one place of the listener, if it has any. */
    synchronized void removeCallListener(CallListener listener) {
        callListeners = without(callListeners, listener);
    }

    private static <L> L[] with(L[] all, L listener) {
        L[] more = Arrays.copyOf(all, all.length + 1);
        more[all.length] = listener;
        return more;
    }

    private static <L> L[] without(L[] all, L listener) {
        int place = Arrays.asList(all).indexOf(listener);
        if (place < 0) {
            return all;
        }
        L[] fewer = Arrays.copyOf(all, all.length - 1);
        System.arraycopy(all, place + 1, fewer, place, fewer.length - place);
        return fewer;
    }

    /** Whether anybody is told of every call. */
    boolean isWatching() {
        return callListeners.length > 0;
    }

    /** Who watches a call that begins, if anybody does. */
    @Nullable
    CallWatch watch(String pipeline) {
        CallListener[] all = callListeners;
        return all.length == 0 ? null : Watch.begin(all, pipeline);
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
        CallWatch watch = execution.watch();
        if (all.length == 0 && watch == null) {
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
        Watch.within(execution, () -> {
            for (PipelineListener listener : all) {
                tell(listener, event);
            }
            if (watch != null) {
                Watch.happened(watch, event);
            }
        });
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
