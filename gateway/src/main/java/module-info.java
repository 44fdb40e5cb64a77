/** The gateway: an HTTP reverse proxy with a circuit breaker in front of every cluster of services. */
@org.jspecify.annotations.NullMarked
// The libraries of Prometheus are no modules; but they have names, which stand in their manifests.
@SuppressWarnings("requires-automatic")
module dev.recloser.gateway {
    requires static org.jspecify;
    requires transitive dev.recloser;
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.codec.http2;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.classes.io_uring;
    requires io.prometheus.metrics.instrumentation.jvm;
    requires io.prometheus.metrics.model;
    requires io.prometheus.writer.text;
    requires java.logging;
    requires java.net.http;
    requires jdk.httpserver;
    requires jdk.unsupported;
    requires org.yaml.snakeyaml;

    opens dev.recloser.gateway.cli to
            info.picocli;

    exports dev.recloser.gateway.cli to
            java.logging;
}
