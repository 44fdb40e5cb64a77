package dev.recloser.spi;

import java.util.Map;
import java.util.stream.Collectors;

/** Writes settings and strategies in one line, all in the same way. */
public final class SettingsText {

    private SettingsText() {}

    /** Such as {@code maxRetries 3, jitter true}. */
    public static String of(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + " " + setting.getValue())
                .collect(Collectors.joining(", "));
    }

    /**
     * A strategy with its settings, such as {@code retry orders (maxRetries 3, jitter true)}.
     *
     * @param kind what it is, such as {@code retry}; the name stands beside it only if it is another
     * @param strategy the strategy
     */
    public static String of(String kind, Strategy strategy) {
        return of(kind, strategy.name(), of(strategy.settings()));
    }

    /**
     * The same with other details in the place of the settings.
     *
     * @param kind what it is, such as {@code retry}
     * @param name what it is called
     * @param details what there is to say
     */
    public static String of(String kind, String name, String details) {
        return (name.equals(kind) ? kind : kind + " " + name) + " (" + details + ")";
    }
}
