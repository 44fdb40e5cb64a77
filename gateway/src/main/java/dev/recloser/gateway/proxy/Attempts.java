package dev.recloser.gateway.proxy;

import dev.recloser.RetryBudget;
import dev.recloser.gateway.config.RetryConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one request to reach a service: which destination is next, and whether there is a next one. What was not sent goes to
 * all destinations in turn; what was sent goes out again only where the table of endings says so. Holds the connection of the attempt
 * that is under way.
 */
final class Attempts {

    private final Exchange exchange;
    private final Lane lane;
    private final RequestHead head;
    private final Sending sending;
    private final Measured measured;
    private final @Nullable RetryBudget budget;
    private @Nullable Upstream upstream;
    private @Nullable Awaiting awaiting;

    /** The numbers of destinations that could not be reached. */
    private @Nullable BitSet unreachable;

    private Ending lastFailure = Ending.NO_DESTINATION;
    private int failedLast = -1;
    private boolean stale;
    private int retries;

    /**
     * The attempts of a request.
     *
     * @param probe whether it is to find out how the service is; then it reaches it once
     */
    Attempts(Exchange exchange, Lane lane, RequestHead head, Sending sending, Measured measured, boolean probe) {
        this.exchange = exchange;
        this.lane = lane;
        this.head = head;
        this.sending = sending;
        this.measured = measured;
        this.budget = probe ? null : lane.setup.gate().retryBudget;
        if (budget != null) {
            budget.called();
        }
    }

    // ---- connect

    void connect() {
        Pool pool = next();
        if (pool == null) {
            exchange.end(lastFailure);
            return;
        }
        if (!begins(pool)) {
            elsewhere(pool);
        }
    }

    /** Goes to this destination, on a kept connection or a new one; false if there are as many as there may be. */
    private boolean begins(Pool pool) {
        Upstream kept = stale ? null : pool.take();
        if (kept != null) {
            measured.to(pool.destination);
            connected(kept);
            return true;
        }
        boolean may = pool.room == null || pool.room.enter();
        if (may) {
            open(pool);
        }
        return may;
    }

    private void open(Pool pool) {
        measured.to(pool.destination);
        sending.holdOff();
        Upstream fresh = pool.connect(exchange);
        upstream = fresh;
        fresh.open();
    }

    /** Goes to another destination that is well, where there may be a connection, or waits until there may be one anywhere. */
    private void elsewhere(Pool full) {
        BitSet tried = unreachable == null ? new BitSet() : (BitSet) unreachable.clone();
        tried.set(full.number);
        for (Pool other = lane.chooseWell(tried); other != null; other = lane.chooseWell(tried)) {
            if (begins(other)) {
                return;
            }
            tried.set(other.number);
        }
        sending.holdOff();
        Awaiting request = new Awaiting(Objects.requireNonNull(lane.limit), this, exchange, full, unreachable, stale);
        awaiting = request;
        if (!request.begin()) {
            endWithoutConnection(Ending.LIMIT);
        }
    }

    /**
     * It has waited for a connection, and there may be one now.
     *
     * @param kept the connection itself, if it is there already
     */
    void granted(Pool pool, @Nullable Upstream kept) {
        awaiting = null;
        if (kept == null) {
            open(pool);
        } else {
            measured.to(pool.destination);
            connected(kept);
        }
    }

    void waitedTooLong() {
        endWithoutConnection(Ending.QUEUE_TIMEOUT);
    }

    /** A request that has failed before, and was to be tried again, has failed. */
    private void endWithoutConnection(Ending how) {
        awaiting = null;
        exchange.end(retries > 0 && lastFailure.repeat == Ending.Repeat.BY_SETTING ? lastFailure : how);
    }

    /** The request has ended. */
    void leave(boolean reusable, Ending ending) {
        if (upstream != null) {
            upstream.release(reusable, ending);
            sending.leave();
        }
        if (awaiting != null) {
            awaiting.leave();
        }
    }

    /** The destination that is next: another one than the last, if there is another that is well; null if none could be reached. */
    private @Nullable Pool next() {
        if (failedLast < 0) {
            return lane.choose(unreachable);
        }
        BitSet avoided = new BitSet();
        avoided.set(failedLast);
        if (unreachable != null) {
            avoided.or(unreachable);
        }
        Pool other = lane.chooseWell(avoided);
        return other == null ? lane.choose(unreachable) : other;
    }

