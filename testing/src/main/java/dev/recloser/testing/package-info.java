/** Scripted outcomes, drivers into any state and assertions, for tests of code that uses Recloser. */
@NullMarked
package dev.recloser.testing;

import org.jspecify.annotations.NullMarked;
