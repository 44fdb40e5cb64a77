package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.http.RecloserHttpClient;
import dev.recloser.opentelemetry.RecloserTelemetry;
import dev.recloser.opentelemetry.TracingHttpClient;
import dev.recloser.telemetry.PipelineLog;
import io.opentelemetry.api.OpenTelemetry;
import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;

/** The examples in docs/tracing.md. */
class TracingExamplesTest {

    private final OpenTelemetry openTelemetry = OpenTelemetry.noop();
    private final Pipeline<String> payments =
            Pipeline.<String>standard("payments").build();

    @Test
    void binding() throws InterruptedException {
        RecloserTelemetry telemetry = RecloserTelemetry.of(openTelemetry);
        telemetry.bind(payments);
        CircuitBreakerStore.shared().forEachCircuit(telemetry::bind);
        assertThat(payments.call(() -> "paid")).isEqualTo("paid");
        telemetry.close();
    }

    @Test
    void requests() {
        RecloserTelemetry telemetry = RecloserTelemetry.of(openTelemetry);
        HttpClient transport = TracingHttpClient.around(HttpClient.newHttpClient(), openTelemetry);
        RecloserHttpClient client =
                RecloserHttpClient.newBuilder("payments").around(transport).build();
        client.forEachPipeline(telemetry::bind);
        assertThat(client.name()).isEqualTo("payments");
        telemetry.close();
    }

    @Test
    void logs() {
        PipelineLog.attach(payments);
        Registration again = PipelineLog.attach(payments);
        again.remove();
        assertThat(payments.warnings()).isEmpty();
    }
}
