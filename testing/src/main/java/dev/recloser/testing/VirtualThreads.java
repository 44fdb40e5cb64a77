package dev.recloser.testing;

import java.lang.reflect.Method;

/** Starts virtual threads on JDKs that have them, from code that also runs on those that do not. */
final class VirtualThreads {

    static final boolean EXIST = Runtime.version().feature() >= 21;

    private VirtualThreads() {}

    static Thread start(Runnable task) {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) start.invoke(null, task);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException("this JDK has no virtual threads", e);
        }
    }
}
