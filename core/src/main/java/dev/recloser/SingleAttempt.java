package dev.recloser;

import dev.recloser.spi.Race;

/** A race with one contestant: blocking work that runs on another thread only so that its caller is free. */
enum SingleAttempt implements Race.Contest {
    INSTANCE;

    @Override
    public long patienceNanos(int begun) {
        return FOR_EVER;
    }

    @Override
    public Race.Permission next(int begun) {
        return Race.Permission.NO_MORE;
    }

    @Override
    public void took(int number, long nanos) {
        // Nothing depends on it.
    }
}
