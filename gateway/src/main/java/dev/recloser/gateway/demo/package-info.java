/** The demo: two small services, a gateway in front of them, and an incident to watch. */
@NullMarked
package dev.recloser.gateway.demo;

import org.jspecify.annotations.NullMarked;
