package dev.recloser.spi;

import dev.recloser.Registration;
import java.lang.System.Logger;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Keeps something bound to each member of a collection whose members come and go, such as meters to the circuits of a store. Whoever changes
 * the collection says so with {@link #changed}, under no lock: what is bound is the user's. Thread-safe.
 *
 * @param <T> the members, which are told apart by identity
 */
public final class Bindings<T> {

    private static final Logger LOG = System.getLogger("dev.recloser");

    private final Supplier<? extends Collection<? extends T>> members;
    private final List<Binder<T>> binders = new CopyOnWriteArrayList<>();

    /**
     * Nothing bound yet.
     *
     * @param members the members at this moment
     */
    public Bindings(Supplier<? extends Collection<? extends T>> members) {
        this.members = members;
    }

    /**
     * Binds something to each member that there is, and to each that comes.
     *
     * @param bind what is called for each, once; the registration is removed when the member has gone. What it throws is logged.
     * @return removes all that is bound
     */
    public Registration add(Function<? super T, ? extends Registration> bind) {
        Binder<T> binder = new Binder<>(members, Objects.requireNonNull(bind, "bind"));
        binders.add(binder);
        binder.wake();
        return () -> {
            binders.remove(binder);
            binder.remove();
        };
    }

    /** Members have come or gone. Costs next to nothing where nothing is bound. */
    public void changed() {
        for (Binder<T> binder : binders) {
            binder.wake();
        }
    }

    /** What one function has bound. One thread at a time brings it up to date; whoever else wakes it meanwhile need not wait. */
    private static final class Binder<T> {

        private static final Registration NOTHING = () -> {};

        private final Supplier<? extends Collection<? extends T>> members;
        private final Function<? super T, ? extends Registration> bind;
        private final IdentityHashMap<T, Registration> bound = new IdentityHashMap<>();
        private final AtomicInteger woken = new AtomicInteger();
        private volatile boolean removed;

        Binder(Supplier<? extends Collection<? extends T>> members, Function<? super T, ? extends Registration> bind) {
            this.members = members;
            this.bind = bind;
        }

        void remove() {
            removed = true;
            wake();
        }

        void wake() {
            if (woken.getAndIncrement() == 0) {
                int seen = woken.get();
                while (seen != 0) {
                    update();
                    seen = woken.addAndGet(-seen);
                }
            }
        }

        private void update() {
            Set<T> present = Collections.newSetFromMap(new IdentityHashMap<>());
            if (!removed) {
                present.addAll(members.get());
            }
            bound.entrySet().removeIf(entry -> {
                boolean gone = !present.contains(entry.getKey());
                if (gone) {
                    guarded(entry.getValue()::remove);
                }
                return gone;
            });
            present.forEach(member -> {
                if (!bound.containsKey(member)) {
                    bound.put(member, NOTHING);
                    guarded(() -> bound.put(member, bind.apply(member)));
                }
            });
        }

        private static void guarded(Runnable action) {
            try {
                action.run();
            } catch (Throwable thrown) {
                LOG.log(Logger.Level.WARNING, "what was to be bound, or no longer, threw", thrown);
            }
        }
    }
}
