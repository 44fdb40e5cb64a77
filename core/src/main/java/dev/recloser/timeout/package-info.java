/** The timeout: bounds what stands inside it. */
@NullMarked
package dev.recloser.timeout;

import org.jspecify.annotations.NullMarked;
