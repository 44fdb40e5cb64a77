package dev.recloser.gateway.config;

import dev.recloser.spi.SettingsReading;
import java.util.Collection;

/** Says how to go on after a name that there is not. */
final class Nearest {

    private Nearest() {}

    /** How to go on after {@code unknown ...;}: the name that was meant, or all that there are. */
    static String hint(String written, Collection<String> names, String kind) {
        return SettingsReading.nearestName(written, names)
                .map(name -> "did you mean '" + name + "'?")
                .orElseGet(() -> names.isEmpty()
                        ? "there are no " + kind
                        : "the " + kind + " are "
                                + String.join(", ", names.stream().sorted().toList()));
    }
}
