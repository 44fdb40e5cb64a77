package dev.recloser.gateway.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What should have happened, and whether it did. */
final class Expectations {

    private final List<String> unmet = new ArrayList<>();
    private int checked;

    /** Notes whether something is as it should be. */
    void expect(String what, Object expected, Object actual) {
        checked++;
        if (!Objects.equals(expected, actual)) {
            unmet.add(what + " should be " + expected + ", but is " + actual);
        }
    }

    int checked() {
        return checked;
    }

    List<String> unmet() {
        return unmet;
    }
}
