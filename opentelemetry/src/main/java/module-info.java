/** Metrics and traces of pipelines and circuits, through the API of OpenTelemetry. */
@org.jspecify.annotations.NullMarked
module dev.recloser.opentelemetry {
    requires static org.jspecify;
    requires transitive dev.recloser;
    requires transitive io.opentelemetry.api;
    requires transitive io.opentelemetry.context;
    requires transitive java.net.http;

    exports dev.recloser.opentelemetry;
}
