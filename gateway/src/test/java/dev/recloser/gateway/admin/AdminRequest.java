package dev.recloser.gateway.admin;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Requests to an admin server in a test. */
final class AdminRequest {

    private AdminRequest() {}

    /**
     * One request without a body, and its answer.
     *
     * @param headers names and values in turn
     */
    static HttpResponse<String> send(
            HttpClient client, AdminServer server, String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + path))
                .method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
