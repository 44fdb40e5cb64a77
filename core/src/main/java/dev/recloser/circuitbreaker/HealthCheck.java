package dev.recloser.circuitbreaker;

/** Asks a dependency how it is, so that an open circuit need not send a caller to find out. */
@FunctionalInterface
public interface HealthCheck {

    /**
     * Whether the dependency is healthy. Called on a thread of the engine's executor, where it may block, but not for longer than the
     * probe's lease: then it is lost, and the next call starts another.
     *
     * @throws Exception when it is not
     */
    boolean isHealthy() throws Exception;
}
