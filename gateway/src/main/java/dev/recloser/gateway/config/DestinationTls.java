package dev.recloser.gateway.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the gateway connects to destinations by TLS.
 *
 * @param authorities who vouches for destinations; those that the JDK trusts if empty
 * @param serverName the name that a destination must have; that of its URL if empty
 * @param verify whether the certificate of a destination is looked at
 * @param identity who the gateway is for destinations that want to know
 */
public record DestinationTls(
        Optional<TlsAuthorities> authorities,
        Optional<String> serverName,
        boolean verify,
        Optional<TlsIdentity> identity) {

    /** By the URL alone. */
    public static final DestinationTls USUAL =
            new DestinationTls(Optional.empty(), Optional.empty(), true, Optional.empty());

    /** Where all of it was read. */
    List<Path> files() {
        return Stream.concat(
                        authorities.stream().map(TlsAuthorities::file),
                        identity.map(TlsIdentity::files).orElse(List.of()).stream())
                .toList();
    }
}
