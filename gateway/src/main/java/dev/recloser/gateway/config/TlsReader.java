package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * Reads how TLS is spoken, with clients and with destinations, and the files that are named for it. A relative path begins at the directory of
 * the configuration.
 */
final class TlsReader {

    static final String NAME = "tls";
    static final String PROTOCOL = "protocol";

    private static final List<String> PROTOCOLS =
            Arrays.stream(UpstreamProtocol.values()).map(UpstreamProtocol::key).toList();
    private static final String CERTIFICATE_EXAMPLE = "server.pem";
    private static final String KEY_EXAMPLE = "server.key";

    static final Shape PROTOCOL_SHAPE =
            Shape.oneOf(PROTOCOLS).byDefault(UpstreamConfig.USUAL.protocol().key());

    static final Keys LISTENER_KEYS = Keys.NONE
            .required(
                    "certificate",
                    Shape.text().example(CERTIFICATE_EXAMPLE),
                    "a PEM file with the certificate, and behind it those of the authorities between")
            .required("key", Shape.text().example(KEY_EXAMPLE), "a PEM file with the private key of the certificate")
            .optional(
                    "client-ca",
                    Shape.text(),
                    "a PEM file with the authorities that vouch for clients; clients need no certificate if left out");

    static final Keys CLUSTER_KEYS = Keys.NONE
            .optional(
                    "ca",
                    Shape.text(),
                    "a PEM file with the authorities that vouch for the destinations; those of the JDK if left out")
            .optional("server-name", Shape.text(), "the name that a destination must have; that of its URL if left out")
            .optional(
                    "verify",
                    Shape.flag().byDefault(DestinationTls.USUAL.verify()),
                    "whether the certificate of a destination is looked at")
            .optional("certificate", Shape.text(), "a PEM file with the certificate of the gateway, if it needs one")
            .optional("key", Shape.text(), "a PEM file with the private key of the certificate");

    /** Certificates are usually renewed earlier. */
    private static final Duration SOON = Duration.ofDays(14);

    /** What reads a file. */
    private interface Loader<T> {
        T load(Path file) throws IOException;
    }

    private final Findings findings;
    private final Scalars scalars;
    private final Path directory;

