/** The load harness that puts the gateway beside other proxies. */
@NullMarked
package dev.recloser.benchmarks.gateway;

import org.jspecify.annotations.NullMarked;
