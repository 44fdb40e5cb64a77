package dev.recloser.gateway.proxy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that has ended, as it was. What the client sent is as it came, and cut where it is very long.
 *
 * @param time when its head had come
 * @param client the address of the client
 * @param method null if the request could not be read
 * @param host the host that it is for; null if it names none, or could not be read
 * @param path the path, without the query; null if the request could not be read
 * @param traceparent the header of that name; null if there is none, or several
 * @param status what the client got; 499 if it has gone before, 0 if it got none for another reason
 * @param reason how it ended
 * @param cluster null if it was for none
 * @param destination the last one that was asked; null if none was
 * @param durationNanos from its head to the end of the answer
 * @param serviceNanos how long the service took; negative if that was not measured
 * @param overheadNanos how long the gateway took; negative if the service has not answered
 * @param requestBytes bytes of its body that were passed on
 * @param responseBytes bytes of the answer's body that were written to the client
 */
public record AccessRecord(
        Instant time,
        String client,
        @Nullable String method,
        @Nullable String host,
        @Nullable String path,
        @Nullable String traceparent,
        int status,
        String reason,
        @Nullable String cluster,
        @Nullable String destination,
        long durationNanos,
        long serviceNanos,
        long overheadNanos,
        long requestBytes,
        long responseBytes) {}
