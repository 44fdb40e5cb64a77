package dev.recloser.gateway.config;

/**
 * Where an instance of a service listens.
 *
 * @param secure whether it is connected to by TLS
 * @param address the host and the port
 * @param weight how large its share of the requests is beside that of the others: from 1 to 1000
 */
public record DestinationConfig(boolean secure, HostPort address, int weight) {

    /** The weight of a destination for which none is given. */
    public static final int USUAL_WEIGHT = 1;

    /** A destination without TLS. */
    public DestinationConfig(HostPort address, int weight) {
        this(false, address, weight);
    }

    /** A destination without TLS, with the usual weight. */
    public DestinationConfig(HostPort address) {
        this(address, USUAL_WEIGHT);
    }

    /** Its URL, without a path. */
    public String url() {
        return (secure ? "https://" : "http://") + address;
    }
}
