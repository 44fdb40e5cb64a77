/** The data plane: what happens to a request between the client and the service. */
@NullMarked
package dev.recloser.gateway.proxy;

import org.jspecify.annotations.NullMarked;
