package dev.recloser.gateway.config;

/**
 * Where an instance of a service listens.
 *
 * @param address the host and the port
 * @param weight how large its share of the requests is beside that of the others: from 1 to 1000
 */
public record DestinationConfig(HostPort address, int weight) {

    /** The weight of a destination for which none is given. */
    public static final int USUAL_WEIGHT = 1;

    /** A destination with the usual weight. */
    public DestinationConfig(HostPort address) {
        this(address, USUAL_WEIGHT);
    }

    /** Its URL, without a path. */
    public String url() {
        return "http://" + address;
    }
}
