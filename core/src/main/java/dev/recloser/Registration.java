package dev.recloser;

/** A listener's place among others. */
public interface Registration {

    /** Removes the listener. A call of it that is in progress goes on; no other one comes. Does nothing the second time. */
    void remove();
}
