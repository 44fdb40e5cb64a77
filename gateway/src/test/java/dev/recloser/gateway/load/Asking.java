package dev.recloser.gateway.load;

import java.io.IOException;

/** A client that sends one request after the other. Not thread-safe. */
interface Asking extends AutoCloseable {

    /**
     * Sends a request with a body of about this size, and checks that the answer is its own.
     *
     * @return how it ended, as the ledger has it
     * @throws IOException when there is no connection, and nothing was sent
     */
    String ask(String cluster, int size) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
