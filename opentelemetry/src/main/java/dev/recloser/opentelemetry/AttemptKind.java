package dev.recloser.opentelemetry;

/** Which attempt of its call one is, as far as metrics tell. */
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
