package dev.recloser.time;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks on the thread that hands them over: one after the other, so that those that hand over others do not pile up on the stack. */
final class InlineExecutor implements Executor {

    private static final ThreadLocal<Queue<Runnable>> WAITING = new ThreadLocal<>();

    @Override
    public void execute(Runnable task) {
        Queue<Runnable> behind = WAITING.get();
        if (behind != null) {
            behind.add(task);
            return;
        }
        behind = new ArrayDeque<>();
        WAITING.set(behind);
        try {
            runAll(task, behind);
        } finally {
            WAITING.remove();
        }
    }

    /** What one of them throws does not keep the others from running. */
    private static void runAll(Runnable first, Queue<Runnable> behind) {
        Runnable next = first;
        try {
            for (; next != null; next = behind.poll()) {
                next.run();
            }
        } finally {
            if (next != null && !behind.isEmpty()) {
                runAll(behind.remove(), behind);
            }
        }
    }

    /** Does something that happens in the middle of a task, and whose own tasks are not to wait until that has ended. */
    static void apart(Runnable step) {
        Queue<Runnable> outer = WAITING.get();
        if (outer == null) {
            step.run();
            return;
        }
        WAITING.remove();
        try {
            step.run();
        } finally {
            WAITING.set(outer);
        }
    }
}
