package dev.recloser;

import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SpendsBudget;
import dev.recloser.spi.Strategy;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A strategy of a pipeline that is being built. It is made once it is known what stands inside it and around it. */
final class PipelinePart {

    private final String kind;
    private final String defaultName;
    private final Consumer<SettingsCheck> check;
    private final Maker maker;
    private final @Nullable Classifier<?> classifier;

    private @Nullable String ownName;
    private boolean isNameFixed;
    private boolean spendsBudget;

    private PipelinePart(
            String kind,
            String defaultName,
            Consumer<SettingsCheck> check,
            Maker maker,
            @Nullable Classifier<?> classifier) {
        this.kind = kind;
        this.defaultName = defaultName;
        this.check = check;
        this.maker = maker;
        this.classifier = classifier;
    }

    /**
     * A strategy that the pipeline makes.
     *
     * @param kind what it is
     * @param defaultName what it is called if nobody says otherwise
     * @param check finds what is wrong with it
     * @param maker makes it
     */
    static PipelinePart of(String kind, String defaultName, Consumer<SettingsCheck> check, Maker maker) {
        return new PipelinePart(kind, defaultName, check, maker, null);
    }

    /** A strategy that the pipeline makes, and that repeats what stands inside it. */
    static PipelinePart repeating(String kind, Consumer<SettingsCheck> check, Maker maker) {
        PipelinePart part = of(kind, kind, check, maker);
        part.spendsBudget = true;
        return part;
    }

    /** A strategy that exists already, and has a name. */
    static PipelinePart of(Strategy strategy, @Nullable Classifier<?> classifier) {
        String name = strategy.name();
        PipelinePart part = new PipelinePart(name, name, check -> {}, (given, place) -> strategy, classifier);
        part.ownName = name;
        part.isNameFixed = true;
        part.spendsBudget = strategy instanceof SpendsBudget;
        return part;
    }

    /** Makes a strategy. */
    interface Maker {
        Strategy make(String name, Surroundings place);
    }

    /**
     * What a strategy may have to know of its place.
     *
     * @param longestLimitInside the longest limit of the timeouts inside it that have a fixed one; zero if none has
     * @param budget the budget of the pipeline
     */
    record Surroundings(Duration longestLimitInside, RetryBudget budget) {}

    /** Names it by hand. */
    void name(String own) {
        if (isNameFixed) {
            throw new IllegalStateException(
                    "the strategy " + ownName + " was made with its name, which cannot be changed to " + own);
        }
        ownName = own;
    }

    boolean isNamedByHand() {
        return ownName != null;
    }

    /** What it is called: as it was named by hand, or else by its default, with a number if that is taken. */
    String nameBeside(Set<String> taken) {
        if (ownName != null) {
            return ownName;
        }
        String name = defaultName;
        for (int number = 2; taken.contains(name); number++) {
            name = defaultName + number;
        }
        return name;
    }

    /** Whether it can repeat what stands inside it, so that calls are to be counted before it. */
    boolean spendsBudget() {
        return spendsBudget;
    }

    /** Finds what is wrong; a breaker that has its name from the pipeline is called by what it is. */
    void check(String pipeline, String name, SettingsCheck findings) {
        String label = ownName == null ? kind + name.substring(defaultName.length()) : ownName;
        check.accept(findings.in(pipeline + "." + label));
    }

    Strategy make(String name, Surroundings place) {
        return maker.make(name, place);
    }

    @SuppressWarnings("unchecked") // the pipeline shows it nothing but what the work returned
    Classifier<Object> classifierOf(Strategy strategy) {
        return (Classifier<Object>) (classifier == null ? strategy.classifier() : classifier);
    }
}
