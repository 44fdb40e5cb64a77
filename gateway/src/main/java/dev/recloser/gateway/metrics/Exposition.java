package dev.recloser.gateway.metrics;

/**
 * All metrics at one moment, as text.
 *
 * @param contentType which format it is in
 * @param text the text
 */
public record Exposition(String contentType, String text) {}
