package dev.recloser.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The keys that a mapping of the configuration may have: what its reader allows is what the schema shows. In the order in which they are
 * best told. Immutable.
 */
final class Keys {

    /**
     * A key.
     *
     * @param name as it is written
     * @param shape what its value looks like
     * @param required whether it must be there
     * @param meaning what it says, in one sentence without an end
     */
    record Key(String name, Shape shape, boolean required, String meaning) {}

    static final Keys NONE = new Keys(List.of());

    private final List<Key> keys;

    private Keys(List<Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /** One more, which may be left out. */
    Keys optional(String name, Shape shape, String meaning) {
        return plus(new Key(name, shape, false, meaning));
    }

    /** One more, which must be there. Its shape has an example. */
    Keys required(String name, Shape shape, String meaning) {
        return plus(new Key(name, shape, true, meaning));
    }

    private Keys plus(Key key) {
        List<Key> more = new ArrayList<>(keys);
        more.add(key);
        return new Keys(more);
    }

    List<Key> all() {
        return keys;
    }

    Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        keys.forEach(key -> names.add(key.name()));
        return names;
    }
}
