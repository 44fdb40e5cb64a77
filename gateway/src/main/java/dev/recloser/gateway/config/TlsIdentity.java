package dev.recloser.gateway.config;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * Who one side of a TLS connection is: a certificate with those that vouch for it, and its private key. Its text has no secret.
 *
 * @param certificateFile where the certificates were read
 * @param keyFile where the key was read
 * @param chain the certificate, and behind it those of the authorities, at least one
 * @param key the key of the first certificate
 */
public record TlsIdentity(Path certificateFile, Path keyFile, List<X509Certificate> chain, PrivateKey key) {

    /** An identity with a copy of the list. */
    public TlsIdentity {
        chain = List.copyOf(chain);
    }

    /** Until when it can be used: until one of its certificates expires. */
    Instant end() {
        return chain.stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Where it was read. */
    List<Path> files() {
        return List.of(certificateFile, keyFile);
    }

    /** A key belongs to its certificate, so that is enough to tell two of them apart. */
    @Override
    public String toString() {
        return certificateFile + " " + fingerprints(chain);
    }

    /** What tells certificates apart. */
    static List<String> fingerprints(List<X509Certificate> certificates) {
        return certificates.stream().map(TlsIdentity::fingerprint).toList();
    }

    private static String fingerprint(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }
}
