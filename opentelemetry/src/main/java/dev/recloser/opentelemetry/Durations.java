package dev.recloser.opentelemetry;

import io.opentelemetry.api.metrics.DoubleHistogram;

/**
 * The histograms.
 *
 * @param ofCalls of calls
 * @param ofAttempts of attempts
 */
record Durations(DoubleHistogram ofCalls, DoubleHistogram ofAttempts) {}
