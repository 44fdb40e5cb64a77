/** Bounds how many calls run at the same time. */
@NullMarked
package dev.recloser.concurrencylimiter;

import org.jspecify.annotations.NullMarked;
