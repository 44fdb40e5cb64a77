package dev.recloser.gateway.config;

/**
 * How the gateway speaks with the destinations of a cluster.
 *
 * @param protocol the version of HTTP
 * @param tls for those whose URL is {@code https}
 */
public record UpstreamConfig(UpstreamProtocol protocol, DestinationTls tls) {

    /** As without any setting. */
    public static final UpstreamConfig USUAL = new UpstreamConfig(UpstreamProtocol.HTTP_1, DestinationTls.USUAL);
}
