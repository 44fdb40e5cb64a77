package dev.recloser.opentelemetry;

import dev.recloser.CallListener;
import dev.recloser.CallWatch;
import dev.recloser.Pipeline;
import dev.recloser.spi.Strategy;
import io.opentelemetry.context.Context;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Decides what is done for the calls of a pipeline. Those without a context of their caller's have one watch together. */
final class PipelineCalls implements CallListener {

    /** For calls that are not to be measured. */
    static final CallWatch NOT_MEASURED = new CallWatch() {};

    private final String name;
    private final Set<Strategy> strategies = Collections.newSetFromMap(new IdentityHashMap<>());
    private final CallWatch meters;
    private final boolean isTraced;
    private final CallWatch withoutContext;

    /**
     * For a pipeline.
     *
     * @param meters measure the calls
     * @param isTraced whether the caller's context goes with them, and its span is told
     */
    PipelineCalls(Pipeline<?> pipeline, CallWatch meters, boolean isTraced) {
        this.name = pipeline.name();
        this.strategies.addAll(pipeline.strategies());
        this.meters = meters;
        this.isTraced = isTraced;
        this.withoutContext = new RootWatch(meters);
    }

    @Override
    public CallWatch begun(String pipeline) {
        if (isTraced) {
            Context caller = Context.current();
            if (caller != Context.root()) {
                return new CallTrace(this, caller);
            }
            return withoutContext;
        }
        return meters;
    }

    String name() {
        return name;
    }

    CallWatch meters() {
        return meters;
    }

    boolean has(Strategy strategy) {
        return strategies.contains(strategy);
    }
}
