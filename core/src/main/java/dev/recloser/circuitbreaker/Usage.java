package dev.recloser.circuitbreaker;

import java.util.concurrent.TimeUnit;

/** When a circuit was used last. Noticed only now and then, so that calls need not write what all threads share. */
final class Usage {

    private static final long SELDOM_NANOS = TimeUnit.SECONDS.toNanos(1);

    private volatile long last;
    private volatile Runnable whenNoticed = () -> {};
    private volatile boolean retired;

    Usage(long now) {
        last = now;
    }

    /** The circuit is used at this time. */
    void at(long now) {
        if (now - last >= SELDOM_NANOS) {
            last = now;
            whenNoticed.run();
        }
    }

    /** When it was used last, give or take how seldom that is noticed. */
    long last() {
        return last;
    }

    /** What is to be done when use is noticed. */
    void whenNoticed(Runnable action) {
        whenNoticed = action;
    }

    /** Whether it was used so lately that another use need not be noticed. */
    boolean isRecent(long now) {
        return now - last < SELDOM_NANOS;
    }

    /** Use is of no interest any more. */
    void retire() {
        retired = true;
    }

    boolean isRetired() {
        return retired;
    }

    /** Lets the next use be noticed, however soon it comes. */
    void noticeNext(long now) {
        last = now - SELDOM_NANOS;
    }
}
