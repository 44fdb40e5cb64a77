package dev.recloser.opentelemetry;

import java.net.URI;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A URL without what may be secret: user and password, and the values in the query. */
final class SafeUrl {

    private static final String REDACTED = "REDACTED";

    private SafeUrl() {}

    /** Such as {@code https://REDACTED:REDACTED@host/path?id=REDACTED}. */
    static String of(URI uri) {
        StringBuilder url = new StringBuilder();
        if (uri.getScheme() != null) {
            url.append(uri.getScheme()).append(':');
        }
        String authority = uri.getRawAuthority();
        if (authority != null) {
            url.append("//").append(withoutUser(authority));
        }
        if (uri.getRawPath() != null) {
            url.append(uri.getRawPath());
        }
        if (uri.getRawQuery() != null) {
            url.append('?').append(withoutValues(uri.getRawQuery()));
        }
        return url.toString();
    }

    private static String withoutUser(String authority) {
        int end = authority.lastIndexOf('@');
        if (end < 0) {
            return authority;
        }
        boolean hasPassword = authority.lastIndexOf(':', end) >= 0;
        return (hasPassword ? REDACTED + ":" + REDACTED : REDACTED) + authority.substring(end);
    }

    /** What has no name may be a value. */
    private static String withoutValues(String query) {
        return Arrays.stream(query.split("&", -1))
                .map(part -> part.isEmpty() ? part : part.substring(0, part.indexOf('=') + 1) + REDACTED)
                .collect(Collectors.joining("&"));
    }
}
