package dev.recloser.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the parts of the dashboard make of given figures, in the page itself. */
class DashboardDrawingTest extends DashboardPage {

    private static final String CLUSTER = """
            const { Cluster } = await import("/dashboard/model.js");
            const { Tile } = await import("/dashboard/tile.js");
            const live = (more) => ({ state: "CLOSED", since: "2026-01-01T00:00:00Z", inState: 65_000, calls: 0, failures: 0,
              runningProbes: 0, inFlight: 3, failed: {}, ...more });
            const settings = { "timeout": "5s", "failure-ratio": 0.5, "minimum-throughput": 5, "sampling-duration": "10s" };
            const cluster = (name, slices, more = {}) =>
              new Cluster({ name, destinations: ["http://a", "http://b"], settings, slices, live: live(more) });
            """;

    /**
     * The strip of one column in which there is one kind alone: the grey levels of its pixels, where its colour differs from nothing
     * drawn, as a string of rows from the top.
     */
    private static final String STRIP = """
            const { draw } = await import("/dashboard/strip.js");
            const canvas = document.createElement("canvas");
            canvas.style.cssText = "display: block; width: 600px; height: 45px";
            document.body.append(canvas);
            const columns = Array.from({ length: 60 }, () => (
              { perSecond: 1, ok: 0, slow: 0, failed: 0, ignored: 0, rejected: 0, state: "CLOSED", ...arguments[0] }));
            const peak = draw(canvas, columns);
            const context = canvas.getContext("2d");
            const grey = (x, y) => {
              const [r, g, b, a] = context.getImageData(x, y, 1, 1).data;
              return a === 0 ? -1 : Math.round(0.2126 * r + 0.7152 * g + 0.0722 * b);
            };
            const rows = Array.from({ length: 45 }, (_, y) => Array.from({ length: 8 }, (_, x) => grey(300 + x, y)));
            canvas.remove();
            return [peak, ...rows.map((row) => row.join(" "))];
            """;

    /** What a script returns that may wait for others. */
    private static Object inPage(String script) {
        return browser.run("return (async () => {" + script + "})();");
    }

    private static List<String> strip(String column) {
        return ((List<?>) inPage(STRIP.replace("arguments[0]", column)))
                .stream().map(Object::toString).toList();
    }

    @Test
    void cellsShowRateErrorRatioPercentilesAndLimits() throws Exception {
        open(1);
        Object shown = inPage(CLUSTER + """
                const slices = Array.from({ length: 60 }, (_, i) => i < 55 ? [1, 10, 0, 0, 0, 0, "CLOSED"] : [1, 1, 1, 2, 3, 4, "CLOSED"]);
                const tile = new Tile(cluster("t", slices, { latency: [5, 3.21, 120.4, 1500], latencyOfMinute: [500, 1.5, 20, 99.6] }), () => {});
                tile.show();
                tile.showTime(performance.now());
                const cells = [...tile.element.querySelectorAll("tbody td")].map((cell) => cell.textContent);
                return [...cells, tile.element.querySelector(".limits").textContent, tile.element.querySelector(".age").textContent,
                  tile.element.querySelector(".sums").textContent];
                """);
        assertThat(shown)
                .isEqualTo(List.of(
                        "11.0",
                        "50 %",
                        "3.2 ms",
                        "120 ms",
                        "1.5 s",
                        "10.1",
                        "1.8 %",
                        "1.5 ms",
                        "20 ms",
                        "100 ms",
                        "3 in flight · timeout 5s · 2 destinations",
                        "for 1 min 5 s",
                        "560 ok · 5 of them slow · 10 failed · 20 rejected · 15 ignored"));
    }

    @Test
    void closedCircuitsAreSortedByErrorsAndThenByVolume() throws Exception {
        open(1);
        inPage(CLUSTER + """
                const { Board } = await import("/dashboard/board.js");
                const board = new Board(() => {});
                const minute = (ok, failed) => [[1, ok, 0, failed, 0, 0, "CLOSED"]];
                const clusters = [cluster("idle", []), cluster("few", minute(10, 0)), cluster("many", minute(1000, 0)),
                  cluster("failing-few", minute(5, 5)), cluster("failing-many", minute(70, 30)), cluster("failing-more", minute(700, 300))];
                board.setClusters(new Map(clusters.map((each) => [each.name, each])));
                window.sorted = [...document.querySelectorAll("#calm .tile")].map((tile) => tile.dataset.cluster);
                """);
        assertThat(browser.run("return sorted"))
                .isEqualTo(List.of("failing-few", "failing-more", "failing-many", "many", "few", "idle"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void kindsInTheStripDifferWithoutColour(String scheme) throws Exception {
        town = Town.start(1);
        browser.open(town.url(), 1400, 900, scheme);
        browser.awaitText("#connection", "live");
        List<String> nothing = strip("{}");
        List<String> ok = strip("{ ok: 8 }");
        List<String> slow = strip("{ slow: 8 }");
        List<String> ignored = strip("{ ignored: 8 }");
        List<String> failed = strip("{ failed: 8 }");
        List<String> rejected = strip("{ rejected: 8 }");
        assertThat(nothing.get(0)).isEqualTo("0");
        assertThat(ok.get(0)).isEqualTo("8");
        String empty = "-1 -1 -1 -1 -1 -1 -1 -1";
        assertThat(nothing.subList(1, 40)).containsOnly(empty);
        for (List<String> filled : List.of(ok, slow, ignored, failed, rejected)) {
            assertThat(filled.subList(5, 35)).doesNotContain(empty);
        }
        assertThat(ok.subList(41, 46)).as("the line is under what was answered").contains(empty);
        assertThat(failed.get(1)).as("and above what failed").isEqualTo(nothing.get(41));

        assertThat(levels(ok)).as("ok is plain").hasSize(1);
        assertThat(levels(ignored)).as("ignored is plain").hasSize(1);
        assertThat(Math.abs(levels(ok).get(0) - levels(ignored).get(0)))
                .as("and as light or dark as ok is not")
                .isGreaterThan(25);
        assertThat(slow.get(10)).as("slow is striped").isNotEqualTo(slow.get(11));
        assertThat(levels(failed)).as("failed is plain").hasSize(1);
        assertThat(levels(rejected)).as("rejected is hatched").hasSize(2);
    }

    /** The levels of grey in the middle of the columns, without the gaps between them. */
    private static List<Integer> levels(List<String> strip) {
        return strip.subList(10, 30).stream()
                .flatMap(row -> List.of(row.split(" ")).stream())
                .map(Integer::valueOf)
                .filter(level -> level >= 0)
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void statesInTheStripDifferByThePlaceOfTheirBars() throws Exception {
        open(1);
        List<List<Boolean>> bars = List.of("CLOSED", "OPEN", "HALF_OPEN", "ISOLATED").stream()
                .map(state -> strip("{ ok: 8, state: '" + state + "' }").subList(42, 46).stream()
                        .map(row -> !row.startsWith("-1"))
                        .toList())
                .toList();
        assertThat(bars)
                .containsExactly(
                        List.of(false, false, false, false),
                        List.of(true, true, true, true),
                        List.of(false, false, true, true),
                        List.of(true, false, false, true));
    }
}
