/** Pipelines, the outcomes that they judge, and every way in which one can reject a call. */
@NullMarked
package dev.recloser;

import org.jspecify.annotations.NullMarked;
