package dev.recloser.http;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The shutdown methods that the JDK's client has from JDK 21 on. Before, an unused client goes by itself, and these do nothing. */
final class TransportShutdown {

    private static final @Nullable MethodHandle SHUTDOWN = find("shutdown", MethodType.methodType(void.class));
    private static final @Nullable MethodHandle SHUTDOWN_NOW = find("shutdownNow", MethodType.methodType(void.class));
    private static final @Nullable MethodHandle IS_TERMINATED =
            find("isTerminated", MethodType.methodType(boolean.class));
    private static final @Nullable MethodHandle AWAIT_TERMINATION =
            find("awaitTermination", MethodType.methodType(boolean.class, Duration.class));

    private TransportShutdown() {}

    private static @Nullable MethodHandle find(String name, MethodType type) {
        try {
            return MethodHandles.publicLookup().findVirtual(HttpClient.class, name, type);
        } catch (ReflectiveOperationException before21) {
            return null;
        }
    }

    static void shutdown(HttpClient client) {
        run(SHUTDOWN, client);
    }

    static void shutdownNow(HttpClient client) {
        run(SHUTDOWN_NOW, client);
    }

    private static void run(@Nullable MethodHandle method, HttpClient client) {
        if (method == null) {
            return;
        }
        try {
            method.invokeExact(client);
        } catch (Throwable error) {
            throw unexpected(error);
        }
    }

    static boolean isTerminated(HttpClient client) {
        if (IS_TERMINATED == null) {
            return true;
        }
        try {
            return (boolean) IS_TERMINATED.invokeExact(client);
        } catch (Throwable error) {
            throw unexpected(error);
        }
    }

    static boolean awaitTermination(HttpClient client, Duration longest) throws InterruptedException {
        if (AWAIT_TERMINATION == null) {
            return true;
        }
        try {
            return (boolean) AWAIT_TERMINATION.invokeExact(client, longest);
        } catch (InterruptedException interrupt) {
            throw interrupt;
        } catch (Throwable error) {
            throw unexpected(error);
        }
    }

    /** The methods throw nothing that is checked but what is handled above. */
    private static RuntimeException unexpected(Throwable error) {
        if (error instanceof Error fatal) {
            throw fatal;
        }
        return error instanceof RuntimeException runtime ? runtime : new IllegalStateException(error);
    }
}
