package dev.recloser;

/** The three classes into which every strategy that judges outcomes sorts them. */
public enum OutcomeClass {
    /** The dependency did what was asked of it. */
    SUCCESS,
    /** The dependency did not: it counts against it, and may be tried again. */
    FAILURE,
    /** The outcome says nothing about the dependency, such as a cancellation: it is not counted at all. */
    IGNORED
}
