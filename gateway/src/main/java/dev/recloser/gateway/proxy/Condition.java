package dev.recloser.gateway.proxy;

import org.jspecify.annotations.Nullable;

/** What keeps a destination from its full share of the requests. Immutable; which one it is tells that nothing has changed. */
final class Condition {

    /** Nothing: the only one of its kind. */
    static final Condition WELL = new Condition(false, null, null, null);

    /** The share with which one begins that has returned. */
    private static final double FIRST_SHARE = 0.1;

    /**
     * An ejection.
     *
     * @param at when it began
     * @param nanos how long it lasts
     * @param inARow how often in a row it has come to that
     */
    record Ejection(long at, long nanos, int inARow) {

        long end() {
            return at + nanos;
        }

        boolean isOver(long now) {
            return now - end() >= 0;
        }

        /** Whether one that begins now follows so soon that it belongs to the same row: within the time that this one took. */
        boolean isFollowedAt(long now) {
            return now - end() <= nanos;
        }
    }

    private final boolean down;
    private final @Nullable Ejection ejection;
    private final @Nullable Long restUntil;
    private final @Nullable Long returnedAt;

    private Condition(boolean down, @Nullable Ejection ejection, @Nullable Long restUntil, @Nullable Long returnedAt) {
        this.down = down;
        this.ejection = ejection;
        this.restUntil = restUntil;
        this.returnedAt = returnedAt;
    }

    private static Condition of(
            boolean down, @Nullable Ejection ejection, @Nullable Long restUntil, @Nullable Long returnedAt) {
        return !down && ejection == null && restUntil == null && returnedAt == null
                ? WELL
                : new Condition(down, ejection, restUntil, returnedAt);
    }

    /** Checks say that it is not well. */
    boolean isDown() {
        return down;
    }

    /** Requests to it failed, and so it is left out; null if it is not. */
    @Nullable
    Ejection ejection() {
        return ejection;
    }

    /** Checks have found so. */
    Condition checked(boolean well, long now) {
        return well ? of(false, ejection, restUntil, now) : of(true, ejection, restUntil, null);
    }

    Condition ejected(Ejection by) {
        return of(down, by, null, null);
    }

    Condition restingUntil(long end) {
        return of(down, ejection, end, returnedAt);
    }

    /** What has become of it by now. */
    Condition at(long now, long slowStartNanos) {
        Ejection by = ejection;
        Long ended = by != null && by.isOver(now) ? (Long) by.end() : null;
        boolean rested = restUntil != null && restUntil - now <= 0;
        Long back = ended == null ? returnedAt : ended;
        boolean grown = back != null && now - back >= slowStartNanos;
        return ended != null || rested || grown
                ? of(down, ended == null ? by : null, rested ? null : restUntil, grown ? null : back)
                : this;
    }

    /** Whether it is to get requests while others are well. */
    boolean isUsable() {
        return !down && ejection == null && restUntil == null;
    }

    /** What is shown of it. */
    DestinationSnapshot.State state() {
        if (down) {
            return DestinationSnapshot.State.UNHEALTHY;
        } else if (ejection != null) {
            return DestinationSnapshot.State.EJECTED;
        } else if (restUntil != null) {
            return DestinationSnapshot.State.RESTING;
        }
        return returnedAt == null ? DestinationSnapshot.State.HEALTHY : DestinationSnapshot.State.SLOW_START;
    }

    /** Its part of its full share: 0 to 1. */
    double share(long now, long slowStartNanos) {
        if (!isUsable()) {
            return 0;
        }
        Long back = returnedAt;
        return back == null ? 1 : Math.min(1, Math.max(FIRST_SHARE, (double) (now - back) / slowStartNanos));
    }
}
