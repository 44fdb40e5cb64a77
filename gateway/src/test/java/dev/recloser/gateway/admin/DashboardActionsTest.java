package dev.recloser.gateway.admin;

import static dev.recloser.gateway.proxy.ScriptedService.heldUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What is done from the dashboard while something else goes wrong or on, and the figures of a tile. */
class DashboardActionsTest extends DashboardPage {

    /** Lets the answers of posted requests wait until the test lets them go, oldest first. */
    private static final String HOLD_ANSWERS = """
            window.held = [];
            const sent = window.fetch;
            window.fetch = async (path, options) => {
              const answer = await sent(path, options);
              if (options?.method === "POST") {
                await new Promise((go) => held.push(go));
              }
              return answer;
            };
            """;

    private static final String PERCENTILES = """
            const cells = [...document.querySelectorAll(arguments[0] + " tbody td")].map((cell) => cell.textContent);
            return [cells.slice(2, 5), cells.slice(7, 10)];
            """;

    @Test
    void tilesThatTheFilterHidCanBeActedOnAfterALostConnection() throws Exception {
        open(3);
        browser.find("#filter").sendKeys("c-1");
        browser.await("only one is shown", () -> names(".tiles").equals(List.of("c-1")));
        town.stopAdmin();
        browser.awaitText("#connection", "Connection lost");
        browser.find("#filter").sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
        browser.await("all are shown", () -> names(".tiles").size() == 3);
        assertThat(browser.find(tile("c-2") + " .isolate").isEnabled()).isFalse();
        browser.find("#filter").sendKeys("c-1");
        town.startAdmin();
        browser.await("it is live again", () -> browser.text("#connection").equals("live"));
        browser.find("#filter").sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
        browser.await("all are shown", () -> names(".tiles").size() == 3);
        assertThat(browser.find(tile("c-2") + " .isolate").isEnabled()).isTrue();
    }

    @Test
    void theTokenIsAskedForOnceAndAgainIfItIsAnotherOne() throws Exception {
        town = Town.start(2, Optional.of("the-token-of-the-town"));
        browser.open(town.url());
        browser.awaitText("#connection", "live");
        browser.find(tile("c-1") + " .isolate").click();
        assertThat(browser.find("#confirm-token").isDisplayed()).isFalse();
        browser.find("#confirm-yes").click();
        browser.awaitText("#confirm-error", "The gateway wants its admin token.");
        browser.find("#confirm-token").sendKeys("another-token-than-that");
        browser.find("#confirm-yes").click();
        browser.awaitText("#confirm-error", "Refused: this is not the admin token of the gateway.");
        browser.find("#confirm-token").sendKeys("the-token-of-the-town", Keys.ENTER);
        awaitState("c-1", CircuitState.ISOLATED);
        browser.await("the dialog closes", () -> !browser.find("#confirm").isDisplayed());
        browser.find(tile("c-2") + " .isolate").click();
        assertThat(browser.find("#confirm-token").isDisplayed()).isFalse();
        browser.find("#confirm-yes").click();
        awaitState("c-2", CircuitState.ISOLATED);
        assertThat(browser.run("return localStorage.length + document.cookie.length"))
                .isEqualTo(0L);
    }

    @Test
    void lateAnswerLeavesTheNextQuestionAlone() throws Exception {
        open(2);
        browser.run(HOLD_ANSWERS);
        browser.find(tile("c-1") + " .isolate").click();
        browser.find("#confirm-yes").click();
        browser.await("the answer is there", () -> (boolean) browser.run("return held.length === 1"));
        assertThat(browser.find("#confirm-yes").isEnabled()).isFalse();
        browser.press(Keys.ESCAPE);
        browser.await("the dialog closes", () -> !browser.find("#confirm").isDisplayed());
        browser.find(tile("c-2") + " .isolate").click();
        browser.find("#confirm-yes").click();
        browser.await("both are there", () -> (boolean) browser.run("return held.length === 2"));
        browser.run("held[0](); return new Promise((done) => setTimeout(done, 100));");
        assertThat(browser.find("#confirm").isDisplayed()).isTrue();
        assertThat(browser.text("#confirm-title")).isEqualTo("Isolate c-2?");
        assertThat(browser.find("#confirm-yes").isEnabled()).isFalse();
        browser.run("held[1]()");
        browser.await("the dialog closes", () -> !browser.find("#confirm").isDisplayed());
        assertQuiet();
    }

