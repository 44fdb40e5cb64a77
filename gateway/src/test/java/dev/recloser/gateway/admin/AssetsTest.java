package dev.recloser.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.AdminConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.gateway.metrics.Exposition;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of the dashboard, as they are served. */
class AssetsTest {

    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    private static final Pattern REFERENCE =
            Pattern.compile("(?:src=|href=|from )\"(?:dashboard/|\\./)([\\w.-]+)\"|`?dashboard/\\$");

    private final HttpClient client = HttpClient.newHttpClient();
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = AdminServer.start(
                new AdminConfig(new HostPort("127.0.0.1", 0)),
                List.of(),
                () -> false,
                accept -> new Exposition("text/plain", ""),
                () -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> send(String method, String path, String... headers) throws Exception {
        return AdminRequest.send(client, server, method, path, headers);
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            text/html,application/xhtml+xml,*/*;q=0.8 | text/html
            application/json, TEXT/HTML;q=0.1         | text/html
            */*                                       | text/plain
            text/*                                    | text/plain
            text/html;q=0, */*                        | text/plain
            text/html ; q=0.0                         | text/plain
            application/json                          | text/plain
            """)
    void browserGetsThePageAndEverybodyElseTheListing(String accept, String type) throws Exception {
        HttpResponse<String> response = send("GET", "/", "Accept", accept);
        assertThat(header(response, "content-type")).isEqualTo(type + "; charset=utf-8");
        assertThat(header(response, "vary")).isEqualTo("Accept");
    }

    @Test
    void clientThatSaysNothingGetsTheListing() throws Exception {
        assertThat(send("GET", "/").body()).startsWith("recloser admin\n").contains("GET  /events");
    }

    /** From the page on, following what each file refers to. */
    private Map<String, HttpResponse<String>> allFiles() throws Exception {
        Map<String, HttpResponse<String>> files = new LinkedHashMap<>();
        Deque<String> paths = new ArrayDeque<>(List.of("/", "/dashboard/open.svg"));
        while (!paths.isEmpty()) {
            String path = paths.pop();
            if (!files.containsKey(path)) {
                HttpResponse<String> response = send("GET", path, "Accept", BROWSER);
                files.put(path, response);
                Matcher matcher = REFERENCE.matcher(response.body());
                while (matcher.find()) {
                    if (matcher.group(1) != null) {
                        paths.add("/dashboard/" + matcher.group(1));
                    }
                }
            }
        }
        return files;
    }

    @Test
    void everythingThatThePageRefersToIsThereWithItsTypeAndAStrictPolicy() throws Exception {
        Map<String, String> types = Map.of(
                "html", "text/html; charset=utf-8",
                "css", "text/css; charset=utf-8",
                "js", "text/javascript; charset=utf-8",
                "svg", "image/svg+xml");
        Map<String, HttpResponse<String>> files = allFiles();
        assertThat(files).containsKeys("/dashboard/main.js", "/dashboard/dashboard.css", "/dashboard/strip.js");
        files.forEach((path, response) -> {
            String ending = path.equals("/") ? "html" : path.substring(path.lastIndexOf('.') + 1);
            assertThat(response.statusCode()).as(path).isEqualTo(200);
            assertThat(header(response, "content-type")).as(path).isEqualTo(types.get(ending));
            assertThat(header(response, "content-security-policy"))
                    .as(path)
                    .startsWith("default-src 'self'; ")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(header(response, "x-content-type-options")).isEqualTo("nosniff");
        });
    }

    @Test
    void noFileNamesAnAddressElsewhereAndThePageHasNoCodeInside() throws Exception {
        Map<String, HttpResponse<String>> files = allFiles();
        files.forEach((path, response) -> assertThat(response.body().replace("http://www.w3.org/2000/svg", ""))
                .as(path)
                .doesNotContain("http://", "https://", "//cdn", "@import", "eval("));
        assertThat(files.get("/").body())
                .doesNotContainPattern("<script(?![^>]* src=)")
                .doesNotContainPattern("<style|\\sstyle=|\\son\\w+=");
    }

    @Test
    void fileThatTheBrowserHasAlreadyIsNotSentAgain() throws Exception {
        for (String path : List.of("/", "/dashboard/main.js")) {
            HttpResponse<String> first = send("GET", path, "Accept", BROWSER);
            assertThat(header(first, "cache-control")).isEqualTo("no-cache");
            HttpResponse<String> second =
                    send("GET", path, "Accept", BROWSER, "If-None-Match", "W/\"x\", " + header(first, "etag"));
            assertThat(second.statusCode()).isEqualTo(304);
            assertThat(second.body()).isEmpty();
            assertThat(header(second, "etag")).isEqualTo(header(first, "etag"));
            assertThat(send("GET", path, "Accept", BROWSER, "If-None-Match", "\"other\"")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void headHasTheLengthAndNoBody() throws Exception {
        HttpResponse<String> response = send("HEAD", "/dashboard/dashboard.css");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(Integer.parseInt(header(response, "content-length"))).isGreaterThan(1000);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /dashboard/, 404",
        "GET, /dashboard/none.js, 404",
        "GET, /dashboard/../Assets.class, 404",
        "GET, /dashboard/%2e%2e/Assets.class, 404",
        "POST, /dashboard/main.js, 405",
        "POST, /, 405",
        "POST, /events, 405"
    })
    void nothingElseIsServed(String method, String path, int status) throws Exception {
        assertThat(send(method, path).statusCode()).isEqualTo(status);
    }

    @Test
    void pageSaysWithoutJavaScriptWhereToLook() throws Exception {
        String page = send("GET", "/", "Accept", BROWSER).body();
        String without = page.substring(page.indexOf("<noscript>"), page.indexOf("</noscript>"));
        assertThat(without).contains("needs JavaScript", "href=\"circuits\"", "href=\"healthz\"", "/isolate");
    }
}
