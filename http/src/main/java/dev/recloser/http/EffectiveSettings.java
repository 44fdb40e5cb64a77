package dev.recloser.http;

import static dev.recloser.StandardPipelineBuilder.CIRCUIT_BREAKER;
import static dev.recloser.StandardPipelineBuilder.RETRY;

import dev.recloser.Pipeline;
import dev.recloser.PipelineDescription.Part;
import dev.recloser.http.ClientSettings.Setting;
import dev.recloser.spi.SettingsCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Collects the settings by which a client goes, and finds out who says so. Not thread-safe. */
final class EffectiveSettings {

    private static final String MAX_DELAY = "retry.maxDelay";
    private static final String DELAY = "retry.delay";

    /** What a pipeline finds out by itself. */
    private static final Set<String> DERIVED = Set.of("timeoutInside", "detached");

    private static final Map<String, String> KINDS_OF_BACKOFF =
            Map.of("constantDelay", "constant", "linearBackoff", "linear", "exponentialBackoff", "exponential");

    private final String client;
    private final ClientProperties properties;
    private final List<Setting> settings = new ArrayList<>();

    EffectiveSettings(String client, ClientProperties properties) {
        this.client = client;
        this.properties = properties;
    }

    /**
     * Adds those of the strategies.
     *
     * @param pipeline a pipeline as the client makes them
     * @param byDefault the same if nobody had said anything
     */
    void addStrategies(Pipeline<?> pipeline, Pipeline<?> byDefault) {
        Map<String, Map<String, String>> actual = byStrategy(pipeline);
        byStrategy(byDefault).forEach((strategy, defaults) -> {
            Map<String, String> own = actual.get(strategy);
            String enabled = strategy + ClientProperty.ENABLED;
            if (own == null) {
                add(enabled, "false", "true");
                return;
            }
            own.forEach((name, value) -> add(name, value, defaults.getOrDefault(name, "")));
            if (properties.source(enabled).isPresent()) {
                add(enabled, "true", "true");
            }
        });
    }

    /** Adds a setting. */
    void add(String name, String value, String byDefault) {
        SettingSource otherwise = value.equals(byDefault) ? SettingSource.DEFAULT : SettingSource.CODE;
        settings.add(
                new Setting(name, value, properties.source(name).orElseGet(() -> derived(name, value, otherwise))));
    }

    /** The longest delay follows the first one where nobody sets it. */
    private SettingSource derived(String name, String value, SettingSource otherwise) {
        boolean followsDelay = name.equals(MAX_DELAY)
                && otherwise.equals(SettingSource.CODE)
                && properties
                        .find(ClientProperty.RETRY_DELAY)
                        .filter(delay ->
                                SettingsCheck.readable(delay.multipliedBy(2)).equals(value))
                        .isPresent();
        return followsDelay ? properties.source(DELAY).orElse(otherwise) : otherwise;
    }

    ClientSettings build(List<String> warnings) {
        return new ClientSettings(client, settings, warnings);
    }

    /** The strategies that a pipeline has, by the names of the standard pipeline. */
    static Set<String> strategiesOf(Pipeline<?> pipeline) {
        return byStrategy(pipeline).keySet();
    }

    private static Map<String, Map<String, String>> byStrategy(Pipeline<?> pipeline) {
        Map<String, Map<String, String>> strategies = new LinkedHashMap<>();
        for (Part part : pipeline.describe().strategies()) {
            String strategy = part.kind().equals("CircuitBreaker") ? CIRCUIT_BREAKER : part.name();
            Map<String, String> settings = new LinkedHashMap<>();
            part.settings().forEach((name, value) -> put(settings, strategy, name, value));
            strategies.put(strategy, settings);
        }
        return strategies;
    }

    private static void put(Map<String, String> settings, String strategy, String name, String value) {
        if (strategy.equals(RETRY) && KINDS_OF_BACKOFF.containsKey(name)) {
            String[] delayAndFactor = value.split(" x ", 2);
            String kind = KINDS_OF_BACKOFF.get(name);
            settings.put(RETRY + ".backoff", delayAndFactor.length == 1 ? kind : kind + " x " + delayAndFactor[1]);
            settings.put(DELAY, delayAndFactor[0]);
        } else if (name.equals("limit")) {
            settings.put(strategy, value);
        } else if (!DERIVED.contains(name)) {
            settings.put(strategy + "." + name, name.equals("breakGrowth") ? value.toLowerCase(Locale.ROOT) : value);
        }
    }
}
