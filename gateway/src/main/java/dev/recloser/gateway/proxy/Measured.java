package dev.recloser.gateway.proxy;

import dev.recloser.spi.Ticket;
import io.netty.util.AsciiString;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is measured of one request.
 *
 * <p>The <em>service time</em> is what the cluster's timeout bounds: from when the request has gone out to when the head of the
 * answer has come. The <em>overhead</em> is the time that the gateway itself needs, by a watch that runs while there is something
 * for it to do, and stands while it waits for others: it runs from the head of the request until that was written to a connection (or, if it has
 * a body, was ready to be), stands while one is being made, and runs again from the head of the answer until that was written to the
 * client.
 */
final class Measured implements Flushes.Awaiter {

    private static final long NEVER = -1;

    /** What the access log has where the client has gone before it got a status. That of nginx, which those who read logs know. */
    private static final int CLIENT_GONE = 499;

    private final Loop loop;
    private final AsciiString client;
    private final long begun;
    private @Nullable Ticket ticket;
    private @Nullable RequestHead head;
    private @Nullable Lane lane;
    private @Nullable Destination destination;
    private long runningSince;
    private boolean running = true;
    private long watch;
    private long sentAt;
    private boolean sent;
    private boolean answered;
    private boolean toFlush;
    private long serviceTime = NEVER;
    private long overhead = NEVER;
    private long requestBytes;
    private long responseBytes;
    private @Nullable Ending ending;
    private int status;

    /**
     * A request has begun: its head has come, or does not come to an end.
     *
     * @param begun when
     */
    Measured(Loop loop, AsciiString client, long begun) {
        this.loop = loop;
        this.client = client;
        this.begun = begun;
        this.runningSince = begun;
    }

    /** A limiter measures the service by this: its time begins when the request has gone out. */
    void by(Ticket held) {
        ticket = held;
        held.standBy();
    }

    /** It could be read. */
    void read(RequestHead read) {
        head = read;
    }

    /** It is for this cluster. */
    void of(Lane found) {
        lane = found;
        found.tally.begun();
    }

    /** It goes to this destination, if that takes it. */
    void to(Destination chosen) {
        destination = chosen;
    }

    // ---- the watch

    private void run(long now) {
        runningSince = now;
        running = true;
    }

    private void stand(long now) {
        if (running) {
            watch += now - runningSince;
            running = false;
        }
    }

    /** Something is waited for before it can go out: to be admitted, or a connection. */
    void waits() {
        if (running) {
            stand(loop.deadlines().now());
        }
    }

    /** Nothing is waited for any more: it goes to a connection, for the first time or once more. */
    void goesOn() {
        sent = false;
        if (!running) {
            run(loop.deadlines().now());
        }
    }

    /** The head of the request is with its connection; if it has no body, it has been written. */
    void handedOver(long now) {
        stand(now);
    }

    /** The request has gone out, and the timeout runs from now. */
    void sent(long now) {
        sent = true;
        sentAt = now;
        if (ticket != null) {
            ticket.begin();
        }
    }

    /** The head of the answer has come. What comes before the end of the request says nothing of how long the service takes. */
    void answered() {
        long now = loop.deadlines().now();
        stand(now);
        run(now);
        if (sent) {
            serviceTook(now - sentAt);
        }
        answered = true;
        awaitFlush();
    }

    /** The service has not answered in time. */
    void tookTooLong() {
        if (sent) {
            serviceTook(loop.deadlines().now() - sentAt);
        }
    }

    private void serviceTook(long nanos) {
        serviceTime = nanos;
        if (lane != null) {
            lane.serviceTimes.record(nanos);
        }
    }

    private void awaitFlush() {
        if (!toFlush) {
            toFlush = true;
            loop.flushes().add(this);
        }
    }

    @Override
    public void flushed(long now) {
        toFlush = false;
        if (answered && overhead == NEVER) {
            stand(now);
            overhead = watch;
            if (lane != null) {
                lane.overheads.record(overhead);
            }
        }
        AccessListener listener = loop.accessListener();
        if (ending != null && listener != null) {
            listener.ended(record(ending, now));
        }
    }

    // ---- bytes

    void requestBytes(int bytes) {
        requestBytes += bytes;
        if (lane != null) {
            lane.tally.requestBytes(bytes);
        }
    }

    void responseBytes(int bytes) {
        responseBytes += bytes;
        if (lane != null) {
            lane.tally.responseBytes(bytes);
        }
    }

    // ---- the end

    /**
     * The request has ended. What the client gets is still to be flushed.
     *
     * @param status what the client got; 0 if it got none
     */
    void ended(Ending how, int status) {
        count(how, status);
        if (loop.accessListener() != null) {
            this.ending = how;
            this.status = status;
            awaitFlush();
        }
    }

    private void count(Ending how, int status) {
        Lane own = lane;
        if (own == null) {
            loop.unrouted().begun();
            loop.unrouted().ended(how, status);
            return;
        }
        if (how == Ending.OK && serviceTime > own.slowNanos) {
            own.tally.slow();
        }
        own.tally.ended(how, status);
    }

    private AccessRecord record(Ending how, long now) {
        long duration = now - begun;
        Instant time = loop.server().time().instant().minusNanos(duration);
        RequestHead request = head;
        return new AccessRecord(
                time,
                client.toString(),
                request == null ? null : cut(request.method().name(), Limits.LOGGED_METHOD),
                request == null ? null : cut(request.host(), Limits.LOGGED_HOST),
                request == null || request.path().isEmpty() ? null : cut(request.path(), Limits.LOGGED_PATH),
                request == null ? null : traceparent(request),
                status == 0 && how == Ending.CLIENT_GONE ? CLIENT_GONE : status,
                how.reason(),
                lane == null ? null : lane.cluster.name(),
                destination == null ? null : destination.toString(),
                duration,
                serviceTime,
                overhead,
                requestBytes,
                responseBytes);
    }

    private static @Nullable String traceparent(RequestHead request) {
        List<String> all = request.headers().getAll("traceparent");
        return all.size() == 1 ? cut(all.get(0), Limits.LOGGED_TRACEPARENT) : null;
    }

    /** A queue of such is not to hold whatever clients like to send. */
    private static @Nullable String cut(@Nullable String text, int length) {
        return text == null || text.length() <= length ? text : text.substring(0, length);
    }
}
