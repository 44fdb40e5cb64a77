package dev.recloser.gateway.proxy;

/** A request that is refused because it is malformed, too large, or could be read in two ways. */
final class BadRequestException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String detail;

    BadRequestException(int status, String detail) {
        super(detail, null, false, false);
        this.status = status;
        this.detail = detail;
    }

    BadRequestException(String detail) {
        this(400, detail);
    }

    int status() {
        return status;
    }

    String detail() {
        return detail;
    }

    static BadRequestException tooManyHeaders() {
        return new BadRequestException(431, "There are too many headers.");
    }

    static BadRequestException tooLarge() {
        return new BadRequestException(413, "The body of the request is larger than this service takes.");
    }
}
