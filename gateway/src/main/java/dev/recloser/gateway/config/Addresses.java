package dev.recloser.gateway.config;

import io.netty.util.NetUtil;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/** Reads addresses: those to listen on, {@code HOST:PORT}, and those of destinations, {@code http://HOST[:PORT]} or {@code https://HOST[:PORT]}. */
final class Addresses {

    private static final int LAST_PORT = 65_535;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final String LISTEN_EXAMPLE = "127.0.0.1:8080";
    private static final String DESTINATION_EXAMPLE = "http://127.0.0.1:9101";
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^\\[\\]]*\\]|[^:/\\[\\]]*)(?::([^:]*))?");
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?");
    private static final Pattern ONLY_NUMBERS = Pattern.compile("[0-9.]+");
    private static final Pattern DIGITS = Pattern.compile("\\d{1,9}");
    private static final Pattern URL = Pattern.compile(
            "(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?<authority>[^/?#\\\\]*)(?<rest>.*)", Pattern.DOTALL);

    private final Findings findings;

    Addresses(Findings findings) {
        this.findings = findings;
    }

    /** An address to listen on. */
    Optional<HostPort> listen(String name, String text, Node at) {
        String what = name + " is '" + text + "'";
        Matcher url = URL.matcher(text);
        if (url.matches()) {
            findings.error(at, what + ", which is a URL; write HOST:PORT alone, such as " + LISTEN_EXAMPLE);
            return Optional.empty();
        }
        Matcher parts = HOST_AND_PORT.matcher(text);
        if (!parts.matches() || parts.group(2) == null || parts.group(1).isEmpty()) {
            findings.error(
                    at, what + ", which is no address; write HOST:PORT, such as " + LISTEN_EXAMPLE + " or [::1]:8080");
            return Optional.empty();
        }
        return hostPort(what, parts.group(1), parts.group(2), 0, at);
    }

    /** Where an instance of a service listens. */
    Optional<DestinationConfig> destination(String text, Node at) {
        String what = "destination '" + text + "'";
        Matcher url = URL.matcher(text);
        if (!url.matches()) {
            boolean isAddress = HOST_AND_PORT.matcher(text).matches() && !text.isBlank();
            findings.error(
                    at,
                    what + " is no URL; write "
                            + (isAddress ? "http://" + text : "http://HOST:PORT, such as " + DESTINATION_EXAMPLE));
            return Optional.empty();
        }
        String authority = url.group("authority");
        String scheme = url.group("scheme").toLowerCase(Locale.ROOT);
        Optional<String> problem = urlProblem(scheme, authority, url.group("rest"));
        if (problem.isPresent()) {
            findings.error(at, what + " " + problem.get());
            return Optional.empty();
        }
        Matcher parts = HOST_AND_PORT.matcher(authority);
        if (!parts.matches()) {
            findings.error(
                    at,
                    what + " has a malformed host; write http://HOST:PORT, such as " + DESTINATION_EXAMPLE
                            + " or http://[::1]:9101");
            return Optional.empty();
        }
        boolean secure = scheme.equals("https");
        String port = parts.group(2) == null ? String.valueOf(secure ? HTTPS_PORT : HTTP_PORT) : parts.group(2);
        return hostPort(what, parts.group(1), port, 1, at)
                .map(address -> new DestinationConfig(secure, address, DestinationConfig.USUAL_WEIGHT));
    }

    private static Optional<String> urlProblem(String scheme, String authority, String rest) {
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return Optional.of("has the scheme '" + scheme
                    + "', which is not supported; write http://HOST:PORT or https://HOST:PORT");
        } else if (authority.indexOf('@') >= 0) {
            return Optional.of("has user information, which is not supported; write " + scheme + "://"
                    + authority.substring(authority.lastIndexOf('@') + 1));
        } else if (!rest.isEmpty()) {
            String kind = rest.startsWith("?") ? "a query" : rest.startsWith("#") ? "a fragment" : "a path";
            return Optional.of("has " + kind + ", but requests keep their own; write " + scheme + "://" + authority);
        }
        return Optional.empty();
    }

    private Optional<HostPort> hostPort(String what, String writtenHost, String writtenPort, int firstPort, Node at) {
        boolean portGood = DIGITS.matcher(writtenPort).matches()
                && Integer.parseInt(writtenPort) >= firstPort
                && Integer.parseInt(writtenPort) <= LAST_PORT;
        if (!portGood) {
            findings.error(
                    at,
                    what + " has the port '" + writtenPort + "'; it must be from " + firstPort + " to " + LAST_PORT);
        }
        Optional<String> host = host(writtenHost);
        if (host.isEmpty()) {
            findings.error(
                    at,
                    what + " has the host '" + writtenHost
                            + "', which is no name and no address; write one such as localhost, 127.0.0.1 or [::1]");
        }
        return portGood ? host.map(name -> new HostPort(name, Integer.parseInt(writtenPort))) : Optional.empty();
    }

    /** The host in lower case, an IPv6 address without its brackets; empty if it is none. */
    static Optional<String> host(String written) {
        boolean bracketed = written.startsWith("[") && written.endsWith("]");
        String host = (bracketed ? written.substring(1, written.length() - 1) : written).toLowerCase(Locale.ROOT);
        boolean valid = bracketed
                ? NetUtil.isValidIpV6Address(host)
                : ONLY_NUMBERS.matcher(host).matches()
                        ? NetUtil.isValidIpV4Address(host)
                        : HOST_NAME.matcher(host).matches() && !host.contains("..");
        return valid ? Optional.of(host) : Optional.empty();
    }
}
