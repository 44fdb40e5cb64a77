/** Races looked for with jcstress. */
@NullMarked
package dev.recloser.stress;

import org.jspecify.annotations.NullMarked;
