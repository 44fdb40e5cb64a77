/** What the gateway measures, as Prometheus reads it. The data plane knows nothing of this: it is asked when somebody looks. */
@NullMarked
package dev.recloser.gateway.metrics;

import org.jspecify.annotations.NullMarked;
