/** The contract between the drivers, which run calls, and the strategies, which decide about them. */
@NullMarked
package dev.recloser.spi;

import org.jspecify.annotations.NullMarked;
