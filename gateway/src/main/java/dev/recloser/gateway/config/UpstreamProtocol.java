package dev.recloser.gateway.config;

/** What the gateway speaks with the destinations of a cluster. */
public enum UpstreamProtocol {
    /** HTTP/1.1. */
    HTTP_1("http1"),
    /** HTTP/2: agreed on by TLS, or from the first byte without. */
    HTTP_2("http2");

    private final String key;

    UpstreamProtocol(String key) {
        this.key = key;
    }

    /** As it is written in a configuration. */
    public String key() {
        return key;
    }
}
