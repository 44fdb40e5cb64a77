/** A {@code java.net.http} client with a resilience pipeline inside. */
@NullMarked
package dev.recloser.http;

import org.jspecify.annotations.NullMarked;
