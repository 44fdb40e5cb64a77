package dev.recloser.gateway.proxy;

/** Is told of every request that has ended. */
@FunctionalInterface
public interface AccessListener {

    /** A request has ended. Comes on the event loop that served it, and so must neither wait nor throw. */
    void ended(AccessRecord request);
}
