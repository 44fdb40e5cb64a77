/** Time as an argument: the system's clock and timer, and virtual ones for tests. */
@NullMarked
package dev.recloser.time;

import org.jspecify.annotations.NullMarked;
