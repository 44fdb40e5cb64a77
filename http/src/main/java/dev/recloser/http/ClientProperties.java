package dev.recloser.http;

import dev.recloser.SettingsException;
import dev.recloser.SettingsException.Problem;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SettingsReading;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What properties say about a client: those of its own, {@code recloser.http.NAME.…}, and those of all clients,
 * {@code recloser.http.default.…}, where it has none of its own. What is wrong is collected, and said by whoever builds the client.
 * Immutable.
 */
final class ClientProperties {

    private static final String ROOT = "recloser.http.";
    private static final String OF_ALL = ROOT + "default.";
    private static final Pattern OTHER_SETTING = Pattern.compile("\\bthe (\\w+) of ");
    private static final Pattern BACKOFF_DELAY =
            Pattern.compile("retry\\.(constantDelay|linearBackoff|exponentialBackoff)");

    private final String client;
    private final Map<String, Given<?>> given;
    private final List<Problem> problems;

    private ClientProperties(String client, Map<String, Given<?>> given, List<Problem> problems) {
        this.client = client;
        this.given = given;
        this.problems = List.copyOf(problems);
    }

    /** A property that is set, as it was written and as it was read. */
    private record Given<T>(ClientProperty<T> property, String key, String written, T value) {

        void change(StandardPipelineBuilder<HttpResponse<?>> pipeline) {
            property.change().accept(pipeline, value);
        }
    }

    /** Reads the properties of a client; others are not looked at. */
    static ClientProperties read(String client, Map<?, ?> properties) {
        Map<String, String> all = texts(properties);
        List<Problem> problems = new ArrayList<>();
        Map<String, Given<?>> given = new LinkedHashMap<>();
        String own = ROOT + client + ".";
        for (String prefix : Stream.of(OF_ALL, own).distinct().toList()) {
            all.forEach((key, written) -> {
                if (key.startsWith(prefix)) {
                    unknown(prefix, key, written).ifPresent(problems::add);
                }
            });
        }
        for (ClientProperty<?> property : ClientProperty.ALL) {
            String key = all.containsKey(own + property.name()) ? own + property.name() : OF_ALL + property.name();
            String written = all.get(key);
            if (written != null) {
                read(property, key, written, problems).ifPresent(read -> given.put(property.name(), read));
            }
        }
        return new ClientProperties(client, given, problems);
    }

    /** Those of a {@link Properties} with its defaults, which are not among its entries. */
    static Map<String, String> texts(Map<?, ?> properties) {
        Map<String, String> texts = new TreeMap<>();
        if (properties instanceof Properties withDefaults) {
            withDefaults.stringPropertyNames().forEach(key -> put(texts, key, withDefaults.getProperty(key)));
        }
        properties.forEach((key, value) -> put(texts, key, value));
        return texts;
    }

    private static void put(Map<String, String> texts, Object key, Object value) {
        if (key instanceof String name && name.startsWith(ROOT)) {
            texts.put(name, String.valueOf(value).strip());
        }
    }

    private static <T> Optional<Given<T>> read(
            ClientProperty<T> property, String key, String written, List<Problem> problems) {
        Optional<T> value = property.value().reader().apply(written);
        if (value.isEmpty()) {
            problems.add(
                    new Problem(key, quoted(written), property.value().what().apply(written)));
        }
        return value.map(read -> new Given<>(property, key, written, read));
    }

    private static Optional<Problem> unknown(String prefix, String key, String written) {
        String name = key.substring(prefix.length());
        List<String> names =
                ClientProperty.ALL.stream().map(ClientProperty::name).toList();
        if (names.contains(name) || isOfClientWithLongerName(name, names)) {
            return Optional.empty();
        }
        String meant = SettingsReading.nearestName(name, names)
                .map(near -> "did you mean " + prefix + near + "?")
                .orElseGet(() -> "there are " + String.join(", ", names));
        return Optional.of(
                new Problem(key, quoted(written), "left out, since no setting is called " + name + "; " + meant));
    }

    /** What is unknown to {@code payments} can be a setting of {@code payments.eu}. */
    private static boolean isOfClientWithLongerName(String name, Collection<String> names) {
        return names.stream()
                .filter(known -> name.endsWith("." + known))
                .map(known -> name.substring(0, name.length() - known.length() - 1))
                .anyMatch(
                        rest -> SettingsReading.nearestName(rest, strategies()).isEmpty());
    }

    private static Set<String> strategies() {
        return ClientProperty.ALL.stream()
                .map(ClientProperty::strategy)
                .filter(strategy -> !strategy.isEmpty())
                .collect(Collectors.toSet());
    }