    @Test
    void detailsShowTheStateAsItIsNow() throws Exception {
        open(2);
        browser.find(tile("c-2") + " .name").click();
        browser.awaitText("#details-title", "c-2: closed");
        assertThat(browser.find("#details-close").isDisplayed()).isFalse();
        town.isolate("c-2");
        browser.awaitText("#details-title", "c-2: isolated");
        assertThat(browser.find("#details-close").isDisplayed()).isTrue();
        assertThat(browser.find("#details-isolate").isDisplayed()).isFalse();
        assertQuiet();
    }

    @Test
    void circuitIsIsolatedThoughTabsTakeAllConnectionsOfTheBrowser() throws Exception {
        town = Town.start(1);
        try (Browser.Tabs tabs = browser.tabs()) {
            for (int i = 0; i < 6; i++) {
                tabs.open();
                browser.open(town.url());
                browser.awaitText("#connection", "live");
            }
            browser.find(tile("c-1") + " .isolate").click();
            browser.find("#confirm-yes").click();
            awaitState("c-1", CircuitState.ISOLATED);
            browser.await("the dialog closes", () -> !browser.find("#confirm").isDisplayed());
            browser.awaitText("#connection", "live");
        }
    }

    @Test
    void droppedConnectionLosesAndDoublesNoTransition() throws Exception {
        town = Town.start(2);
        try (Relay relay = new Relay(town.adminPort())) {
            browser.open(relay.url());
            browser.awaitText("#connection", "live");
            town.isolate("c-1");
            browser.awaitText("#timeline", "c-1 isolated");
            relay.cut();
            browser.awaitText("#connection", "Connection lost");
            town.isolate("c-2");
            town.closeCircuit("c-1");
            relay.mend();
            browser.await("it is live again", () -> browser.text("#connection").equals("live"));
            assertThat(browser.text("#announcer")).startsWith("2 transitions. The last one: ");
            town.closeCircuit("c-2");
            browser.awaitText("#timeline", "c-2 closed");
            assertThat(
                            browser.run(
                                    "return [...document.querySelectorAll('#timeline li')].map((line) => Number(line.dataset.number))"))
                    .isEqualTo(List.of(4L, 3L, 2L, 1L));
            awaitState("c-1", CircuitState.CLOSED);
        }
    }

    @Test
    void isolationIsShownWithinASecond() throws Exception {
        open(2);
        browser.run(NOTE_STATES);
        town.isolate("c-2");
        awaitState("c-2", CircuitState.ISOLATED);
        assertThat(delays()).hasSize(1).allMatch(delay -> delay < 1000);
    }

    @Test
    void figuresOfATileAreThoseOfItsTraffic() throws Exception {
        open(1);
        town.call("c-1", 10);
        browser.awaitText(tile("c-1") + " .sums", "10 ok");
        CountDownLatch let = new CountDownLatch(1);
        town.service().now(heldUntil(let, BROKEN));
        town.callLater("c-1");
        browser.awaitText(tile("c-1") + " .limits", "1 in flight · timeout 5s · 1 destination");
        let.countDown();
        browser.awaitText(tile("c-1") + " .limits", "0 in flight");
        browser.awaitText(tile("c-1") + " tbody tr:last-child td:nth-child(3)", "9.1 %");
        assertThat(browser.text(tile("c-1") + " tbody tr:last-child td:nth-child(2)"))
                .matches("[0-9.]+");
        assertThat(browser.text(tile("c-1") + " .age")).matches("for \\d+ s");
        browser.await(
                "percentiles are there",
                () -> ((List<?>) browser.run(PERCENTILES, tile("c-1")))
                        .stream().allMatch(row -> row.toString().matches("\\[(([\\d.]+ m?s(, )?)){3}]")));
        assertQuiet();
    }
}
