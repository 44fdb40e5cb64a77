package dev.recloser.fallback;

/**
 * What a fallback has done since it was made.
 *
 * @param name the name of the fallback
 * @param replaced how many failures it has replaced
 */
public record FallbackSnapshot(String name, long replaced) {}
