package dev.recloser.examples.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.examples.http.FaultsChecks.Check;
import dev.recloser.examples.http.Timeline.Change;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Document;

/** The run of load and faults, in a third of its time. */
@Timeout(120)
@Tag("once")
class HttpFaultsTest {

    /**
     * The limit holds, the circuit opens in time, only probes reach a service that is down, and traffic comes back by degrees. A machine
     * that stands still for a second in the middle of it is given another try.
     */
    @Test
    void showsWhatItPromises() throws Exception {
        List<Check> checks = FaultsChecks.of(FaultsRun.of(Phase.shortened(), (phase, sample) -> {}));
        if (!checks.stream().allMatch(Check::holds)) {
            checks = FaultsChecks.of(FaultsRun.of(Phase.shortened(), (phase, sample) -> {}));
        }
        assertThat(checks).hasSize(17).allMatch(Check::holds);
    }

    @Test
    void checksFailWhereTheServiceIsNotLeftAlone() {
        assertThat(FaultsChecks.of(down(40, 1)))
                .filteredOn(check -> !check.holds())
                .isEmpty();
        assertThat(FaultsChecks.of(down(41, 1)))
                .filteredOn(check -> !check.holds())
                .singleElement()
                .satisfies(check -> assertThat(check.what()).contains("never exceeded"));
        assertThat(FaultsChecks.of(down(40, 2)))
                .filteredOn(check -> !check.holds())
                .singleElement()
                .satisfies(check -> assertThat(check.found()).isEqualTo("3 attempts, 2 probes, 150 calls"));
    }

    /** Down for a second: the circuit opens after a quarter of it, and two probes follow. */
    private static Timeline down(int mostInFlight, int attemptsInSecondSample) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int attempts = i == 0 ? 50 : i == 1 ? attemptsInSecondSample : i == 2 ? 1 : 0;
            samples.add(new Sample(250L * i, 50, 0, 0, 50, 0, attempts, 0, 1, CircuitState.OPEN));
        }
        List<Change> changes = List.of(
                new Change(250, CircuitState.OPEN),
                new Change(400, CircuitState.HALF_OPEN),
                new Change(401, CircuitState.OPEN),
                new Change(600, CircuitState.HALF_OPEN),
                new Change(601, CircuitState.OPEN));
        Phase phase = new Phase("down", Fault.DOWN, 200, Duration.ofSeconds(1));
        return new Timeline(List.of(phase), samples, changes, mostInFlight);
    }

    @Test
    void pictureIsWellFormedAndNamesThePhases() throws Exception {
        String svg = FaultsPlot.of(down(40, 1));
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(svg).contains(">down</text>", ">limit of 40</text>", ">seconds since the start</text>");
    }
}
