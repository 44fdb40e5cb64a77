/** A simulated service and its callers, in virtual time. */
@NullMarked
package dev.recloser.examples.simulation;

import org.jspecify.annotations.NullMarked;
