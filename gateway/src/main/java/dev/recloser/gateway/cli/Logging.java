package dev.recloser.gateway.cli;

import java.lang.System.Logger.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Sets up the log of the process: one line for each record, on the standard error stream. */
final class Logging {

    private static final String MANAGER = "java.util.logging.manager";
    private static final String[] OWN_SETTINGS = {
        MANAGER, "java.util.logging.config.file", "java.util.logging.config.class"
    };

    private Logging() {}

    /** To be called before anything logs. Whoever has settings of their own keeps them. */
    static void setUp() {
        for (String property : OWN_SETTINGS) {
            if (System.getProperty(property) != null) {
                return;
            }
        }
        System.setProperty(MANAGER, LastingLogManager.class.getName());
        Logger root = LogManager.getLogManager().getLogger("");
        for (var handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.addHandler(new StandardErrorHandler());
    }

    /** Logs what no command has foreseen, with all there is to know of it. */
    static void failure(Throwable failure) {
        System.getLogger("dev.recloser.gateway.cli").log(Level.ERROR, "this should not have happened", failure);
    }
}
