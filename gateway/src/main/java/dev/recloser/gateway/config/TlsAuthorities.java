package dev.recloser.gateway.config;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Who vouches for the other side of TLS connections.
 *
 * @param file where the certificates were read
 * @param certificates at least one
 */
public record TlsAuthorities(Path file, List<X509Certificate> certificates) {

    /** Authorities with a copy of the list. */
    public TlsAuthorities {
        certificates = List.copyOf(certificates);
    }

    /** All that tells two of them apart. */
    @Override
    public String toString() {
        return file + " " + TlsIdentity.fingerprints(certificates);
    }
}
