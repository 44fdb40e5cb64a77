package dev.recloser.circuitbreaker;

import dev.recloser.OutcomeClass;
import dev.recloser.Registration;
import java.lang.System.Logger;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers transitions to listeners: all of them, in order, on the engine's executor.
 *
 * <p>Each state carries the entry of the transition that led to it, and whoever moves the circuit on links that entry to the next
 * one. The compare-and-set that moves the circuit thereby orders the entries too, with no queue and no lock; a listener follows the
 * links from the state in which it found the circuit. Each has its own place in the chain, so a slow one delays nobody, and where
 * nobody listens no entry is held.
 */
final class Journal {

    private static final Logger LOG = System.getLogger("dev.recloser.circuitbreaker");

    /** A transition in the chain; the first one of a circuit has none. */
    static final class Entry {

        /** Set before the state that carries the entry becomes the current one. */
        @Nullable
        CircuitTransition transition;

        /** The entry of the state that followed, linked as soon as it has become the current one. */
        volatile @Nullable Entry next;
    }

    private final Executor executor;

    /** Replaced as a whole, so that going through it makes no object. */
    private volatile Reader[] readers = {};

    Journal(Executor executor) {
        this.executor = executor;
    }

    /** Sees to it that what has been linked is delivered. */
    void wake() {
        for (Reader reader : readers) {
            reader.wake();
        }
    }

    /** Delivers what follows the entry to the listener until it is removed. */
    Reader subscribe(Entry latest, CircuitListener listener) {
        Reader reader = new Reader(latest, listener);
        add(reader);
        reader.wake();
        return reader;
    }

    private synchronized void add(Reader reader) {
        Reader[] more = Arrays.copyOf(readers, readers.length + 1);
        more[readers.length] = reader;
        readers = more;
    }

    private synchronized void unsubscribe(Reader reader) {
        readers = Arrays.stream(readers).filter(other -> other != reader).toArray(Reader[]::new);
    }

    /** Tells all listeners at once, on this thread. */
    void rejected(CircuitBreaker breaker) {
        for (Reader reader : readers) {
            try {
                reader.listener.rejected(breaker);
            } catch (Throwable e) {
                logThrown(e);
            }
        }
    }

    /** Tells all listeners at once, on this thread. */
    void caused(CircuitTransition transition) {
        tellAll(listener -> listener.caused(transition));
    }

    /** Tells all listeners at once, on this thread. */
    void late(CircuitBreaker breaker, OutcomeClass outcome) {
        tellAll(listener -> listener.late(breaker, outcome));
    }

    /** Tells all listeners at once, on this thread. */
    void probeLost(CircuitBreaker breaker) {
        tellAll(listener -> listener.probeLost(breaker));
    }

    private void tellAll(Consumer<CircuitListener> what) {
        for (Reader reader : readers) {
            try {
                what.accept(reader.listener);
            } catch (Throwable e) {
                logThrown(e);
            }
        }
    }

    private static void logThrown(Throwable e) {
        LOG.log(Logger.Level.WARNING, "a listener of a circuit breaker threw", e);
    }

    /** A listener and its place in the chain. */
    final class Reader implements Registration {

        private final CircuitListener listener;

        /** Where the listener is in the chain. */
        private volatile Entry read;

        /** How often it was woken since the delivering thread last looked; more than zero while one delivers. */
        private final AtomicInteger woken = new AtomicInteger();

        private volatile boolean removed;

        private Reader(Entry read, CircuitListener listener) {
            this.read = read;
            this.listener = listener;
        }

        @Override
        public void remove() {
            removed = true;
            unsubscribe(this);
            // Whoever keeps the registration does not keep what comes from now on.
            read = new Entry();
        }

        private void wake() {
            if (woken.getAndIncrement() == 0) {
                try {
                    executor.execute(this::deliver);
                } catch (Throwable noThread) {
                    // The next transition tries again, and delivers this one too.
                    woken.set(0);
                    LOG.log(Logger.Level.WARNING, "no thread to tell a listener of a circuit breaker", noThread);
                }
            }
        }

        private void deliver() {
            int seen = woken.get();
            while (seen != 0) {
                for (Entry next = read.next; next != null && !removed; next = next.next) {
                    read = next;
                    CircuitTransition transition = next.transition;
                    if (transition != null) {
                        tell(transition);
                    }
                }
                seen = woken.addAndGet(-seen);
            }
        }

        private void tell(CircuitTransition transition) {
            try {
                listener.transitioned(transition);
            } catch (Throwable e) {
                logThrown(e);
            }
        }
    }
}
