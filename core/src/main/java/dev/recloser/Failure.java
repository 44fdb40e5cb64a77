package dev.recloser;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the drivers pass on that a call did not end in a value; a value is passed on as it is. Nothing is thrown between the work
 * and the caller.
 *
 * @param error what the caller will get
 * @param kind what the layers further out need to know of it
 * @param rejection the error, if it is a rejection that this pipeline made for this call and may therefore be told what came before
 * @param earlier what attempts before this one failed with, the first first
 */
record Failure(Throwable error, Kind kind, @Nullable RejectedException rejection, List<Throwable> earlier) {

    enum Kind {
        /** The work began. */
        BEGUN,
        /** A strategy rejected the call before the work began: tickets further out are given back unused. */
        NOT_BEGUN,
        /** A function of the user's that judges or decides threw: no strategy looks at this, and the caller sees it. */
        FAULT
    }

    static Failure begun(Throwable error) {
        return new Failure(error, Kind.BEGUN, null, List.of());
    }

    static Failure notBegun(Throwable error) {
        return new Failure(error, Kind.NOT_BEGUN, null, List.of());
    }

    static Failure fault(Throwable error) {
        return new Failure(error, Kind.FAULT, null, List.of());
    }

    static Failure rejected(RejectedException rejection) {
        return new Failure(rejection, Kind.NOT_BEGUN, rejection, List.of());
    }

    static Failure timedOut(TimedOutException rejection) {
        return new Failure(rejection, Kind.BEGUN, rejection, List.of());
    }

    /** The same, seen from after attempts that began: what they failed with is told by the rejection, if this is one. */
    Failure after(List<Throwable> failures) {
        if (rejection != null && !failures.isEmpty()) {
            rejection.remember(failures);
        }
        Kind since = kind == Kind.NOT_BEGUN ? Kind.BEGUN : kind;
        return new Failure(error, since, rejection, failures.isEmpty() ? earlier : List.copyOf(failures));
    }

    /** The same, cut by a timeout, which knows what came before. */
    Failure cutBy(TimedOutException timeout) {
        timeout.remember(earlier);
        return new Failure(timeout, kind, timeout, earlier);
    }
}
