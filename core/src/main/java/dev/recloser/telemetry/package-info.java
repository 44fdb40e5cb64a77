/** What there is to see of pipelines and circuits, in the terms of no particular tool: numbers, logs, health. */
@org.jspecify.annotations.NullMarked
package dev.recloser.telemetry;
