package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads where the admin server listens, and the token that changes need: an address, or a mapping of both. Without a token only those may
 * reach it who are on this machine.
 */
final class AdminReader {

    static final String NAME = "admin";

    private static final String LISTEN = "listen";
    private static final String TOKEN = "token";
    private static final String LISTEN_EXAMPLE = "127.0.0.1:9090";
    private static final String TOKEN_EXAMPLE = "${RECLOSER_ADMIN_TOKEN}";
    private static final int SHORTEST_TOKEN = 16;
    private static final int LONGEST_TOKEN = 512;

    /** A shorter one could be any word of what is said. */
    private static final int SHORTEST_SECRET = 8;

    private static final Keys KEYS = Keys.NONE
            .required(LISTEN, Shape.address().example(LISTEN_EXAMPLE), "where it listens, HOST:PORT")
            .optional(
                    TOKEN,
                    Shape.text("[A-Za-z0-9._~+/=-]{" + SHORTEST_TOKEN + "," + LONGEST_TOKEN + "}"),
                    "what a request must present that changes a circuit; must be given if others than this machine reach it");

    static final Shape SHAPE = Shape.either(Shape.address(), Shape.mapping(KEYS));

    /** What can stand behind {@code Authorization: Bearer}. */
    private static final Pattern GOOD_TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private final Findings findings;
    private final Scalars scalars;
    private final Addresses addresses;

    AdminReader(Findings findings) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
        this.addresses = new Addresses(findings);
    }

    Optional<AdminConfig> read(Entry entry) {
        if (!(entry.value() instanceof MappingNode)) {
            Optional<HostPort> listen =
                    scalars.text(entry).flatMap(text -> addresses.listen(NAME, text, entry.value()));
            listen.ifPresent(address -> needToken(address, false, entry.value()));
            return listen.map(AdminConfig::new);
        }
        return Section.of(NAME, entry.keyNode(), entry.value(), findings).flatMap(section -> {
            section.allow(KEYS);
            Optional<Entry> given = section.optional(TOKEN);
            Optional<String> token = given.flatMap(this::token);
            Optional<Entry> where = section.required(LISTEN, LISTEN_EXAMPLE);
            Optional<HostPort> listen =
                    where.flatMap(at -> scalars.text(at).flatMap(text -> addresses.listen(LISTEN, text, at.value())));
            listen.ifPresent(address -> needToken(
                    address, section.keys().contains(TOKEN), where.get().value()));
            return listen.map(address -> new AdminConfig(address, token));
        });
    }

    /** Nothing that is said about the file has it from now on, be it good or bad; what is said here never has. */
    private Optional<String> token(Entry entry) {
        Optional<String> token = scalars.text(entry);
        token.filter(text -> text.length() >= SHORTEST_SECRET).ifPresent(findings.concealed()::addSecret);
        if (token.isPresent() && token.get().length() < SHORTEST_TOKEN) {
            findings.error(
                    entry.value(),
                    TOKEN + " has fewer than " + SHORTEST_TOKEN + " characters, and can be guessed; use at least "
                            + SHORTEST_TOKEN + ", such as what `openssl rand -hex 32` prints");
        } else if (token.isPresent() && token.get().length() > LONGEST_TOKEN) {
            findings.error(
                    entry.value(),
                    TOKEN + " has more than " + LONGEST_TOKEN + " characters; use from " + SHORTEST_TOKEN + " to "
                            + LONGEST_TOKEN);
        } else if (token.isPresent() && !GOOD_TOKEN.matcher(token.get()).matches()) {
            findings.error(
                    entry.value(),
                    TOKEN + " has characters that no request can present; use letters, digits and '-', '.', '_', '~',"
                            + " '+', '/', with '=' at the end");
        }
        return token;
    }

    private void needToken(HostPort listen, boolean hasToken, Node at) {
        if (!hasToken && !isLocal(listen.host())) {
            findings.error(
                    at,
                    NAME + " listens on " + listen + ", where others than this machine may reach it and open and close"
                            + " circuits; write " + NAME + ": { listen: \"" + listen + "\", token: \"" + TOKEN_EXAMPLE
                            + "\" }, or use 127.0.0.1:" + listen.port());
        }
    }

    /** A name may mean any address, but for the one that never does. */
    private static boolean isLocal(String host) {
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(host);
        return address == null ? host.equals("localhost") : address.isLoopbackAddress();
    }
}
