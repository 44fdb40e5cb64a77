/** What the whole HTTP client adds to a request. */
@NullMarked
package dev.recloser.benchmarks.http;

import org.jspecify.annotations.NullMarked;
