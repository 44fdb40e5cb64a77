package dev.recloser.benchmarks.gateway;

/** What is to be done when the JVM ends early. */
final class ShutdownHooks {

    private ShutdownHooks() {}

    /** Removes one that is not needed any more. */
    static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook runs.
        }
    }
}
