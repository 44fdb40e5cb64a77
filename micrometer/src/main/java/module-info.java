/** Meters of pipelines and circuits, for Micrometer. */
@org.jspecify.annotations.NullMarked
module dev.recloser.micrometer {
    requires static org.jspecify;
    requires transitive dev.recloser;
    requires transitive micrometer.core;

    exports dev.recloser.micrometer;
}
