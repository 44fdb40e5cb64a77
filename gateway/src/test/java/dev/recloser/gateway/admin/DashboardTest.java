package dev.recloser.gateway.admin;

import static dev.recloser.gateway.proxy.ScriptedService.always;
import static dev.recloser.gateway.proxy.ScriptedService.heldUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The dashboard in a browser, in front of a gateway with real traffic. */
class DashboardTest extends DashboardPage {

    @Test
    void incidentIsShownAsItHappens() throws Exception {
        open(2);
        browser.run(NOTE_STATES);
        town.call("c-1", 5);
        browser.awaitText(tile("c-1") + " .sums", "5 ok");
        browser.awaitText(tile("c-1") + " .threshold-text", "0 % of 5 calls in 10s failed; opens at 50 %");
        assertThat(browser.text(tile("c-2") + " .threshold-text")).isEqualTo("needs 5 calls in 10s, has 0 (0 failed)");
        browser.screenshots("1-closed");

        town.service().now(always(BROKEN));
        town.call("c-1", 5);
        awaitState("c-1", CircuitState.OPEN);
        assertThat(browser.title()).isEqualTo("1 open – Recloser");
        assertThat(browser.run("return document.getElementById('icon').getAttribute('href')"))
                .isEqualTo("dashboard/open.svg");
        assertThat(browser.text("#summary")).startsWith("2 clusters: 1 open, 1 closed");
        assertThat(browser.text(tile("c-1") + " .probe-text")).matches("next probe in [123] s");
        browser.awaitText(tile("c-1") + " .probe-text", "next probe in 1 s");
        town.call("c-1", 2);
        browser.awaitText(tile("c-1") + " .sums", "5 failed (upstream-5xx) · 2 rejected");
        browser.awaitText(tile("c-1") + " .probe-text", "the next request is the probe");
        browser.screenshots("2-open");

        CountDownLatch healed = new CountDownLatch(1);
        town.service().now(heldUntil(healed, OK));
        CompletableFuture<Void> probe = CompletableFuture.runAsync(() -> town.call("c-1", 1));
        awaitState("c-1", CircuitState.HALF_OPEN);
        browser.awaitText(tile("c-1") + " .probe-text", "1 probe running; 1 success closes it");
        browser.screenshots("3-half-open");
        healed.countDown();
        awaitState("c-1", CircuitState.CLOSED);
        probe.join();
        assertThat(browser.title()).isEqualTo("Recloser");

        List<?> lines = (List<?>)
                browser.run(
                        "return [...document.querySelectorAll('#timeline li')].map((line) => line.textContent.replace(/^[0-9:]+ +/, ''))");
        assertThat(lines)
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.list(String.class))
                .containsExactly(
                        "c-1 closedthe probe succeeded; counting starts anew",
                        "c-1 half-openthe break is over, and this call is the probe",
                        "c-1 opened50 % of 10 calls failed; next probe in 3 s"
                                + "; last failure: upstream-5xx: The service failed.");
        assertThat(browser.text("#announcer")).startsWith("c-1 closed: the probe succeeded");
        browser.screenshots("4-closed-again");
        assertThat(delays()).hasSize(3).allMatch(delay -> delay < 1000);
        assertQuiet();
    }

    @Test
    void circuitIsIsolatedByTheButtonAfterAQuestionThatNamesIt() throws Exception {
        open(2);
        browser.find(tile("c-2") + " .isolate").click();
        assertThat(browser.text("#confirm-title")).isEqualTo("Isolate c-2?");
        assertThat(browser.text("#confirm-text")).startsWith("Every request for c-2 is answered with 503");
        browser.find("#confirm-no").click();
        assertThat(browser.find("#confirm").isDisplayed()).isFalse();
        assertThat(town.state("c-2")).isEqualTo(CircuitState.CLOSED);
        browser.find(tile("c-2") + " .isolate").click();
        browser.find("#confirm-yes").click();
        awaitState("c-2", CircuitState.ISOLATED);
        assertThat(town.state("c-2")).isEqualTo(CircuitState.ISOLATED);
        assertThat(town.state("c-1")).isEqualTo(CircuitState.CLOSED);
        browser.awaitText("#timeline", "c-2 isolatedby hand; every call is rejected until somebody closes it");
        assertQuiet();
    }

    @Test
    void everythingCanBeDoneByTheKeyboardAlone() throws Exception {
        open(2);
        town.isolate("c-2");
        awaitState("c-2", CircuitState.ISOLATED);
        browser.tabTo(tile("c-2") + " .close");
        assertThat((String) browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
                .isEqualTo("solid");
        browser.press(Keys.ENTER);
        assertThat(browser.text("#confirm-title")).isEqualTo("Close c-2?");
        browser.press(Keys.ESCAPE);
        browser.await("the dialog closes", () -> !browser.find("#confirm").isDisplayed());
        assertThat((boolean) browser.run("return document.activeElement.matches('.close')"))
                .isTrue();
        browser.press(Keys.ENTER);
        assertThat((boolean) browser.run("return document.activeElement.matches('#confirm-no')"))
                .isTrue();
        browser.tabTo("#confirm-yes");
        browser.press(Keys.SPACE);
        awaitState("c-2", CircuitState.CLOSED);
        browser.await("the focus is at the tile", () ->
                (boolean) browser.run("return document.activeElement.matches(arguments[0])", tile("c-2") + " .name"));
        browser.press(Keys.ENTER);
        browser.awaitText("#details", "failure-ratio");
        assertThat(browser.text("#details-title")).isEqualTo("c-2: closed");
        browser.awaitText("#details", "Since the gateway has started");
        browser.tabTo("#details-isolate");
        browser.press(Keys.ENTER);
        assertThat(browser.text("#confirm-title")).isEqualTo("Isolate c-2?");
        browser.press(Keys.ESCAPE);
        browser.tabTo("#timeline");
        assertQuiet();
    }

    @Test
    void refusalIsShownInTheDialog() throws Exception {
        town = Town.start(1);
        String byName = "http://gateway.localhost:" + town.adminPort() + "/";
        browser.open(byName);
        browser.awaitText("#connection", "live");
        browser.find(tile("c-1") + " .isolate").click();
        browser.find("#confirm-yes").click();
        browser.awaitText("#confirm-error", "Refused: a page of " + byName.replaceAll("/$", "") + " may not change");
        assertThat(browser.find("#confirm").isDisplayed()).isTrue();
        assertThat(town.state("c-1")).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void lostConnectionIsSaidAndEverythingIsRightWhenItIsFoundAgain() throws Exception {
        open(2);
        town.isolate("c-1");
        browser.awaitText("#timeline", "c-1 isolated");
        town.stopAdmin();
        browser.awaitText("#connection", "Connection lost. What is shown is from ");
        assertThat(browser.title()).isEqualTo("no connection – Recloser");
        assertThat(browser.find(tile("c-1") + " .close").isEnabled()).isFalse();
        assertThat((String) browser.run("return getComputedStyle(document.querySelector('.page')).filter"))
                .contains("grayscale");
        town.startAdmin();
        town.isolate("c-2");
        town.closeCircuit("c-1");
        browser.await("it is live again", () -> browser.text("#connection").equals("live"));
        awaitState("c-2", CircuitState.ISOLATED);
        awaitState("c-1", CircuitState.CLOSED);
        assertThat(browser.find(tile("c-2") + " .close").isEnabled()).isTrue();
        browser.await("both are told once", () -> browser.all("#timeline li").size() == 2);
        assertThat(browser.text("#timeline")).contains("c-2 isolated", "c-1 closed");
    }

    @Test
    void twoHundredClustersAreShownWithThoseThatNeedAttentionFirst() throws Exception {
        open(200);
        browser.await("all are shown", () -> browser.all(".tile").size() == 200);
        town.isolate("c-150");
        town.service().now(always(BROKEN));
        town.call("c-70", 5);
        awaitState("c-70", CircuitState.OPEN);
        browser.awaitText("#summary", "200 clusters: 1 open, 1 isolated, 198 closed");
        browser.await("those come first", () -> List.of("c-70", "c-150").equals(names("#urgent")));
        town.service().now(always(OK));
        town.call("c-33", 3);
        browser.await("what has traffic comes next", () -> names("#calm").get(0).equals("c-33"));

        browser.find("#filter").sendKeys("c-15");
        browser.await(
                "by name",
                () -> names("#calm")
                        .equals(IntStream.of(15, 151, 152, 153, 154, 155, 156, 157, 158, 159)
                                .mapToObj(number -> "c-" + number)
                                .toList()));
        assertThat(names("#urgent")).containsExactly("c-150");
        browser.find("#filter").sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
        browser.find("#states [data-state='OPEN']").click();
        browser.await("by state", () -> names(".tiles").equals(List.of("c-70")));
        assertThat(browser.find("#states [data-state='OPEN']").getAttribute("aria-pressed"))
                .isEqualTo("true");
        assertQuiet();
    }

    @Test
    void orderIsHeldWhileSomebodyIsAtATile() throws Exception {
        open(3);
        browser.pointAt(tile("c-1"));
        town.isolate("c-3");
        awaitState("c-3", CircuitState.ISOLATED);
        browser.awaitText("#held", "order held");
        assertThat(names(".tiles")).containsExactly("c-1", "c-2", "c-3");
        browser.pointAtNothing();
        browser.await("the order is right again", () -> names(".tiles").equals(List.of("c-3", "c-1", "c-2")));
        browser.awaitText("#held", "");
    }

    @Test
    void narrowScreenDoesNotScrollSideways() throws Exception {
        town = Town.start(30);
        town.isolate("c-2");
        town.service().now(always(BROKEN));
        town.call("c-3", 8);
        browser.open(town.url(), 360, 740, "light");
        awaitState("c-3", CircuitState.OPEN);
        assertThat((long) browser.run("return document.documentElement.scrollWidth"))
                .isEqualTo(360);
        assertThat((List<?>) browser.run("""
                return [...document.querySelectorAll("body *")].filter((element) => element.getClientRects().length > 0
                  && element.closest(".unseen, .badge .state, .age, .skip, svg") === null
                  && (element.getBoundingClientRect().right > 361 || element.getBoundingClientRect().left < -1))
                  .map((element) => element.outerHTML.slice(0, 80));
                """)).isEmpty();
        browser.find(tile("c-3") + " .close").click();
        assertThat(((Number) browser.run("return document.getElementById('confirm').getBoundingClientRect().right"))
                        .doubleValue())
                .isLessThan(360);
        assertQuiet();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void textsCanBeReadInBothColourSchemes(String scheme) throws Exception {
        town = Town.start(30);
        town.isolate("c-2");
        town.service().now(always(BROKEN));
        town.call("c-3", 8);
        town.call("c-4", 5);
        town.service().now(heldUntil(new CountDownLatch(1), OK));
        browser.open(town.url(), 1400, 900, scheme);
        awaitState("c-4", CircuitState.OPEN);
        browser.awaitText(tile("c-4") + " .probe-text", "the next request");
        town.callLater("c-4");
        awaitState("c-4", CircuitState.HALF_OPEN);
        browser.find(tile("c-3") + " .close").click();
        List<?> tooFaint = (List<?>) browser.run(Contrast.TOO_FAINT, 4.5);
        assertThat(tooFaint).isEmpty();
        assertThat((long) browser.run(Contrast.LOOKED_AT)).isGreaterThan(100);
        assertQuiet();
    }
}
