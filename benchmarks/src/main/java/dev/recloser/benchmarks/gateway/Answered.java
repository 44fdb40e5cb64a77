package dev.recloser.benchmarks.gateway;

/**
 * How requests were answered, all of them with success.
 *
 * @param requests how many
 * @param perSecond how many per second, of those whose latency counts
 * @param p50 the median latency in milliseconds
 * @param p99 the latency that one in a hundred exceeded, in milliseconds
 * @param clientDelay how late the client itself was with one request in a hundred, in milliseconds; 0 where that is not known
 */
record Answered(long requests, double perSecond, double p50, double p99, double clientDelay) {}
