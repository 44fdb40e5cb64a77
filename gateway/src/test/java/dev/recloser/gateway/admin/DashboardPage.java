package dev.recloser.gateway.admin;

import static dev.recloser.gateway.proxy.ScriptedService.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A browser for the tests of a class, and a gateway for each of them, whose dashboard it shows. */
@Tag("once")
@Timeout(60)
abstract class DashboardPage {

    static final String OK = answer(200, "fine");
    static final String BROKEN = answer(500, "down");

    /** Notes for each tile when it has come into which state, by the wall clock. */
    static final String NOTE_STATES = """
            window.noted = [];
            new MutationObserver((changes) => changes.forEach((change) => {
              if (change.target.dataset.state) noted.push(change.target.dataset.state + " " + Date.now());
            })).observe(document.getElementById("board"), { subtree: true, attributes: true, attributeFilter: ["data-state"] });
            """;

    @TempDir
    static Path profile;

    static Browser browser;

    Town town;

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start(profile);
    }

    @AfterAll
    static void stopBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void stopTown() throws Exception {
        if (town != null) {
            town.close();
        }
    }

    void open(int clusters) throws Exception {
        town = Town.start(clusters);
        browser.open(town.url());
        browser.awaitText("#connection", "live");
    }

    static String tile(String cluster) {
        return "[data-cluster='" + cluster + "']";
    }

    static void awaitState(String cluster, CircuitState state) {
        browser.await(
                cluster + " is shown " + state,
                () -> state.name()
                        .equals(browser.run(
                                "return document.querySelector(arguments[0])?.dataset.state", tile(cluster))));
    }

    /** Nothing was logged, and nothing was asked of anybody but the admin server. */
    void assertQuiet() {
        assertThat(browser.log()).isEmpty();
        assertThat((List<?>) browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name.toString()).startsWith(town.url()));
    }

    static List<String> names(String list) {
        return ((List<?>) browser.run(
                        "return [...document.querySelectorAll(arguments[0] + ' .tile')].map((tile) => tile.dataset.cluster)",
                        list))
                .stream().map(Object::toString).toList();
    }

    /** Of each transition, the milliseconds from when it happened until the tile showed it. */
    static List<Long> delays() {
        return ((List<?>) browser.run("""
                const at = [...document.querySelectorAll("#timeline time")].reverse().map((time) => Date.parse(time.dateTime));
                return noted.map((note, index) => Number(note.split(" ")[1]) - at[index]);
                """))
                .stream().map(delay -> ((Number) delay).longValue()).toList();
    }
}
