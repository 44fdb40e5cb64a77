/** What listening costs a call: nothing, Micrometer. */
@NullMarked
package dev.recloser.benchmarks.telemetry;

import org.jspecify.annotations.NullMarked;