    /**
     * A reader.
     *
     * @param directory where relative paths begin
     */
    TlsReader(Findings findings, Path directory) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
        this.directory = directory;
    }

    // ---- clients

    Optional<ListenerTls> listener(Entry entry) {
        return Section.of(NAME, entry.keyNode(), entry.value(), findings).flatMap(section -> {
            section.allow(LISTENER_KEYS);
            Optional<TlsAuthorities> authorities = section.optional("client-ca").flatMap(this::authorities);
            section.required("certificate", CERTIFICATE_EXAMPLE);
            section.required("key", KEY_EXAMPLE);
            return identity(section).map(identity -> new ListenerTls(identity, authorities));
        });
    }

    // ---- destinations

    /** What holds for a cluster; its keys that are about something else are not looked at. */
    UpstreamConfig cluster(Section cluster) {
        return new UpstreamConfig(
                cluster.optional(PROTOCOL).flatMap(this::protocol).orElse(UpstreamProtocol.HTTP_1),
                cluster.optional(NAME)
                        .flatMap(entry -> Section.of(NAME, entry.keyNode(), entry.value(), findings))
                        .map(section -> destinations(section.allow(CLUSTER_KEYS)))
                        .orElse(DestinationTls.USUAL));
    }

    private DestinationTls destinations(Section section) {
        Optional<TlsAuthorities> authorities = section.optional("ca").flatMap(this::authorities);
        boolean verify = section.optional("verify").flatMap(scalars::flag).orElse(true);
        if (!verify) {
            section.optional("verify")
                    .ifPresent(entry -> findings.warning(
                            entry.value(),
                            "verify is false: whoever gets between the gateway and a destination reads and changes what they say; give"
                                    + " the authority of its certificate with ca"));
        }
        boolean half = section.optional("certificate").isPresent()
                != section.optional("key").isPresent();
        if (half) {
            section.required("certificate", CERTIFICATE_EXAMPLE);
            section.required("key", KEY_EXAMPLE);
        }
        return new DestinationTls(
                authorities, section.optional("server-name").flatMap(this::host), verify, identity(section));
    }

    private Optional<String> host(Entry entry) {
        Optional<String> text = scalars.text(entry);
        Optional<String> host = text.flatMap(Addresses::host);
        if (text.isPresent() && host.isEmpty()) {
            findings.error(
                    entry.value(),
                    entry.key() + " is '" + text.get() + "', which is no name; write one such as example.com");
        }
        return host;
    }

    private Optional<UpstreamProtocol> protocol(Entry entry) {
        return scalars.oneOf(entry, List.of(UpstreamProtocol.values()), UpstreamProtocol::key);
    }

    /** Whether a cluster asks for HTTP/2. What else stands there is looked at elsewhere. */
    static boolean isHttp2(Section cluster) {
        return cluster.optional(PROTOCOL)
                .filter(entry -> entry.value() instanceof ScalarNode scalar
                        && scalar.getValue().equals(UpstreamProtocol.HTTP_2.key()))
                .isPresent();
    }

    // ---- both

    private Optional<TlsIdentity> identity(Section section) {
        Optional<Entry> certificate = section.optional("certificate");
        Optional<Entry> key = section.optional("key");
        Optional<List<X509Certificate>> chain = certificate.flatMap(named -> load(named, PemFiles::certificates));
        Optional<PrivateKey> secret = key.flatMap(named -> load(named, PemFiles::privateKey));
        if (certificate.isEmpty() || key.isEmpty() || chain.isEmpty() || secret.isEmpty()) {
            return Optional.empty();
        }
        X509Certificate own = chain.get().get(0);
        if (!PemFiles.isPair(secret.get(), own.getPublicKey())) {
            findings.error(
                    key.get().value(),
                    "the key does not belong to the certificate; give the key with which the first certificate of"
                            + " the file was requested");
            return Optional.empty();
        }
        TlsIdentity identity = new TlsIdentity(
                path(certificate.get()).orElseThrow(), path(key.get()).orElseThrow(), chain.get(), secret.get());
        advise(identity, certificate.get());
        return Optional.of(identity);
    }

    private Optional<TlsAuthorities> authorities(Entry entry) {
        return load(entry, file -> new TlsAuthorities(file, PemFiles.certificates(file)));
    }

    private void advise(TlsIdentity identity, Entry at) {
        Instant now = Instant.now();
        X509Certificate own = identity.chain().get(0);
        Instant begin = own.getNotBefore().toInstant();
        Instant end = identity.end();
        boolean isOwn = end.equals(own.getNotAfter().toInstant());
        String which = isOwn ? "the certificate" : "the certificate of an authority behind it";
        if (end.isBefore(now)) {
            findings.warning(at.value(), which + " has expired on " + end + "; renew it");
        } else if (end.isBefore(now.plus(SOON))) {
            findings.warning(at.value(), which + " expires on " + end + "; renew it");
        } else if (begin.isAfter(now)) {
            findings.warning(
                    at.value(), "the certificate is not valid before " + begin + "; look at the clock of this machine");
        }
    }

    private <T> Optional<T> load(Entry entry, Loader<T> loader) {
        return path(entry).flatMap(file -> {
            try {
                return Optional.of(loader.load(file));
            } catch (IOException e) {
                findings.error(entry.value(), entry.key() + ": " + file + " " + e.getMessage());
                return Optional.empty();
            }
        });
    }

    private Optional<Path> path(Entry entry) {
        return scalars.text(entry).flatMap(text -> {
            try {
                return Optional.of(directory.resolve(text));
            } catch (InvalidPathException e) {
                findings.error(entry.value(), entry.key() + " is '" + text + "', which is no path of a file");
                return Optional.empty();
            }
        });
    }
}
