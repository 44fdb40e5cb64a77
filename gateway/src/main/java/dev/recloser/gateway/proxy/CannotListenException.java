package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.HostPort;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.util.regex.Pattern;

/** A server cannot listen where it should; the message says why, for people. */
public final class CannotListenException extends IOException {

    private static final long serialVersionUID = 1;

    /** What native transports put before the system's own words. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    /** For the address, with what was thrown. */
    public CannotListenException(HostPort address, Throwable cause) {
        super("cannot listen on " + address + ": " + reason(address, cause), cause);
    }

    private static String reason(HostPort address, Throwable cause) {
        if (cause instanceof UnresolvedAddressException) {
            return "there is no host " + address.host();
        }
        String message = cause.getMessage();
        return message == null ? cause.toString() : SYSTEM_CALL.matcher(message).replaceFirst("");
    }
}
