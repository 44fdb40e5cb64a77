package dev.recloser.gateway.proxy;

/** What the {@link ClientConnection} is doing. */
enum ClientPhase {
    /** It waits for a request. */
    IDLE,
    /** A part of a head has come. */
    HEAD,
    /** The client takes its answers too slowly; its next request waits until it has taken more of them. */
    FULL,
    /** There is an exchange. */
    BUSY,
    /** The exchange has ended; the rest of its request is read and dropped. */
    DISCARDING,
    /** The last answer is on its way out; what still comes is dropped until the client closes. */
    LINGERING,
    /** It is closed as soon as the last answer is out. */
    CLOSING
}
