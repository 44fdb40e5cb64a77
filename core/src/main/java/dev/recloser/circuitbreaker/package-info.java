/** The circuit breaker: stops calling a dependency that fails, and lets it back in when it has healed. */
@NullMarked
package dev.recloser.circuitbreaker;

import org.jspecify.annotations.NullMarked;
