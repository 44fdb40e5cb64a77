package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.UpstreamProtocol;
import org.jspecify.annotations.Nullable;

/** The connections of one event loop to one destination that wait for requests. What they speak is the cluster's setting. */
abstract class Pool {

    private static final long OLD_NANOS = Limits.POOLED_AGE.toNanos();

    final Destination destination;

    /** Which of the destinations of its cluster it leads to, from 0. */
    final int number;

    final Lane lane;
    final Loop loop;
    final Underway.OfLoop underway;

    /** Counts the connections of all loops to this destination; null where there may be any number, or requests share them. */
    final ConnectionLimit.@Nullable Room room;

    Pool(
            Destination destination,
            int number,
            Underway.OfLoop underway,
            Lane lane,
            Loop loop,
            ConnectionLimit.@Nullable Room room) {
        this.destination = destination;
        this.number = number;
        this.underway = underway;
        this.lane = lane;
        this.loop = loop;
        this.room = room;
    }

    /** The pool for what the cluster speaks. */
    static Pool of(Destination destination, int number, Underway.OfLoop underway, Lane lane, Loop loop) {
        return lane.setup.config().upstream().protocol() == UpstreamProtocol.HTTP_2
                ? new Http2Pool(destination, number, underway, lane, loop)
                : new Http1Pool(destination, number, underway, lane, loop);
    }

    /** What can be used at once, or null. */
    @Nullable
    abstract Upstream take();

    /** What is to be {@linkplain Upstream#open opened} for this exchange, which is under way here from now on. */
    abstract Upstream connect(Exchange exchange);

    /** Those who wait for a connection, on whatever loop, get the places of those that are idle here. */
    abstract void giveUpIdle();

    /** A place that was taken for a connection is not needed. */
    final void leaveRoom() {
        if (room != null) {
            room.leave();
        }
    }

    abstract void closeIdle();

    /** Whether a connection is kept no longer. */
    final boolean isOld(long connectedAt, long now) {
        return now - connectedAt >= OLD_NANOS || lane.isRetired();
    }

    /** How a request that was sent to this destination, or was to be, has ended there. */
    final void ended(Ending ending) {
        destination.health().ended(ending);
    }

    /** The destination could not be reached: others are asked first for a while. */
    final void connectFailed() {
        lane.tally.connectFailed();
        destination.health().unreachable(loop.deadlines().now());
    }
}
