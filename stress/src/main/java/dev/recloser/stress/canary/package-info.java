/** Races that jcstress must find: without them a run that finds nothing would prove nothing. */
@NullMarked
package dev.recloser.stress.canary;

import org.jspecify.annotations.NullMarked;
