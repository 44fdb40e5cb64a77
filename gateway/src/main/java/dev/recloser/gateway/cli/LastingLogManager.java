package dev.recloser.gateway.cli;

import java.util.logging.LogManager;

/**
 * A log manager that goes on when the process is told to end. The JDK's own one removes all handlers as soon as that begins, so
 * that nothing said while the gateway drains would be seen.
 */
public final class LastingLogManager extends LogManager {

    /** Made by the JDK, which knows it by name. */
    public LastingLogManager() {}

    @Override
    public void reset() {
        // Handlers stay until the process is gone.
    }
}
