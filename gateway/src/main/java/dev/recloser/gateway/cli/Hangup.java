package dev.recloser.gateway.cli;

import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Has something done when the process gets SIGHUP, which else would end it. The JDK has no other way to do so than classes which the
 * compiler warns of whatever it is told; hence by reflection.
 */
final class Hangup implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.recloser.gateway");

    private final Object signal;
    private final @Nullable Object before;

    private Hangup(Object signal, @Nullable Object before) {
        this.signal = signal;
        this.before = before;
    }

    /** From now on; empty where there is no such signal, or it is not left to the program. */
    static Optional<Hangup> install(Runnable action) {
        try {
            Object signal = type("Signal").getConstructor(String.class).newInstance("HUP");
            return Optional.of(new Hangup(signal, handle(signal, handler(action))));
        } catch (ReflectiveOperationException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            LOG.log(Level.DEBUG, "SIGHUP cannot be used to reload", cause);
            return Optional.empty();
        }
    }

    private static Object handler(Runnable action) throws ClassNotFoundException {
        Class<?> type = type("SignalHandler");
        return Proxy.newProxyInstance(
                Hangup.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> switch (method.getName()) {
                    case "handle" -> {
                        action.run();
                        yield null;
                    }
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    default -> "reloads on SIGHUP";
                });
    }

    /** Returns what handled the signal before. */
    private static @Nullable Object handle(Object signal, Object handler) throws ReflectiveOperationException {
        Method handle = type("Signal").getMethod("handle", type("Signal"), type("SignalHandler"));
        return handle.invoke(null, signal, handler);
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName("sun.misc." + name);
    }

    /** The signal does what it did before. */
    @Override
    public void close() {
        if (before == null) {
            return;
        }
        try {
            var unused = handle(signal, before);
        } catch (ReflectiveOperationException e) {
            LOG.log(Level.DEBUG, "SIGHUP cannot be given back", e);
        }
    }
}
