package dev.recloser.gateway.admin;

import dev.recloser.gateway.config.AdminConfig;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.NetUtil;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who may change circuits: no page of somebody else's, and where there is a token, only who presents it. To look, nobody needs one.
 * Thread-safe.
 */
final class Permission {

    private static final Pattern PORT = Pattern.compile(":\\d+$");
    private static final Pattern BEARER = Pattern.compile("[Bb][Ee][Aa][Rr][Ee][Rr] +(\\S+)");

    private final AdminConfig config;

    Permission(AdminConfig config) {
        this.config = config;
    }

    /** What to answer to a request that would change something and may not. */
    Optional<Reply> refusal(FullHttpRequest request) {
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        return origin != null && !isOwn(origin, request)
                ? Optional.of(Reply.problem(
                        HttpResponseStatus.FORBIDDEN,
                        "a page of " + origin + " may not change circuits; one that was reached by an IP address may"))
                : config.token().flatMap(token -> challenge(request, token));
    }

    private static Optional<Reply> challenge(FullHttpRequest request, String token) {
        List<String> credentials = request.headers().getAll(HttpHeaderNames.AUTHORIZATION);
        if (credentials.isEmpty()) {
            return Optional.of(unauthorized("to change circuits needs the admin token", ""));
        }
        Matcher bearer = BEARER.matcher(credentials.get(0));
        boolean right = credentials.size() == 1 && bearer.matches() && isSame(bearer.group(1), token);
        return right
                ? Optional.empty()
                : Optional.of(unauthorized("this is not the admin token", " error=\"invalid_token\""));
    }

    /** In a time that does not depend on where they differ. */
    private static boolean isSame(String presented, String token) {
        return MessageDigest.isEqual(
                presented.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private static Reply unauthorized(String what, String error) {
        return Reply.problem(
                        HttpResponseStatus.UNAUTHORIZED,
                        what + "; send it as Authorization: Bearer TOKEN, as the configuration of the gateway has it")
                .with("WWW-Authenticate", "Bearer" + error);
    }

    /**
     * Whether a page may change something: one that this server itself gave to the browser, from where it now sends the request. That
     * the {@code Origin} is the {@code Host} does not say so, since somebody else's name can be made to mean this server's address; but
     * an address in it does, and so does the name that the server listens at.
     */
    private boolean isOwn(String origin, FullHttpRequest request) {
        String authority = request.headers().get(HttpHeaderNames.HOST, "");
        return origin.equals("http://" + authority)
                && isOwnName(PORT.matcher(authority).replaceFirst(""));
    }

    private boolean isOwnName(String name) {
        return name.equals("localhost")
                || name.equalsIgnoreCase(config.listen().host())
                || NetUtil.isValidIpV4Address(name)
                || (name.startsWith("[") && NetUtil.isValidIpV6Address(name));
    }
}
