package dev.recloser.gateway.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How clients connect by TLS.
 *
 * @param identity who the gateway is
 * @param clientAuthorities who vouches for clients; if there is any, a client must have a certificate
 */
public record ListenerTls(TlsIdentity identity, Optional<TlsAuthorities> clientAuthorities) {

    /** Where all of it was read. */
    List<Path> files() {
        return Stream.concat(
                        identity.files().stream(), clientAuthorities.stream().map(TlsAuthorities::file))
                .toList();
    }
}
