package dev.recloser.http;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The shutdown methods that the JDK's client has from JDK 21 on. Before, an unused client goes by itself, and these do nothing. */
final class TransportShutdown {

    private static final @Nullable MethodHandle SHUTDOWN =
            NewerJdk.find(HttpClient.class, "shutdown", MethodType.methodType(void.class));
    private static final @Nullable MethodHandle SHUTDOWN_NOW =
            NewerJdk.find(HttpClient.class, "shutdownNow", MethodType.methodType(void.class));
    private static final @Nullable MethodHandle IS_TERMINATED =
            NewerJdk.find(HttpClient.class, "isTerminated", MethodType.methodType(boolean.class));
    private static final @Nullable MethodHandle AWAIT_TERMINATION =
            NewerJdk.find(HttpClient.class, "awaitTermination", MethodType.methodType(boolean.class, Duration.class));

    private TransportShutdown() {}

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
            throw NewerJdk.unexpected(error);
        }
    }

    static boolean isTerminated(HttpClient client) {
        if (IS_TERMINATED == null) {
            return true;
        }
        try {
            return (boolean) IS_TERMINATED.invokeExact(client);
        } catch (Throwable error) {
            throw NewerJdk.unexpected(error);
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
            throw NewerJdk.unexpected(error);
        }
    }
}
