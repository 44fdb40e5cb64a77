package dev.recloser.http;

import dev.recloser.RejectedException;
import java.io.IOException;

/**
 * A request that was not sent, or not sent again, because a strategy said so: the circuit is open, a limit is reached. An {@link
 * IOException}, so that code written for the JDK's client is ready for it. A timeout is not one of these, but a {@link
 * java.net.http.HttpTimeoutException}.
 */
public final class RequestRejectedException extends IOException {

    private static final long serialVersionUID = 1;

    private final RejectedException rejection;

    /**
     * Made by clients.
     *
     * @param rejection what the strategy said
     */
    public RequestRejectedException(RejectedException rejection) {
        super(rejection.getMessage(), rejection);
        this.rejection = rejection;
    }

    /**
     * What the strategy said: which one it was, when another try makes sense, and what earlier attempts of the same request failed with.
     * It is the cause, too.
     */
    public RejectedException rejection() {
        return rejection;
    }
}
