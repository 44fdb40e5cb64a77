package dev.recloser.gateway.demo;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What is the matter with a service of the demo. */
enum Fault {
    /** Nothing: it answers 200. */
    NONE("answers 200"),
    /** It answers 500. */
    ERROR("answers 500"),
    /** It takes longer to answer than the gateway waits. */
    SLOW("takes 5 s to answer (the gateway waits for 2 s)");

    final String effect;

    Fault(String effect) {
        this.effect = effect;
    }

    /** Its name in the switch of a service. */
    String mode() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Fault> of(String mode) {
        return Stream.of(values()).filter(fault -> fault.mode().equals(mode)).findFirst();
    }
}
