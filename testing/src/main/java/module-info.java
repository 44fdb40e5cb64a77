/** Scripted outcomes, drivers into any state and assertions, for tests of code that uses Recloser. */
@org.jspecify.annotations.NullMarked
module dev.recloser.testing {
    requires static org.jspecify;
    requires transitive dev.recloser;

    exports dev.recloser.testing;
}
