package dev.recloser.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost that has signed itself, made by the JDK's keytool. */
final class Certificate {

    private static final String ALIAS = "localhost";
    private static final String PASSWORD = "secret";

    private final KeyStore store;
    private final Path file;

    private Certificate(KeyStore store, Path file) {
        this.store = store;
        this.file = file;
    }

    /** Makes one, and writes it with its key into a file in the format PEM, as servers want it. */
    static Certificate create(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path keys = folder.resolve("keys.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed:\n" + Files.readString(folder.resolve("keytool.log")));
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        String pem = pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded())
                + pem("PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
        return new Certificate(store, Files.writeString(folder.resolve("localhost.pem"), pem));
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }

    Path file() {
        return file;
    }

    /** For clients that trust this certificate and no other. */
    SSLContext trusting() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
