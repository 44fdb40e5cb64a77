package dev.recloser.gateway.ops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Grafana dashboard that comes with the gateway. */
final class GrafanaDashboard {

    private static final Path FILE = Path.of("..", "ops", "grafana", "recloser-gateway.json");

    /** What Grafana puts in the place of its variables, where everything is chosen. */
    private static final Map<String, String> EVERYTHING = Map.of(
            "$job", ".*",
            "$instance", ".*",
            "$cluster", ".*",
            "$rate", "10s");

    /**
     * A query.
     *
     * @param where in which panel, or what else it is for
     * @param expression with the variables put in
     * @param instant whether it is asked for one moment, or for a span of time
     */
    record Query(String where, String expression, boolean instant) {}

    private GrafanaDashboard() {}

    static JsonNode read() throws IOException {
        return new ObjectMapper().readTree(FILE.toFile());
    }

    /** All panels, without the rows that they stand in. */
    static List<JsonNode> panels(JsonNode dashboard) {
        List<JsonNode> panels = new ArrayList<>();
        for (JsonNode panel : dashboard.get("panels")) {
            if (panel.get("type").asText().equals("row")) {
                panel.get("panels").forEach(panels::add);
            } else {
                panels.add(panel);
            }
        }
        return panels;
    }

    /** All queries of the panels and of the annotations. */
    static List<Query> queries(JsonNode dashboard) {
        List<Query> queries = new ArrayList<>();
        for (JsonNode panel : panels(dashboard)) {
            for (JsonNode target : panel.get("targets")) {
                String where =
                        panel.get("title").asText() + ", " + target.get("refId").asText();
                queries.add(new Query(
                        where,
                        chosen(target.get("expr").asText()),
                        target.get("instant").asBoolean()));
            }
        }
        for (JsonNode annotation : dashboard.at("/annotations/list")) {
            if (annotation.has("expr")) {
                String where = annotation.get("name").asText();
                queries.add(new Query(where, chosen(annotation.get("expr").asText()), false));
            }
        }
        return queries;
    }

    private static String chosen(String expression) {
        String chosen = expression;
        for (Map.Entry<String, String> variable : EVERYTHING.entrySet()) {
            chosen = chosen.replace(variable.getKey(), variable.getValue());
        }
        return chosen;
    }
}
