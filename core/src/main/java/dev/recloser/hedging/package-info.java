/** Hedging: further attempts beside one that is slow. */
@NullMarked
package dev.recloser.hedging;

import org.jspecify.annotations.NullMarked;
