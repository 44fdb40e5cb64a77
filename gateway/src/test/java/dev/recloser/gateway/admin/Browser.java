package dev.recloser.gateway.admin;

import dev.recloser.gateway.InstalledProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;

/**
 * Chromium without a window. Where it is not installed the test is skipped; with {@code RECLOSER_SERVERS=required} in the environment,
 * as in {@code .ci/run}, it fails.
 */
final class Browser implements AutoCloseable {

    static final Duration BOUND = Duration.ofSeconds(20);

    private static final Path SCREENSHOTS = Path.of("target", "dashboard");
    private static final String CHROMIUM = "chromium";
    private static final String DRIVER = "chromedriver";
    private static final String PACKAGES = "chromium chromium-driver";

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /**
     * Starts it.
     *
     * @param profile an empty folder
     */
    static Browser start(Path profile) {
        java.util.logging.Logger.getLogger("org.openqa.selenium").setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(InstalledProgram.find(CHROMIUM, PACKAGES));
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile,
                "--window-size=1400,900");
        options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(InstalledProgram.find(DRIVER, PACKAGES)))
                .usingAnyFreePort()
                .withSilent(true)
                .build();
        return new Browser(new ChromeDriver(service, options));
    }

    /** A page of this size in this colour scheme, once it is there; what the one before has logged is forgotten. */
    void open(String url, int width, int height, String scheme) {
        driver.get("about:blank");
        log();
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        use(scheme);
        driver.get(url);
    }

    private void use(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void open(String url) {
        open(url, 1400, 900, "light");
    }

    /** What a script in the page returns. */
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    String title() {
        return driver.getTitle();
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** The text of an element as the script sees it, whether it is in view or not. */
    String text(String selector) {
        return String.valueOf(run("return document.querySelector(arguments[0])?.textContent.trim()", selector));
    }

    /** New tabs, until they are closed. */
    Tabs tabs() {
        return new Tabs(driver.getWindowHandle());
    }

    /** Tabs beside the first one. */
    final class Tabs implements AutoCloseable {
        private final String first;

        Tabs(String first) {
            this.first = first;
        }

        /** The newest one is what the browser shows. */
        void open() {
            driver.switchTo().newWindow(WindowType.TAB);
        }

        @Override
        public void close() {
            for (String tab : driver.getWindowHandles()) {
                if (!tab.equals(first)) {
                    driver.switchTo().window(tab);
                    driver.close();
                }
            }
            driver.switchTo().window(first);
        }
    }

    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Presses Tab until the element that has the focus fits; fails if none does. */
    void tabTo(String selector) {
        for (int i = 0; i < 100; i++) {
            press(Keys.TAB);
            if ((boolean) run("return document.activeElement.matches(arguments[0])", selector)) {
                return;
            }
        }
        throw new AssertionError("Tab never leads to " + selector);
    }

    void pointAt(String selector) {
        new Actions(driver).moveToElement(find(selector)).perform();
    }

    void pointAtNothing() {
        new Actions(driver).moveToLocation(1, 1).perform();
    }

    void awaitText(String selector, String text) {
        await(() -> text(selector).contains(text), () -> selector + " says " + text(selector) + " instead of " + text);
    }

    void await(String what, BooleanSupplier condition) {
        await(condition, () -> what);
    }

    private static void await(BooleanSupplier condition, java.util.function.Supplier<String> problem) {
        long end = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("in vain: " + problem.get());
            }
            try {
                Thread.sleep(25);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** What has been written to the console since the last time, warnings and errors of the browser's own included. */
    List<String> log() {
        return driver.manage().logs().get("browser").getAll().stream()
                .map(Object::toString)
                .toList();
    }

    /** Writes what is shown, in both colour schemes, to where somebody can look at it after a build; the page goes on in the light one. */
    void screenshots(String name) throws IOException {
        Files.createDirectories(SCREENSHOTS);
        for (String scheme : List.of("dark", "light")) {
            use(scheme);
            Files.write(SCREENSHOTS.resolve(name + "-" + scheme + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
