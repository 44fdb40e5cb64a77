package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ConnectionLimitConfig;
import dev.recloser.gateway.config.HostPort;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many connections a cluster may have to each of its destinations, on all event loops together, and the requests that wait for one:
 * first come, first served. It outlives the settings of its cluster, so that a number that is changed counts what there is. Thread-safe.
 *
 * <p>While nobody waits, a connection costs an addition and a subtraction. A request waits where no destination that it may use has room,
 * and then whatever could help it is looked at under a lock: a {@link Room} that has been left, or an idle connection that is
 * {@linkplain Room#next passed on}. Whoever leaves looks for one who waits afterwards, and whoever waits looks for room afterwards; so one
 * of the two sees the other.
 */
final class ConnectionLimit {

    private final Map<HostPort, Room> rooms = new ConcurrentHashMap<>();
    private final List<Lane> lanes = new CopyOnWriteArrayList<>();

    /** In the order in which they came. */
    private final Set<Awaiting> queue = new LinkedHashSet<>();

    private volatile int waiting;
    private volatile int most = Integer.MAX_VALUE;
    private volatile int longest;

    /** Connections to one destination. */
    final class Room {

        private int users; // pools, counted under the lock
        private final AtomicInteger taken = new AtomicInteger();

        /** There may be another connection, which is counted from now on; false if there may not, or others wait for it. */
        boolean enter() {
            return waiting == 0 && take();
        }

        /** The same, whoever waits. */
        boolean take() {
            for (int now = taken.get(); now < most; now = taken.get()) {
                if (taken.compareAndSet(now, now + 1)) {
                    return true;
                }
            }
            return false;
        }

        /** A connection that was counted is there no more. */
        void leave() {
            taken.decrementAndGet();
            serve();
        }

        int taken() {
            return taken.get();
        }

        boolean isFree() {
            return taken.get() < most;
        }

        /** Whether there are more than there may be, because there may be fewer than before. */
        boolean isTooFull() {
            return taken.get() > most;
        }

        /** Whether somebody waits who may want the place of a connection that is not needed. */
        boolean isAwaited() {
            return waiting > 0;
        }

        /** The one who gets the place of a connection that is not needed, and waits no more; null if nobody wants it. */
        @Nullable
        Awaiting next() {
            synchronized (ConnectionLimit.this) {
                for (Awaiting each : queue) {
                    if (!isTooFull() && each.wants(this)) {
                        removed(each);
                        return each;
                    }
                }
                return null;
            }
        }
    }

    /** Takes other settings. Where there are more connections than there may be, no other one is made until some have ended. */
    void change(Optional<ConnectionLimitConfig> config) {
        most = config.map(ConnectionLimitConfig::perDestination).orElse(Integer.MAX_VALUE);
        longest = config.map(ConnectionLimitConfig::queue).orElse(0);
        serve();
    }

    /** The connections to this destination. */
    synchronized Room room(HostPort address) {
        Room room = rooms.computeIfAbsent(address, unused -> new Room());
        room.users++;
        return room;
    }

    /** A lane has connections here. */
    void add(Lane lane) {
        lanes.add(lane);
    }

    /** A lane makes no more connections, but for the requests that are under way. */
    synchronized void remove(Lane lane) {
        lanes.remove(lane);
        for (Pool pool : lane.pools()) {
            if (pool.room != null) {
                pool.room.users--;
            }
        }
        rooms.values().removeIf(room -> room.users == 0 && room.taken() == 0);
    }

    /** How many wait. */
    int waiting() {
        return waiting;
    }

    /**
     * Has a request wait until there is room for it, which may be at once, or an idle connection.
     *
     * @return whether it may wait
     */
    boolean await(Awaiting request) {
        synchronized (this) {
            queue.add(request);
            waiting = queue.size();
        }
        serve();
        synchronized (this) {
            if (queue.contains(request) && queue.size() > longest) {
                removed(request);
                return false;
            }
        }
        if (waiting > 0) {
            lanes.forEach(Lane::giveUpIdle);
        }
        return true;
    }

    /** It waits no more; false if it does not wait, because there is room for it already. */
    synchronized boolean leave(Awaiting request) {
        return removed(request);
    }

    private boolean removed(Awaiting request) {
        boolean was = queue.remove(request);
        waiting = queue.size();
        return was;
    }

    /** Gives whatever room there is to those who wait. */
    private void serve() {
        if (waiting > 0) {
            found().forEach(Awaiting::granted);
        }
    }

    private synchronized List<Awaiting> found() {
        List<Awaiting> found = new ArrayList<>();
        for (Iterator<Awaiting> each = queue.iterator(); each.hasNext() && hasRoom(); ) {
            Awaiting next = each.next();
            if (next.takesRoom()) {
                each.remove();
                found.add(next);
            }
        }
        waiting = queue.size();
        return found;
    }

    private boolean hasRoom() {
        return rooms.values().stream().anyMatch(Room::isFree);
    }
}
