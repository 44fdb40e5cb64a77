/** The fallback: puts something else in the place of a failure. */
@NullMarked
package dev.recloser.fallback;

import org.jspecify.annotations.NullMarked;
