package dev.recloser.opentelemetry;

import dev.recloser.Registration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Keeps something bound to each of several things, once however often that is asked for, and until whoever asked has taken it back.
 * Thread-safe.
 *
 * @param <K> what tells the things apart
 */
final class Shared<K> {

    /** For what needs nothing but to be known. */
    static final Registration NOTHING = () -> {};

    private final Map<K, Share> shares = new HashMap<>();

    private boolean isClosed;

    private static final class Share {

        private final Registration bound;
        private int holders;

        Share(Registration bound) {
            this.bound = bound;
        }
    }

    /**
     * Binds, unless that is done already, or this is closed.
     *
     * @return takes it back; the last one removes what is bound
     */
    synchronized Registration hold(K key, Supplier<Registration> bind) {
        if (isClosed) {
            return NOTHING;
        }
        Share share = shares.get(key);
        if (share == null) {
            share = new Share(bind.get());
            shares.put(key, share);
        }
        share.holders++;
        return new Hold(key, share);
    }

    private final class Hold implements Registration {

        private final K key;
        private final Share share;
        private boolean isRemoved;

        Hold(K key, Share share) {
            this.key = key;
            this.share = share;
        }

        @Override
        public void remove() {
            synchronized (Shared.this) {
                if (!isRemoved) {
                    isRemoved = true;
                    share.holders--;
                    if (share.holders == 0 && shares.remove(key, share)) {
                        share.bound.remove();
                    }
                }
            }
        }
    }

    /** The things to which something is bound. */
    synchronized List<K> keys() {
        return List.copyOf(shares.keySet());
    }

    /** Removes all that is bound, whoever asked for it. Nothing is bound from then on. */
    synchronized void close() {
        isClosed = true;
        List<Share> all = new ArrayList<>(shares.values());
        shares.clear();
        all.forEach(share -> share.bound.remove());
    }
}
