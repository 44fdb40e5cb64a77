/** A {@code java.net.http} client with a resilience pipeline inside. */
@org.jspecify.annotations.NullMarked
module dev.recloser.http {
    requires static org.jspecify;
    requires transitive dev.recloser;
    requires transitive java.net.http;

    exports dev.recloser.http;
}
