package dev.recloser.benchmarks;

/** What is to be done when the JVM ends early. */
public final class ShutdownHooks {

    private ShutdownHooks() {}

    /** Removes one that is not needed any more. */
    public static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook runs.
        }
    }
}
