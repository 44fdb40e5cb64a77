package dev.recloser.gateway.config;

import java.util.Optional;

/**
 * Where operators connect, and what they need to change anything.
 *
 * @param listen the address of the admin server
 * @param token what a request must present that changes a circuit; empty if nothing is asked for. It is a secret, and in no text of this
 */
public record AdminConfig(HostPort listen, Optional<String> token) {

    /** An admin server that asks for nothing. */
    public AdminConfig(HostPort listen) {
        this(listen, Optional.empty());
    }

    @Override
    public String toString() {
        return listen + (token.isPresent() ? " with a token" : "");
    }
}
