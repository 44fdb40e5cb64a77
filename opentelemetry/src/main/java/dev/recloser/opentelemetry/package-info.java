/** Metrics and traces of pipelines and circuits, through the API of OpenTelemetry. */
@NullMarked
package dev.recloser.opentelemetry;

import org.jspecify.annotations.NullMarked;
