/** Chaos: delays some calls and lets others fail, to see whether the rest copes with it. */
@NullMarked
package dev.recloser.chaos;

import org.jspecify.annotations.NullMarked;
