package dev.recloser.examples.http;

/** What is wrong with the service. */
public enum Fault {
    /** Nothing: it answers after {@link FaultyService#LATENCY}. */
    NONE("well"),
    /** It answers after {@link FaultyService#SLOW_LATENCY}, which is more than an attempt may take. */
    SLOW("slow"),
    /** It answers every {@value FaultyService#UNAVAILABLE_EVERY}th request with 503. */
    SOME_UNAVAILABLE("20 % are 503"),
    /** It refuses connections, and has reset those that it had. */
    DOWN("down");

    private final String text;

    Fault(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
