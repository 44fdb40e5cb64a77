package dev.recloser.http;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Methods that the JDK's client has only in newer JDKs: those of its builders and responses, and how others are found. */
final class NewerJdk {

    /** From JDK 19 on. */
    private static final @Nullable MethodHandle LOCAL_ADDRESS = find(
            HttpClient.Builder.class,
            "localAddress",
            MethodType.methodType(HttpClient.Builder.class, InetAddress.class));

    /** From JDK 25 on. */
    private static final @Nullable MethodHandle CONNECTION_LABEL =
            find(HttpResponse.class, "connectionLabel", MethodType.methodType(Optional.class));

    private NewerJdk() {}

    /** A public method; null if this JDK has none of that name and type. */
    static @Nullable MethodHandle find(Class<?> where, String name, MethodType type) {
        try {
            return MethodHandles.publicLookup().findVirtual(where, name, type);
        } catch (ReflectiveOperationException olderJdk) {
            return null;
        }
    }

    static void localAddress(HttpClient.Builder builder, @Nullable InetAddress address) {
        if (LOCAL_ADDRESS == null) {
            throw new UnsupportedOperationException("localAddress is there from JDK 19 on; this one is "
                    + Runtime.version().feature());
        }
        try {
            LOCAL_ADDRESS.invoke(builder, address);
        } catch (Throwable error) {
            throw unexpected(error);
        }
    }

    /** What the response says, nothing before JDK 25. */
    @SuppressWarnings("unchecked")
    static Optional<String> connectionLabel(HttpResponse<?> response) {
        if (CONNECTION_LABEL == null) {
            return Optional.empty();
        }
        try {
            return (Optional<String>) CONNECTION_LABEL.invoke(response);
        } catch (Throwable error) {
            throw unexpected(error);
        }
    }

    /** For what a method throws that declares nothing that is checked. */
    static RuntimeException unexpected(Throwable error) {
        if (error instanceof Error fatal) {
            throw fatal;
        }
        return error instanceof RuntimeException runtime ? runtime : new IllegalStateException(error);
    }
}
