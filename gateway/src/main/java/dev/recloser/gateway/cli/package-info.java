/** The command line: runs the gateway, checks its configuration, and plays the demo. */
@NullMarked
package dev.recloser.gateway.cli;

import org.jspecify.annotations.NullMarked;
