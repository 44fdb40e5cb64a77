package dev.recloser.gateway.config;

/**
 * An address as it is written: {@code 127.0.0.1:8080}, {@code [::1]:8080}, {@code example.com:80}.
 *
 * @param host the name or address, an IPv6 one without its brackets
 * @param port 0 to 65535; 0 lets the system choose one to listen on
 */
public record HostPort(String host, int port) {

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
