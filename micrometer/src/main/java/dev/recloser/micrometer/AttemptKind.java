package dev.recloser.micrometer;

/** Which of the attempts of a call it is. */
enum AttemptKind {
    FIRST,
    RETRY,
    HEDGE;

    static AttemptKind of(int attempt, int hedge) {
        if (hedge > 0) {
            return HEDGE;
        }
        return attempt > 1 ? RETRY : FIRST;
    }
}
