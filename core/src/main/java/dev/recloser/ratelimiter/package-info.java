/** The rate limiter: bounds how many calls begin in a span of time. */
@NullMarked
package dev.recloser.ratelimiter;

import org.jspecify.annotations.NullMarked;
