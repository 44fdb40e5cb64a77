package dev.recloser.chaos;

/**
 * What was done to calls since the strategy was made.
 *
 * @param name the name of the strategy
 * @param delayed how many calls were delayed
 * @param faults how many ended in an exception in their place
 * @param outcomes how many ended in a value in their place
 */
public record ChaosSnapshot(String name, long delayed, long faults, long outcomes) {}
