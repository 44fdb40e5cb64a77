package dev.recloser.gateway.proxy;

/** The connection of a client, whatever is spoken on it. */
interface ClientChannel {

    /** The gateway goes down: closes the connection as soon as no request is lost by that. */
    void drain();

    /** Closes it at once, whatever is under way. */
    void close();
}
