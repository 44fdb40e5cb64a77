package dev.recloser.http;

import dev.recloser.Pipeline;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.time.TimeSource;
import java.net.http.HttpResponse;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the pipelines of a client's partitions.
 *
 * @param client the name of the client
 * @param time the time by which the strategies go
 * @param change what is changed in the standard pipeline, if anything is
 * @param lastChange what is changed after that
 * @param custom makes pipelines in the place of the standard one, if that is not wanted
 */
record PipelineMaker(
        String client,
        TimeSource time,
        @Nullable Consumer<StandardPipelineBuilder<HttpResponse<?>>> change,
        Consumer<StandardPipelineBuilder<HttpResponse<?>>> lastChange,
        @Nullable Function<String, Pipeline<HttpResponse<?>>> custom) {

    /** The pipeline of a partition, or the one that the others share. */
    Pipeline<HttpResponse<?>> make(String partition) {
        if (custom != null) {
            return custom.apply(partition);
        }
        return standard(partition.equals(Partitions.SHARED) ? client : client + "/" + partition);
    }

    /** The standard pipeline, under a name. */
    Pipeline<HttpResponse<?>> standard(String name) {
        StandardPipelineBuilder<HttpResponse<?>> standard = begun(name);
        if (change != null) {
            change.accept(standard);
        }
        lastChange.accept(standard);
        return standard.build();
    }

    /** The same as it would be if nobody changed it. */
    Pipeline<HttpResponse<?>> unchanged() {
        return begun(client).build();
    }

    private StandardPipelineBuilder<HttpResponse<?>> begun(String name) {
        return Pipeline.<HttpResponse<?>>standard(name)
                .time(time)
                .retry(retry ->
                        retry.classifier(HttpOutcomes.worthAnotherAttempt()).delayFrom(HttpOutcomes.retryAfter(time)))
                .circuitBreaker(breaker -> breaker.classifier(HttpOutcomes.transientFailures()));
    }
}
