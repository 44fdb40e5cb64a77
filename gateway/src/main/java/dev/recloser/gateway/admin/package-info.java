/** The admin server: how the gateway is, for people and machines, and circuits opened and closed by hand. */
@NullMarked
package dev.recloser.gateway.admin;

import org.jspecify.annotations.NullMarked;
