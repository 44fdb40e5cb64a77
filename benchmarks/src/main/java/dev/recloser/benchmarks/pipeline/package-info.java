/** What a pipeline of several strategies adds to a call, beside the peers. */
@NullMarked
package dev.recloser.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
