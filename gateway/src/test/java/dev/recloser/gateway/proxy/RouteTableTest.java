package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.RouteConfig;
import dev.recloser.time.TimeSource;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** More specific routes win. */
class RouteTableTest {

    private final List<RouteConfig> routes = new ArrayList<>();
    private final Map<String, Cluster> clusters = new HashMap<>();

    private RouteTableTest route(
            String name, String path, String host, Set<String> methods, Map<String, String> headers) {
        var config =
                new TestGateway.Settings().cluster(name, 1).config().clusters().get(name);
        clusters.put(name, new Cluster(config, clusters.size(), TimeSource.system()));
        routes.add(new RouteConfig(Optional.ofNullable(path), Optional.ofNullable(host), methods, headers, name));
        return this;
    }

    private RouteTableTest route(String name, String path) {
        return route(name, path, null, Set.of(), Map.of());
    }

    private RouteTable.Search search(String method, String target, String host, String... headers) {
        var request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), target);
        request.headers().set("Host", host);
        for (int i = 0; i < headers.length; i += 2) {
            request.headers().set(headers[i], headers[i + 1]);
        }
        return new RouteTable.Search(RequestHead.of(request, false));
    }

    private String find(String method, String target, String host, String... headers) {
        Cluster found = new RouteTable(routes, clusters).find(search(method, target, host, headers));
        return found == null ? "none" : found.name();
    }

    private String find(String target) {
        return find("GET", target, "test");
    }

    @Test
    void aSubtreeIsThePathAndAllBelow() {
        route("a", "/a/**");
        assertThat(find("/a")).isEqualTo("a");
        assertThat(find("/a/")).isEqualTo("a");
        assertThat(find("/a/b/c?d")).isEqualTo("a");
        assertThat(find("/a?b")).isEqualTo("a");
        assertThat(find("/ab")).isEqualTo("none");
        assertThat(find("/")).isEqualTo("none");
    }

    @Test
    void exactBeatsLongPrefixBeatsShortPrefixBeatsAny() {
        route("any", null)
                .route("root", "/**")
                .route("a", "/a/**")
                .route("ab", "/a/b/**")
                .route("exact", "/a/b/c");
        assertThat(find("/a/b/c")).isEqualTo("exact");
        assertThat(find("/a/b/d")).isEqualTo("ab");
        assertThat(find("/a/c")).isEqualTo("a");
        assertThat(find("/x")).isEqualTo("root");
        assertThat(find("OPTIONS", "*", "test")).isEqualTo("any");
    }

    @Test
    void aDeepPathFindsTheLongestPrefixOfIt() {
        String deep = "/a/b" + "/c".repeat(1000);
        route("root", "/**")
                .route("ab", "/a/b/**")
                .route("deep", deep + "/**")
                .route("host", "/a/**", "pay.example", Set.of(), Map.of());
        assertThat(find(deep)).isEqualTo("deep");
        assertThat(find(deep + "/")).isEqualTo("deep");
        assertThat(find(deep + "/x/y")).isEqualTo("deep");
        assertThat(find(deep + "x/y")).isEqualTo("ab");
        assertThat(find("/a/bb" + "/c".repeat(1000))).isEqualTo("root");
        assertThat(find("/".repeat(1000))).isEqualTo("root");
        assertThat(find("GET", deep, "pay.example")).isEqualTo("host");
        assertThat(find("GET", "/b" + deep, "pay.example")).isEqualTo("root");
    }

    @Test
    void noMorePrefixesAreLookedUpThanTheLongestConfiguredOneHasSegments() {
        route("ab", "/a/b/**").route("host", "/a/**", "pay.example", Set.of(), Map.of());
        RouteTable table = new RouteTable(routes, clusters);
        for (String path : List.of("/".repeat(8000), "/c".repeat(4000))) {
            RouteTable.Search search = search("GET", path, "pay.example");
            assertThat(table.find(search)).isNull();
            assertThat(search.lookUps()).isLessThanOrEqualTo(8);
        }
    }

    @Test
    void noPrefixIsLookedUpWhereNoneIsConfigured() {
        route("exact", "/a");
        RouteTable.Search search = search("GET", "/".repeat(8000), "test");
        assertThat(new RouteTable(routes, clusters).find(search)).isNull();
        assertThat(search.lookUps()).isZero();
    }

    @Test
    void aHostBeatsNone() {
        route("exact", "/a").route("host", null, "pay.example", Set.of(), Map.of());
        assertThat(find("GET", "/a", "pay.example")).isEqualTo("host");
        assertThat(find("GET", "/a", "PAY.example.:8080")).isEqualTo("host");
        assertThat(find("GET", "/a", "other")).isEqualTo("exact");
        assertThat(find("GET", "/b", "other")).isEqualTo("none");
    }

    @Test
    void whatAHostDoesNotServeIsLookedForWithoutIt() {
        route("all", "/**").route("host", "/a", "pay.example", Set.of(), Map.of());
        assertThat(find("GET", "/b", "pay.example")).isEqualTo("all");
    }

    @Test
    void moreConditionsBeatFewer() {
        route("plain", "/a")
                .route("header", "/a", null, Set.of(), Map.of("x-a", "1"))
                .route("headers", "/a", null, Set.of(), Map.of("x-a", "1", "x-b", "2"))
                .route("method", "/a", null, Set.of("POST"), Map.of());
        assertThat(find("/a")).isEqualTo("plain");
        assertThat(find("GET", "/a", "test", "X-A", "1")).isEqualTo("header");
        assertThat(find("GET", "/a", "test", "X-A", "1", "X-B", "2")).isEqualTo("headers");
        assertThat(find("GET", "/a", "test", "X-A", "3")).isEqualTo("plain");
        assertThat(find("POST", "/a", "test", "X-A", "1")).isEqualTo("method");
    }

    @Test
    void amongEqualsTheFirstOfTheFileWins() {
        route("first", "/a").route("second", "/a");
        assertThat(find("/a")).isEqualTo("first");
    }

    @Test
    void theMethodsThatWouldMatchAreKnown() {
        route("a", "/a", null, Set.of("GET", "PUT"), Map.of());
        RouteTable.Search search = search("POST", "/a", "test");
        assertThat(new RouteTable(routes, clusters).find(search)).isNull();
        assertThat(search.notFound().ending()).isEqualTo(Ending.METHOD);
        assertThat(find("GET", "/a", "test")).isEqualTo("a");
    }
}
