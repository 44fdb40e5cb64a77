package dev.recloser.gateway.proxy;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;

/**
 * How a call of gRPC has ended, which its trailers say, or its headers where it has nothing but those; the status of HTTP is 200 all the
 * same. See the status codes of gRPC.
 */
final class Grpc {

    private static final AsciiString STATUS = AsciiString.cached("grpc-status");

    private Grpc() {}

    /**
     * Whether they say that the service failed: UNKNOWN (2), DEADLINE_EXCEEDED (4), INTERNAL (13), UNAVAILABLE (14) or DATA_LOSS (15). All
     * others are answers, as 4xx are.
     */
    static boolean isFailure(HttpHeaders headersOrTrailers) {
        String status = headersOrTrailers.get(STATUS);
        return status != null && isFailure(status);
    }

    private static boolean isFailure(String status) {
        return switch (status) {
            case "2", "4", "13", "14", "15" -> true;
            default -> false;
        };
    }
}
