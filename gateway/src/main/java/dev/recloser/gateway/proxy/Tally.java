package dev.recloser.gateway.proxy;

/** What one event loop counts of one cluster, or of the requests that are for none. Written by that loop only. */
final class Tally {

    private static final int IN_FLIGHT = 0;
    private static final int SLOW = 1;
    private static final int REQUEST_BYTES = 2;
    private static final int RESPONSE_BYTES = 3;
    private static final int CONNECTED = 4;
    private static final int CONNECT_FAILED = 5;
    private static final int REUSED = 6;
    private static final int IDLE = 7;
    private static final int IN_USE = 8;
    private static final int RETRIED = 9;
    private static final int ENDED = 10;

    private static final int CLASSES = StatusClass.values().length;

    private final LongCells cells = new LongCells(ENDED + Ending.values().length * CLASSES);

    @SuppressWarnings("EnumOrdinal") // an index that leaves this class nowhere, in a table as long as the enums are
    private static int ended(Ending ending, StatusClass status) {
        return ENDED + ending.ordinal() * CLASSES + status.ordinal();
    }

    void begun() {
        cells.add(IN_FLIGHT, 1);
    }

    void ended(Ending ending, int status) {
        cells.add(IN_FLIGHT, -1);
        cells.add(ended(ending, StatusClass.of(status)), 1);
    }

    /** A good answer came late. */
    void slow() {
        cells.add(SLOW, 1);
    }

    /** A request goes out once more, after it had reached a service. */
    void retried() {
        cells.add(RETRIED, 1);
    }

    void requestBytes(int bytes) {
        cells.add(REQUEST_BYTES, bytes);
    }

    void responseBytes(int bytes) {
        cells.add(RESPONSE_BYTES, bytes);
    }

    // ---- connections to the service

    void connected() {
        cells.add(CONNECTED, 1);
    }

    void connectFailed() {
        cells.add(CONNECT_FAILED, 1);
    }

    void reused() {
        cells.add(REUSED, 1);
    }

    void idle(int change) {
        cells.add(IDLE, change);
    }

    void inUse(int change) {
        cells.add(IN_USE, change);
    }

    // ---- what others see

    long count(Ending ending, StatusClass status) {
        return cells.get(ended(ending, status));
    }

    long inFlight() {
        return cells.get(IN_FLIGHT);
    }

    long slowCount() {
        return cells.get(SLOW);
    }

    long retriedCount() {
        return cells.get(RETRIED);
    }

    long requestBytes() {
        return cells.get(REQUEST_BYTES);
    }

    long responseBytes() {
        return cells.get(RESPONSE_BYTES);
    }

    long connectedCount() {
        return cells.get(CONNECTED);
    }

    long connectFailedCount() {
        return cells.get(CONNECT_FAILED);
    }

    long reusedCount() {
        return cells.get(REUSED);
    }

    long idleCount() {
        return cells.get(IDLE);
    }

    long inUseCount() {
        return cells.get(IN_USE);
    }
}
