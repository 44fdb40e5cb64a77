package dev.recloser.gateway.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys from PEM files (RFC 7468). What is wrong with one is said by an {@link IOException}. */
final class PemFiles {

    private static final long MOST = 1_000_000;
    private static final Pattern KEY = Pattern.compile(
            "-----BEGIN ((?:[A-Z0-9]+ )*)PRIVATE KEY-----([^-]*)-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----");

    /** An algorithm of keys, and one by which they sign. */
    private record Algorithm(String key, String signature) {}

    private static final List<Algorithm> ALGORITHMS = List.of(
            new Algorithm("RSA", "SHA256withRSA"),
            new Algorithm("EC", "SHA256withECDSA"),
            new Algorithm("EdDSA", "EdDSA"));

    private PemFiles() {}

    /** All certificates of a file, at least one. */
    static List<X509Certificate> certificates(Path file) throws IOException {
        byte[] content = read(file);
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(content))
                    .forEach(each -> certificates.add((X509Certificate) each));
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "has no certificates that can be read; it must be PEM, with '-----BEGIN CERTIFICATE-----'");
        }
        if (certificates.isEmpty()) {
            throw new IOException("has no certificate; it must be PEM, with '-----BEGIN CERTIFICATE-----'");
        }
        return certificates;
    }

    /** The private key of a file. */
    static PrivateKey privateKey(Path file) throws IOException {
        Matcher key = KEY.matcher(new String(read(file), StandardCharsets.ISO_8859_1));
        if (!key.find()) {
            throw new IOException("has no private key; it must be PEM, with '-----BEGIN PRIVATE KEY-----'");
        }
        String kind = key.group(1).strip();
        if (kind.equals("ENCRYPTED")) {
            throw new IOException("has an encrypted key; decrypt it with: openssl pkcs8 -in " + file + " -out NEW");
        }
        if (!kind.isEmpty()) {
            throw new IOException("has its key in the form '" + kind + " PRIVATE KEY'; convert it with:"
                    + " openssl pkcs8 -topk8 -nocrypt -in " + file + " -out NEW");
        }
        return decoded(key.group(2));
    }

    private static PrivateKey decoded(String base64) throws IOException {
        PKCS8EncodedKeySpec encoded;
        try {
            encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
        } catch (IllegalArgumentException e) {
            throw new IOException("has a key that is damaged");
        }
        for (Algorithm algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm.key()).generatePrivate(encoded);
            } catch (GeneralSecurityException e) {
                // it is of another algorithm, or of none that is known
            }
        }
        throw new IOException("has a key that is damaged, or neither RSA, EC nor EdDSA");
    }

    /** Whether a key is that of a certificate: what it signs, the certificate confirms. */
    static boolean isPair(PrivateKey key, PublicKey certified) {
        byte[] text = {1, 2, 3};
        for (Algorithm algorithm : ALGORITHMS) {
            if (algorithm.key().equals(key.getAlgorithm())) {
                try {
                    Signature signature = Signature.getInstance(algorithm.signature());
                    signature.initSign(key);
                    signature.update(text);
                    byte[] signed = signature.sign();
                    signature.initVerify(certified);
                    signature.update(text);
                    return signature.verify(signed);
                } catch (GeneralSecurityException e) {
                    return false;
                }
            }
        }
        return false;
    }

    private static byte[] read(Path file) throws IOException {
        try {
            if (Files.size(file) > MOST) {
                throw new IOException("is too large for a file of certificates or keys");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException("does not exist");
        } catch (java.nio.file.AccessDeniedException e) {
            throw new IOException("cannot be read: access is denied");
        }
    }
}
