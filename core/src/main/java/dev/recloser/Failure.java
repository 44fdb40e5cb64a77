package dev.recloser;

/**
 * How the drivers pass on that a call did not end in a value; a value is passed on as it is. Nothing is thrown between the work
 * and the caller.
 *
 * @param error what the caller will get
 * @param kind what the layers further out need to know of it
 */
record Failure(Throwable error, Kind kind) {

    enum Kind {
        /** The work began. */
        BEGUN,
        /** A strategy rejected the call before the work began: tickets further out are given back unused. */
        NOT_BEGUN,
        /** A function of the user's that judges or decides threw: no strategy looks at this, and the caller sees it. */
        FAULT
    }

    static Failure begun(Throwable error) {
        return new Failure(error, Kind.BEGUN);
    }

    static Failure notBegun(Throwable error) {
        return new Failure(error, Kind.NOT_BEGUN);
    }

    static Failure fault(Throwable error) {
        return new Failure(error, Kind.FAULT);
    }

    /** The same, seen from after an attempt that began. */
    Failure afterOthers() {
        return kind == Kind.NOT_BEGUN ? begun(error) : this;
    }
}
