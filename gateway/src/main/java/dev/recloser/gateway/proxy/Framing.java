package dev.recloser.gateway.proxy;

/** How the end of a body is known on a connection of HTTP/1. On a stream of HTTP/2 it is always known. */
enum Framing {
    /** There is no body. */
    NONE,
    /** By its length. */
    LENGTH,
    /** By a last chunk. */
    CHUNKED,
    /** By the end of the connection, which only an answer can have. */
    CLOSE
}
