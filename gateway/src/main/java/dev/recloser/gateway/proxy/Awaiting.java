package dev.recloser.gateway.proxy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits until there may be a connection for it: see {@link ConnectionLimit}. It takes one to any destination that it has
 * not tried and that is well, or where none is, to any. It lives on its event loop; what others ask it, they ask under the lock of the
 * limit, where it is the only one to answer.
 */
final class Awaiting {

    private final ConnectionLimit limit;
    private final Attempts attempts;
    private final Exchange exchange;
    private final Lane lane;
    private final Loop loop;
    private final @Nullable BitSet tried;
    private final boolean fresh;
    private final Deadline deadline = Deadline.of(this::expired);
    private boolean left;

    /** Where there is to be a connection for it; set before it is granted. */
    private @Nullable Pool found;

    /**
     * A request.
     *
     * @param at one of the destinations that have no room
     * @param tried the numbers of the destinations that it cannot use; not changed while it waits
     * @param fresh whether it needs a connection that was not used before
     */
    Awaiting(
            ConnectionLimit limit,
            Attempts attempts,
            Exchange exchange,
            Pool at,
            @Nullable BitSet tried,
            boolean fresh) {
        this.limit = limit;
        this.attempts = attempts;
        this.exchange = exchange;
        this.lane = at.lane;
        this.loop = at.loop;
        this.tried = tried;
        this.fresh = fresh;
    }

    /** Begins to wait; says whether it may. */
    boolean begin() {
        lane.waits(deadline);
        boolean may = limit.await(this);
        if (!may) {
            left = true;
            deadline.cancel();
        }
        return may;
    }

    /** The request waits no more, whatever comes. */
    void leave() {
        left = true;
        deadline.cancel();
        boolean unused = limit.leave(this);
    }

    private void expired() {
        if (limit.leave(this)) {
            left = true;
            attempts.waitedTooLong();
        } // else there is room for it, and it is told
    }

    // ---- what others ask

    /** Takes a place at the emptiest destination that it can use, for its weight; false if there is none. */
    boolean takesRoom() {
        Pool best = emptiest();
        while (best != null && best.room != null && !best.room.take()) {
            best = emptiest();
        }
        found = best;
        return best != null;
    }

    private @Nullable Pool emptiest() {
        Pool best = null;
        boolean anyWell = isAnyWell();
        for (Pool pool : lane.pools()) {
            boolean fits = isOpen(pool, anyWell) && pool.room != null && pool.room.isFree();
            if (fits && (best == null || fullness(pool) < fullness(best))) {
                best = pool;
            }
        }
        return best;
    }

    private static double fullness(Pool pool) {
        return pool.room == null ? 0 : (double) pool.room.taken() / pool.destination.weight();
    }

    /** Whether it can use a connection there. */
    boolean wants(ConnectionLimit.Room room) {
        boolean anyWell = isAnyWell();
        for (Pool pool : lane.pools()) {
            if (pool.room == room && isOpen(pool, anyWell)) {
                found = pool;
                return true;
            }
        }
        return false;
    }

    private boolean isAnyWell() {
        return Arrays.stream(lane.pools()).anyMatch(pool -> isOpen(pool, true));
    }

    private boolean isOpen(Pool pool, boolean onlyWell) {
        boolean untried = tried == null || !tried.get(pool.number);
        return untried
                && (!onlyWell
                        || pool.destination.health().share(loop.deadlines().now()) > 0);
    }

    // ---- what it gets

    /** Whether it can use the very connections of this pool, and not only their place. */
    boolean isAt(Pool pool) {
        return !fresh && found == pool;
    }

    /** There is a place for it, which has been taken. On any thread. */
    void granted() {
        Pool where = Objects.requireNonNull(found);
        try {
            loop.eventLoop().execute(() -> {
                if (left) {
                    where.leaveRoom();
                } else {
                    take(where, null);
                    loop.flushes().now();
                }
            });
        } catch (RejectedExecutionException e) { // the loop has ended, and all requests with it
            where.leaveRoom();
        }
    }

    /** There is a connection for it, on its own event loop. */
    void granted(UpstreamConnection connection) {
        take(connection.pool(), connection);
    }

    private void take(Pool where, @Nullable UpstreamConnection connection) {
        left = true;
        deadline.cancel();
        try {
            attempts.granted(where, connection);
        } catch (RuntimeException e) { // nobody would hear of it, and nobody wake the exchange
            exchange.fault(e);
        }
    }
}
