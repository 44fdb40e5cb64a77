package dev.recloser.retry;

/**
 * What a retry has decided since it was made.
 *
 * @param name the name of the retry
 * @param retried how many further attempts it asked for
 * @param exhausted how many calls failed in the last of the attempts that are allowed
 * @param overBudget how many calls got no further attempt because the budget was spent
 * @param tooLate how many calls got no further attempt because the wait would have been too long, for the deadline or for the settings
 */
public record RetrySnapshot(String name, long retried, long exhausted, long overBudget, long tooLate) {}
