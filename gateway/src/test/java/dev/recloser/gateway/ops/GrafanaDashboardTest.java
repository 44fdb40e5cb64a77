package dev.recloser.gateway.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Grafana dashboard by itself; {@link PrometheusTest} runs its queries. */
@Tag("once")
class GrafanaDashboardTest {

    private static final int WIDTH = 24;

    private JsonNode dashboard;

    @BeforeEach
    void read() throws IOException {
        dashboard = GrafanaDashboard.read();
    }

    @Test
    void everyPanelHasATitleADescriptionAUnitAndQueries() {
        Set<String> titles = new HashSet<>();
        for (JsonNode panel : GrafanaDashboard.panels(dashboard)) {
            String title = panel.path("title").asText();
            assertThat(title).isNotEmpty();
            assertThat(panel.path("description").asText()).as(title).endsWith(".");
            assertThat(panel.at("/fieldConfig/defaults/unit").asText())
                    .as(title)
                    .isNotEmpty();
            assertThat(panel.path("targets")).as(title).isNotEmpty();
            titles.add(title + panel.path("type").asText());
        }
        assertThat(titles).as("different ones").hasSameSizeAs(GrafanaDashboard.panels(dashboard));
    }

    @Test
    void everythingComesFromTheDataSourceThatIsChosen() {
        List<JsonNode> asking = new ArrayList<>();
        for (JsonNode panel : GrafanaDashboard.panels(dashboard)) {
            asking.add(panel);
            panel.get("targets").forEach(asking::add);
        }
        dashboard.at("/templating/list").forEach(variable -> {
            if (variable.get("type").asText().equals("query")) {
                asking.add(variable);
            }
        });
        assertThat(asking)
                .allSatisfy(
                        node -> assertThat(node.at("/datasource/uid").asText()).isEqualTo("${datasource}"));
    }

    @Test
    void clustersAndTheRateIntervalCanBeChosen() {
        JsonNode cluster = variable("cluster");
        assertThat(cluster.get("multi").asBoolean()).isTrue();
        assertThat(cluster.get("includeAll").asBoolean()).isTrue();
        assertThat(variable("rate").get("options")).hasSizeGreaterThan(2);
        assertThat(variable("datasource").get("query").asText()).isEqualTo("prometheus");
    }

    private JsonNode variable(String name) {
        for (JsonNode variable : dashboard.at("/templating/list")) {
            if (variable.get("name").asText().equals(name)) {
                return variable;
            }
        }
        throw new AssertionError("no variable " + name);
    }

    @Test
    void queriesHaveNoOtherVariables() {
        assertThat(GrafanaDashboard.queries(dashboard))
                .allSatisfy(query ->
                        assertThat(query.expression()).as(query.where()).doesNotContain("$"));
    }

    @Test
    void panelsLieSideBySideAndHaveNumbersOfTheirOwn() {
        Set<String> covered = new HashSet<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            assertThat(ids.add(panel.get("id").asInt())).isTrue();
            JsonNode place = panel.get("gridPos");
            int x = place.get("x").asInt();
            int y = place.get("y").asInt();
            assertThat(x + place.get("w").asInt()).isLessThanOrEqualTo(WIDTH);
            for (int column = x; column < x + place.get("w").asInt(); column++) {
                for (int line = y; line < y + place.get("h").asInt(); line++) {
                    assertThat(covered.add(column + "," + line))
                            .as(panel.get("title").asText())
                            .isTrue();
                }
            }
        }
    }
}
