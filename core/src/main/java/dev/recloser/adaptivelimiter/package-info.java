/** Bounds how many calls run at the same time, by a limit that is found from their latency. */
@NullMarked
package dev.recloser.adaptivelimiter;

import org.jspecify.annotations.NullMarked;