    private static String quoted(String written) {
        return "'" + written + "'";
    }

    /**
     * The same without some of them. Those of all clients just do not apply to this one; one of its own is a mistake.
     *
     * @param which which of them
     * @param why why they cannot be, to be said after "left out, since"
     */
    ClientProperties without(Predicate<ClientProperty<?>> which, String why) {
        Map<String, Given<?>> left = new LinkedHashMap<>(given);
        List<Problem> more = new ArrayList<>(problems);
        for (Given<?> each : given.values()) {
            if (which.test(each.property())) {
                left.remove(each.property().name());
                if (!each.key().startsWith(OF_ALL)) {
                    more.add(new Problem(each.key(), quoted(each.written()), "left out, since " + why));
                }
            }
        }
        return new ClientProperties(client, left, more);
    }

    /** The value of a property, if it is set. */
    @SuppressWarnings("unchecked") // what is given for a property is of its type
    <T> Optional<T> find(ClientProperty<T> property) {
        return Optional.ofNullable((Given<T>) given.get(property.name())).map(Given::value);
    }

    /** Who says what a setting is, if a property does. */
    Optional<SettingSource> source(String setting) {
        return Optional.ofNullable(given.get(setting)).map(each -> SettingSource.property(each.key()));
    }

    /**
     * Changes what the properties say. A strategy that the program has left out stays out, whatever they say about its values, unless they switch
     * it on.
     */
    void change(StandardPipelineBuilder<HttpResponse<?>> pipeline) {
        List<String> out = strategies().stream()
                .filter(strategy -> !pipeline.has(strategy))
                .toList();
        given.values().forEach(each -> each.change(pipeline));
        out.forEach(pipeline::without);
        given.values().stream().filter(each -> each.property().isSwitch()).forEach(each -> each.change(pipeline));
    }

    /** What has no effect, because its strategy is out. */
    List<String> warnings(Predicate<String> hasStrategy) {
        return given.values().stream()
                .filter(each -> !each.property().strategy().isEmpty())
                .filter(each -> !each.property().isSwitch()
                        && !hasStrategy.test(each.property().strategy()))
                .map(each ->
                        each.key() + " has no effect, since " + each.property().strategy() + " is switched off")
                .toList();
    }

    /**
     * Throws if anything is wrong: with the properties themselves, or with what comes of them and of what the program says.
     *
     * @param settings finds what is wrong with the rest, and may throw it
     * @throws SettingsException names all of it
     */
    void throwIfWrong(Consumer<SettingsCheck> settings) {
        SettingsCheck check = new SettingsCheck().in(client);
        List<Problem> thrown = List.of();
        try {
            settings.accept(check);
        } catch (SettingsException wrong) {
            thrown = wrong.problems();
        }
        List<Problem> all = new ArrayList<>(problems);
        all.addAll(inTermsOfProperties(check.problems()));
        all.addAll(inTermsOfProperties(thrown));
        if (!all.isEmpty()) {
            throw new SettingsException(all);
        }
    }

    /** What is wrong, with the full key and the text of the property where one is the reason. */
    private List<Problem> inTermsOfProperties(List<Problem> wrong) {
        return wrong.stream().map(this::inTermsOfProperties).toList();
    }

    private Problem inTermsOfProperties(Problem problem) {
        String allowed = withKeyOfOther(problem.allowed());
        Given<?> reason = given.get(settingOf(problem));
        return reason == null
                ? new Problem(problem.setting(), problem.value(), allowed)
                : new Problem(reason.key(), quoted(reason.written()), allowed);
    }

    /** {@code payments.retry.exponentialBackoff} is {@code retry.delay} here, {@code payments.totalTimeout.limit} is {@code totalTimeout}. */
    private String settingOf(Problem problem) {
        String name = problem.setting();
        String bare = name.startsWith(client + ".") ? name.substring(client.length() + 1) : name;
        return BACKOFF_DELAY.matcher(bare).matches() ? "retry.delay" : bare.replaceFirst("\\.limit$", "");
    }

    /** What is right often depends on another setting, which a property may have set. */
    private String withKeyOfOther(String allowed) {
        Matcher other = OTHER_SETTING.matcher(allowed);
        if (!other.find()) {
            return allowed;
        }
        String name = other.group(1);
        return given.values().stream()
                .filter(each -> each.property().name().equals(name)
                        || each.property().name().endsWith("." + name)
                        || (each.property().name().equals("retry.delay")
                                && BACKOFF_DELAY.matcher("retry." + name).matches()))
                .findFirst()
                .map(each -> allowed + ", which " + each.key() + " says")
                .orElse(allowed);
    }
}
