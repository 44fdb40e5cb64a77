package dev.recloser.gateway.config;

import dev.recloser.spi.SettingsReading;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A mapping of the file, whose values are taken by key. It finds keys that stand twice, are unknown, missing or without a value. */
final class Section {

    /**
     * A key and its value.
     *
     * @param key the key as written
     * @param keyNode where the key stands
     * @param value the value, whatever it is
     */
    record Entry(String key, Node keyNode, Node value) {}

    private final String name;
    private final Node at;
    private final Map<String, Node> keys = new LinkedHashMap<>();
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<String> meant = new HashSet<>();
    private final Findings findings;

    private Section(String name, Node at, MappingNode node, Findings findings) {
        this.name = name;
        this.at = at;
        this.findings = findings;
        node.getValue().forEach(this::add);
    }

    /**
     * The mapping that a node should be; a finding if it is something else.
     *
     * @param name how to call it, such as {@code cluster 'a'}
     * @param at where to say that a key is missing
     */
    static Optional<Section> of(String name, Node at, Node value, Findings findings) {
        if (value instanceof MappingNode mapping) {
            return Optional.of(new Section(name, at, mapping, findings));
        }
        findings.error(value, name + " must be a mapping; write KEY: VALUE");
        return Optional.empty();
    }

    private void add(NodeTuple tuple) {
        Node keyNode = tuple.getKeyNode();
        if (!(keyNode instanceof ScalarNode scalar)) {
            findings.error(keyNode, "a key must be a word; write KEY: VALUE");
            return;
        }
        String key = scalar.getValue();
        Node first = keys.putIfAbsent(key, keyNode);
        if (first != null) {
            findings.error(
                    keyNode,
                    "'" + key + "' stands in " + name + " twice; leave one of them out (the first is in line "
                            + Findings.line(first) + ")");
        } else if (tuple.getValueNode() instanceof ScalarNode value
                && value.getTag().equals(Tag.NULL)) {
            findings.error(keyNode, "'" + key + "' has no value; give it one or leave it out");
        } else {
            entries.put(key, new Entry(key, keyNode, tuple.getValueNode()));
        }
    }

    /** Says so of every key that is not one of these. */
    Section allow(Keys allowed) {
        Set<String> known = allowed.names();
        keys.forEach((key, keyNode) -> {
            if (!known.contains(key)) {
                unknown(key, keyNode, known);
            }
        });
        return this;
    }

    private void unknown(String key, Node keyNode, Set<String> known) {
        if (key.equals("<<")) {
            findings.error(keyNode, "merge keys are not supported; use an alias for a value as a whole");
            return;
        }
        String hint = Nearest.hint(key, known, "keys");
        findings.error(keyNode, "unknown key '" + key + "' in " + name + "; " + hint);
        SettingsReading.nearestName(key, known).ifPresent(meant::add);
    }

    /** All that stands here with a value, in the order of the file. */
    Iterable<Entry> entries() {
        return entries.values();
    }

    /** All keys, those without a value included. */
    Set<String> keys() {
        return keys.keySet();
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The entry of a key that may be missing. */
    Optional<Entry> optional(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    /** The entry of a key that must be there. That it is missing is not said where an unknown key was meant to be it. */
    Optional<Entry> required(String key, String example) {
        if (!keys.containsKey(key) && !meant.contains(key)) {
            findings.error(at, name + " has no '" + key + "'; add " + key + ": " + example);
        }
        return optional(key);
    }
}
