/** Meters of pipelines and circuits, for Micrometer. */
@NullMarked
package dev.recloser.micrometer;

import org.jspecify.annotations.NullMarked;
