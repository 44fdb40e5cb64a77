package dev.recloser.circuitbreaker;

/** How the break grows with each reopening in a row. A circuit that has closed starts over. */
public enum BreakGrowth {
    /** It does not. */
    NONE {
        @Override
        double factor(int reopenings) {
            return 1;
        }
    },
    /** By the break duration: 1, 2, 3, 4 times as long. */
    LINEAR {
        @Override
        double factor(int reopenings) {
            return 1.0 + reopenings;
        }
    },
    /** To the double: 1, 2, 4, 8 times as long. */
    EXPONENTIAL {
        @Override
        double factor(int reopenings) {
            return Math.pow(2, reopenings);
        }
    };

    abstract double factor(int reopenings);
}
