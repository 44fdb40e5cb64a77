/** Examples to be run, and to be read. */
@NullMarked
package dev.recloser.examples;

import org.jspecify.annotations.NullMarked;
