/** The access log: a line of JSON for each request, written by a thread of its own. */
@NullMarked
package dev.recloser.gateway.accesslog;

import org.jspecify.annotations.NullMarked;
