package dev.recloser.gateway.proxy;

/**
 * The rules for request targets. The path is matched as it was sent and is sent on as it was matched; so whatever a service could
 * read as another path than the gateway did is refused: dot segments in any spelling, encoded backslashes, control characters,
 * fragments; and encoded slashes, unless they are allowed. Those that are allowed separate segments where dots are looked for, and are
 * like any other characters where paths are matched.
 */
final class Target {

    private static final int NOT_HEX = -1;

    private Target() {}

    /**
     * Checks a target in origin-form.
     *
     * @param slashes whether its path may have encoded slashes
     * @return where its path ends: the index of the question mark, or its length
     */
    static int checkedPathEnd(String target, boolean slashes) {
        int end = target.indexOf('?');
        int pathEnd = end < 0 ? target.length() : end;
        checkPath(target, pathEnd, slashes);
        for (int i = pathEnd; i < target.length(); i++) {
            checkRaw(target.charAt(i));
        }
        return pathEnd;
    }

    private static void checkPath(String target, int end, boolean slashes) {
        int segment = 1;
        for (int i = 0; i < end; i++) {
            char c = target.charAt(i);
            checkRaw(c);
            if (c == '/') {
                segment = i + 1;
            } else if (c == '\\') {
                throw new BadRequestException("The path has a backslash.");
            } else if (c == '%' && checkedEncoded(target, i, end, slashes) == '/') {
                segment = i + 3;
            }
            if (i == segment && (c == '.' || c == '%')) {
                checkDots(target, segment, end);
            }
        }
    }

    private static void checkRaw(char c) {
        if (c <= ' ' || c >= 0x7f || c == '#') {
            throw new BadRequestException("The request target has a character that must be encoded.");
        }
    }

    private static int checkedEncoded(String target, int at, int end, boolean slashes) {
        int value = encoded(target, at, end);
        if (value == NOT_HEX) {
            throw new BadRequestException("The path has a broken percent encoding.");
        }
        if ((value == '/' && !slashes) || value == '\\' || value < ' ' || value == 0x7f) {
            throw new BadRequestException("The path has an encoded slash, backslash or control character.");
        }
        return value;
    }

    /** Refuses a segment of one or two dots, each encoded or not, with parameters behind them or not. */
    private static void checkDots(String target, int start, int end) {
        int dots = 0;
        int i = start;
        while (i < end) {
            char c = target.charAt(i);
            int value = c == '%' ? encoded(target, i, end) : c;
            if (value == ';' || value == '/') {
                break;
            }
            if (value != '.' || ++dots > 2) {
                return;
            }
            i += c == '%' ? 3 : 1;
        }
        if (dots > 0) {
            throw new BadRequestException("The path has a dot segment.");
        }
    }

    private static int encoded(String target, int at, int end) {
        if (at + 2 >= end) {
            return NOT_HEX;
        }
        int high = Character.digit(target.charAt(at + 1), 16);
        int low = Character.digit(target.charAt(at + 2), 16);
        return high < 0 || low < 0 ? NOT_HEX : 16 * high + low;
    }

    /** Whether this can stand in a {@code Host} header: a name or address, perhaps with a port. */
    static boolean isAuthority(String text) {
        int portStart = text.lastIndexOf(':');
        int hostEnd = portStart < 0 || text.endsWith("]") ? text.length() : portStart;
        return isHost(text, hostEnd) && (hostEnd == text.length() || isPort(text, hostEnd + 1));
    }

    private static boolean isHost(String text, int end) {
        if (end == 0) {
            return false;
        }
        boolean bracketed = text.charAt(0) == '[';
        if (bracketed && (end < 4 || text.charAt(end - 1) != ']')) {
            return false;
        }
        for (int i = bracketed ? 1 : 0; i < (bracketed ? end - 1 : end); i++) {
            char c = text.charAt(i);
            boolean fits = bracketed ? isHex(c) || c == ':' || c == '.' : isNameChar(c);
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHex(char c) {
        return c < 0x80 && Character.digit(c, 16) >= 0;
    }

    private static boolean isNameChar(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "-._~%!$&'()*+;=".indexOf(c) >= 0;
    }

    private static boolean isPort(String text, int start) {
        int port = 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
            port = 10 * port + c - '0';
            if (port > 65535) {
                return false;
            }
        }
        return true;
    }
}
