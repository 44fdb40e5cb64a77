package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.TlsAuthorities;
import dev.recloser.gateway.config.TlsIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate that vouches for itself, and its key, in PEM files. */
public final class TestIdentity {

    private static final String SECRET = "password";

    private final Path certificateFile;
    private final Path keyFile;
    private final X509Certificate certificate;
    private final PrivateKey key;

    /**
     * Makes one.
     *
     * @param algorithm such as {@code RSA} or {@code EC}
     * @param names such as {@code dns:localhost,ip:127.0.0.1}
     */
    public TestIdentity(Path directory, String name, String algorithm, String names) throws Exception {
        this(directory, name, algorithm, names, 30);
    }

    /** Makes one that expires after so many days. */
    public TestIdentity(Path directory, String name, String algorithm, String names, int days) throws Exception {
        Path store = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + names,
                        "-validity",
                        Integer.toString(days),
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        SECRET)
                .redirectErrorStream(true)
                .start();
        keytool.getInputStream().readAllBytes();
        if (!keytool.waitFor(30, TimeUnit.SECONDS)) {
            throw new IOException("keytool did not end");
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, SECRET.toCharArray());
        }
        Key secret = keys.getKey("own", SECRET.toCharArray());
        Certificate own = keys.getCertificate("own");
        this.key = (PrivateKey) secret;
        this.certificate = (X509Certificate) own;
        this.certificateFile = pem(directory.resolve(name + ".pem"), "CERTIFICATE", own.getEncoded());
        this.keyFile = pem(directory.resolve(name + ".key"), "PRIVATE KEY", secret.getEncoded());
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
    }

    public Path certificateFile() {
        return certificateFile;
    }

    public Path keyFile() {
        return keyFile;
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public PrivateKey key() {
        return key;
    }

    TlsIdentity config() {
        return new TlsIdentity(certificateFile, keyFile, List.of(certificate), key);
    }

    TlsAuthorities authority() {
        return new TlsAuthorities(certificateFile, List.of(certificate));
    }
}
