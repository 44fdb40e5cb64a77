package dev.recloser.gateway.proxy;

/** What kind of status a client got. */
public enum StatusClass {
    /** None: the client had gone before. */
    NONE("none"),
    /** It worked. */
    SUCCESS("2xx"),
    /** The client is to look elsewhere. */
    REDIRECTION("3xx"),
    /** The connection goes on in another protocol. */
    INFORMATIONAL("1xx"),
    /** The client is at fault. */
    CLIENT_ERROR("4xx"),
    /** The service or the gateway is; so is, for a client, whatever HTTP does not know. */
    SERVER_ERROR("5xx");

    private final String label;

    StatusClass(String label) {
        this.label = label;
    }

    /** How it is written, such as {@code 2xx}. */
    public String label() {
        return label;
    }

    /**
     * The class of a status.
     *
     * @param status 0 if there was none
     */
    static StatusClass of(int status) {
        return switch (status / 100) {
            case 1 -> INFORMATIONAL;
            case 2 -> SUCCESS;
            case 3 -> REDIRECTION;
            case 4 -> CLIENT_ERROR;
            default -> status == 0 ? NONE : SERVER_ERROR;
        };
    }
}
