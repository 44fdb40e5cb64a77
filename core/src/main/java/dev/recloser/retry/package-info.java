/** The retry: makes further attempts after a failure, within a budget. */
@NullMarked
package dev.recloser.retry;

import org.jspecify.annotations.NullMarked;
