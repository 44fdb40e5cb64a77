/** The HTTP reverse proxy with a resilience pipeline in front of every cluster of services. */
@NullMarked
package dev.recloser.gateway;

import org.jspecify.annotations.NullMarked;
