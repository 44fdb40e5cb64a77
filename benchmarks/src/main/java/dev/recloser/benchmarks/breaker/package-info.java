/** What a circuit breaker adds to a call: Recloser, Resilience4j, Failsafe, and the least that it could cost. */
@NullMarked
package dev.recloser.benchmarks.breaker;

import org.jspecify.annotations.NullMarked;
