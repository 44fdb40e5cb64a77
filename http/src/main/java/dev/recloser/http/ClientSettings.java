package dev.recloser.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The settings by which a client goes, each with its value and who says so. {@link #toString} prints them as a table.
 *
 * <p>Immutable and thread-safe.
 */
public final class ClientSettings {

    private static final String GAP = "  ";

    /** A longer value pushes its source to the right, alone. */
    private static final int WIDEST_VALUE = 12;

    private final String client;
    private final List<Setting> all;
    private final List<String> warnings;

    ClientSettings(String client, List<Setting> all, List<String> warnings) {
        this.client = client;
        this.all = List.copyOf(all);
        this.warnings = List.copyOf(warnings);
    }

    /**
     * One setting.
     *
     * @param name its name, such as {@code retry.maxRetries}; that of its property, if there is one for it
     * @param value its value, as a person would write it
     * @param source who says so
     */
    public record Setting(String name, String value, SettingSource source) {

        /** Refuses null. */
        public Setting {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(source, "source");
        }

        @Override
        public String toString() {
            return name + " = " + value + " (" + source + ")";
        }
    }

    /** The name of the client. */
    public String client() {
        return client;
    }

    /** All settings: those of the strategies, outermost first, then those of the client itself. */
    public List<Setting> all() {
        return all;
    }

    /**
     * One of them.
     *
     * @param name its name, such as {@code retry.maxRetries}
     * @return empty if there is none of that name, or its strategy is switched off
     */
    public Optional<Setting> find(String name) {
        return all.stream().filter(setting -> setting.name().equals(name)).findFirst();
    }

    /** What is unwise about these settings, though not wrong; also logged when the client was built. */
    public List<String> warnings() {
        return warnings;
    }

    /** The name of the client, then a line for each setting and each warning, in columns. */
    @Override
    public String toString() {
        int names = widest(Setting::name);
        int values = Math.min(WIDEST_VALUE, widest(Setting::value));
        List<String> lines = new ArrayList<>();
        lines.add(client);
        for (Setting setting : all) {
            lines.add(GAP
                    + padded(setting.name(), names)
                    + GAP
                    + padded(setting.value(), values)
                    + GAP
                    + setting.source());
        }
        warnings.forEach(warning -> lines.add(GAP + "warning: " + warning));
        return String.join("\n", lines);
    }

    private int widest(Function<Setting, String> column) {
        return all.stream()
                .mapToInt(setting -> column.apply(setting).length())
                .max()
                .orElse(0);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