    void connected(Upstream connection) {
        upstream = connection;
        connection.begin(exchange, head);
        sending.begin(connection);
    }

    /** The connection of the attempt that is under way; null while there is none. */
    @Nullable
    Upstream upstream() {
        return upstream;
    }

    // ---- what goes wrong

    /**
     * The connection is closed.
     *
     * @param answered whether an answer had begun
     */
    void closed(Upstream connection, boolean answered) {
        upstream = null;
        boolean stale = connection.isReused() && !connection.hasAnswered();
        Ending ending = answered ? Ending.BODY_CUT : stale ? Ending.STALE : Ending.UPSTREAM_CLOSED;
        Pool pool = connection.pool();
        pool.ended(pool.loop.isStopping() ? ending.whileStopping() : ending);
        failed(ending, pool);
    }

    /**
     * The service takes too long.
     *
     * @param answered whether an answer had begun
     */
    void overdue(Upstream connection, boolean answered) {
        if (answered) {
            if (!sending.isHeldBackButTaken()) {
                exchange.end(Ending.BODY_CUT);
            }
        } else if (connection.isConnecting()) {
            connection.pool().connectFailed();
            unreachable(connection.pool(), Ending.CONNECT_TIMEOUT);
        } else if (!sending.isStillTaken()) {
            measured.tookTooLong();
            failed(Ending.TIMEOUT, connection.pool());
        }
    }

    /** Nothing was sent to this destination, and nothing can be: the next one, if there is one. */
    void unreachable(Pool pool, Ending how) {
        unreachable = unreachable == null ? new BitSet() : unreachable;
        unreachable.set(pool.number);
        failed(how, pool);
    }

    /** How it ends when the total time is over: who is to blame is the one that was waited for. */
    Ending late(@Nullable Answer answer) {
        if (awaiting != null) {
            return Ending.QUEUE_TIMEOUT;
        }
        if (upstream == null || upstream.isConnecting()) {
            if (upstream != null) {
                upstream.pool().connectFailed();
            }
            return Ending.CONNECT_TIMEOUT;
        }
        if ((answer != null && answer.isHeldBack()) || !sending.awaitsService()) {
            return Ending.CLIENT_SLOW;
        }
        if (answer == null) {
            measured.tookTooLong();
        }
        return Ending.DEADLINE;
    }

    // ---- again

    /** Tries again, where the table of endings allows it, or ends. */
    private void failed(Ending ending, Pool last) {
        lastFailure = ending;
        boolean again = switch (ending.repeat) {
            case NEXT_DESTINATION -> true; // whether there is one, connecting finds out
            case FRESH_CONNECTION -> isFirstStale();
            case BY_SETTING -> mayRetry() && retry(last);
            case BY_STATUS, NO -> false;
        };
        if (again && !last.loop.isStopping()) {
            again(ending);
        } else {
            exchange.end(ending);
        }
    }

    /**
     * Tries again if this answer is not to be passed on; says whether it does. A service that says when to come again says it to the
     * client.
     */
    boolean failed(HttpResponse answer) {
        Upstream answered = upstream;
        boolean again = answered != null
                && mayRetry()
                && settings().statuses().contains(answer.status().code())
                && !answer.headers().contains(HttpHeaderNames.RETRY_AFTER)
                && !lane.setup.destinations().areAllDown()
                && !answered.pool().loop.isStopping()
                && retry(answered.pool());
        if (again) {
            again(Answer.ending(answer));
        }
        return again;
    }

    private boolean isFirstStale() {
        boolean first = !stale;
        stale = true;
        return first && head.isRepeatable();
    }

    private RetryConfig settings() {
        return lane.setup.config().retry();
    }

    private boolean mayRetry() {
        return budget != null && retries < settings().maxRetries() && head.isRepeatable();
    }

    private boolean retry(Pool last) {
        if (budget == null || !budget.trySpend()) {
            return false;
        }
        retries++;
        failedLast = last.number;
        lane.tally.retried();
        return true;
    }

    /**
     * Once more.
     *
     * @param ending how the last attempt has ended, which is what its destination is judged by
     */
    private void again(Ending ending) {
        Upstream failed = upstream;
        upstream = null;
        if (failed != null) {
            failed.release(false, ending);
        }
        sending.leave();
        try {
            connect();
        } catch (RuntimeException e) { // whoever has called would log it, and nobody would wake the exchange
            exchange.fault(e);
        }
    }
}
