package dev.recloser.gateway.config;

import dev.recloser.SettingsException.Problem;
import dev.recloser.gateway.config.Section.Entry;
import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A section with the settings of a strategy. Their names are those of the library, written with hyphens; their ranges are checked by
 * it too, and what it finds is brought back to the place in the file.
 */
final class StrategySettings {

    private final Section section;
    private final Node at;
    private final Findings findings;
    private final Scalars scalars;

    /** Keys of which it has been said what is wrong. */
    private final Set<String> reported = new HashSet<>();

    private StrategySettings(Section section, Node at, Findings findings) {
        this.section = section;
        this.at = at;
        this.findings = findings;
        this.scalars = new Scalars(findings);
    }

    /** The section that is the value of this entry; a finding if it is none, or for each key that is not one of these. */
    static Optional<StrategySettings> of(Entry entry, Keys keys, Findings findings) {
        return Section.of(entry.key(), entry.keyNode(), entry.value(), findings)
                .map(section -> new StrategySettings(section.allow(keys), entry.keyNode(), findings));
    }

    Section section() {
        return section;
    }

    /** A finding if this key is not there. */
    StrategySettings require(String key, String example) {
        if (section.required(key, example).isEmpty()) {
            reported.add(key);
        }
        return this;
    }

    StrategySettings whole(String key, IntConsumer setting) {
        section.optional(key)
                .ifPresent(entry -> scalars.wholeNumber(entry).ifPresentOrElse(setting, () -> reported.add(key)));
        return this;
    }

    /** A number that may have a fraction. */
    StrategySettings decimal(String key, DoubleConsumer setting) {
        section.optional(key)
                .ifPresent(entry -> scalars.ratio(entry).ifPresentOrElse(setting, () -> reported.add(key)));
        return this;
    }

    StrategySettings duration(String key, Consumer<Duration> setting) {
        section.optional(key)
                .ifPresent(entry -> scalars.duration(entry).ifPresentOrElse(setting, () -> reported.add(key)));
        return this;
    }

    /** Reports all that is wrong with these settings; says whether nothing is. */
    boolean work(Consumer<SettingsCheck> settings) {
        return work(settings, setting -> setting);
    }

    /**
     * The same.
     *
     * @param renamed the name that a setting has in the file, but for the hyphens
     */
    boolean work(Consumer<SettingsCheck> settings, UnaryOperator<String> renamed) {
        SettingsCheck check = new SettingsCheck();
        settings.accept(check);
        for (Problem problem : check.problems()) {
            String key = hyphened(renamed.apply(problem.setting()));
            if (reported.add(key)) {
                report(key, problem);
            }
        }
        return reported.isEmpty();
    }

    private void report(String key, Problem problem) {
        Optional<Entry> written = section.optional(key);
        String value = written.flatMap(scalars::text).orElse(problem.value() + " when left out");
        findings.error(
                written.map(Entry::value).orElse(at), key + " is " + value + "; it must be " + problem.allowed());
    }

    private static String hyphened(String camelCase) {
        return camelCase.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
