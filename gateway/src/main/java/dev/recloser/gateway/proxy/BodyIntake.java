package dev.recloser.gateway.proxy;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** How the body of a request comes in: how large it is by now, and whether it comes fast enough. Used by one event loop only. */
final class BodyIntake {

    private final long mostBytes;

    /** Null where any rate is fast enough. */
    private final @Nullable BodyRate rate;

    private long bytes;
    private boolean awaited;
    private long awaitedSince;

    BodyIntake(long mostBytes, @Nullable BodyRate rate) {
        this.mostBytes = mostBytes;
        this.rate = rate;
    }

    /** The client is waited for from now on. */
    void awaited(long now) {
        awaited = true;
        awaitedSince = now;
    }

    /** The client is not waited for any more, whatever comes. */
    void notAwaited() {
        awaited = false;
    }

    /** What is wrong with this piece: it makes the body larger than the cluster permits, or has come too slowly. Null if nothing is. */
    @Nullable
    Problem problemWith(HttpContent content, Deadlines clock) {
        int length = content.content().readableBytes();
        bytes += length;
        if (bytes > mostBytes) {
            return new Problem(BadRequestException.tooLarge());
        }
        boolean slow = rate != null && rate.isTooSlow(length, awaited ? clock.now() - awaitedSince : 0);
        awaited = false;
        return slow && !(content instanceof LastHttpContent) ? new Problem(Ending.CLIENT_SLOW) : null;
    }
}
