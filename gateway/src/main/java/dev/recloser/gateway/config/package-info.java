/** The gateway's configuration: what a file says, checked, as immutable values. */
@NullMarked
package dev.recloser.gateway.config;

import org.jspecify.annotations.NullMarked;
