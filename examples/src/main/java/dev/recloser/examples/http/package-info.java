/** The HTTP client under load, while the service that it calls has one fault after the other. */
@NullMarked
package dev.recloser.examples.http;

import org.jspecify.annotations.NullMarked;
