package dev.recloser.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Makes the engine's executor: a virtual thread per task where the JDK has them, else daemon threads as needed. */
final class EngineExecutor {

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    private static final long IDLE_SECONDS = 30;

    private EngineExecutor() {}

    static Executor create() {
        return Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS ? virtual() : growingPool();
    }

    private static Executor virtual() {
        try {
            return (Executor) MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(java.util.concurrent.ExecutorService.class))
                    .invoke();
        } catch (Throwable e) {
            throw new LinkageError("a JDK of " + Runtime.version() + " must have virtual threads", e);
        }
    }

    /** A daemon that keeps nothing of the thread that happens to start it: neither thread-locals nor class loader. */
    static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setContextClassLoader(null);
        thread.setDaemon(true);
        return thread;
    }

    private static Executor growingPool() {
        AtomicLong number = new AtomicLong();
        ThreadFactory daemons = task -> thread(task, "recloser-" + number.incrementAndGet());
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons);
    }
}
