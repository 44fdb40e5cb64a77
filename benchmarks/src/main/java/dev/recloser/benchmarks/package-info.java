/** Recloser beside others in one run: what the comparisons share. See the README of this module. */
@NullMarked
package dev.recloser.benchmarks;

import org.jspecify.annotations.NullMarked;
