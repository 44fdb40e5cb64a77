package dev.recloser.gateway.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a value of the configuration looks like, as JSON Schema (draft 2020-12) has it. A single value may have environment variables in it
 * wherever it stands; a schema cannot know what they hold. Immutable.
 */
final class Shape {

    private static final String VARIABLE = "\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\\}";
    private static final String TYPE = "type";
    private static final String STRING = "string";
    private static final String PATTERN = "pattern";

    private final Map<String, Object> keywords;

    private Shape(Map<String, ?> keywords) {
        this.keywords = Collections.unmodifiableMap(new LinkedHashMap<>(keywords));
    }

    private static Shape of(String keyword, Object value) {
        return new Shape(Map.of(keyword, value));
    }

    Shape with(String keyword, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(keywords);
        more.put(keyword, value);
        return new Shape(more);
    }

    /** The keywords of the schema. Values are texts, numbers, flags, lists and mappings of such. */
    Map<String, Object> keywords() {
        return keywords;
    }

    // ---- single values

    /** Any text. */
    static Shape text() {
        return of(TYPE, STRING);
    }

    /** A text that a pattern fits as a whole; the pattern says the same to Java and to JavaScript. */
    static Shape text(String pattern) {
        return text().with(PATTERN, orVariable(pattern));
    }

    /** An address to listen on. */
    static Shape address() {
        return text("(\\[[^\\[\\]]+\\]|[^:/\\[\\]]+):\\d{1,5}");
    }

    /** A time of more than zero. */
    static Shape duration() {
        return text("0*[1-9]\\d{0,11} ?(ms|s|m|h|d)");
    }

    /** A number of bytes, of more than zero. */
    static Shape size() {
        return text("0*[1-9]\\d{0,8}(B|KiB|MiB|GiB)");
    }

    /** Both bounds included. */
    static Shape wholeNumber(long least, long most) {
        return numeric("integer", "[+-]?\\d+").with("minimum", least).with("maximum", most);
    }

    /** Both bounds included. */
    static Shape number(double least, double most) {
        return numeric("number", "[+-]?[\\d.]+([eE][+-]?\\d+)?")
                .with("minimum", least)
                .with("maximum", most);
    }

    /** More than 0 and at most 1. */
    static Shape ratio() {
        return numeric("number", "[+-]?[\\d.]+([eE][+-]?\\d+)?")
                .with("exclusiveMinimum", 0)
                .with("maximum", 1);
    }

    /** Bounds hold for numbers, the pattern for texts, and so for a number in quotes. */
    private static Shape numeric(String type, String pattern) {
        return of(TYPE, List.of(type, STRING)).with(PATTERN, orVariable(pattern));
    }

    /** One of these. */
    static Shape oneOf(Collection<String> words) {
        return either(of("enum", List.copyOf(words)), text().with(PATTERN, VARIABLE));
    }

    /** Whether or not. */
    static Shape flag() {
        return of(TYPE, List.of("boolean", STRING)).with(PATTERN, orVariable("true|false"));
    }

    /** A single value that is taken as it is written, a number too. */
    static Shape anything() {
        return of(TYPE, List.of(STRING, "number", "boolean"));
    }

    private static String orVariable(String pattern) {
        return "^(" + pattern + "|.*" + VARIABLE + ".*)$";
    }

    // ---- what has parts

    /** A list of at least one. */
    static Shape listOf(Shape element) {
        return of(TYPE, "array").with("minItems", 1).with("items", element.keywords);
    }

    /** A mapping with names of one's own, at least one. */
    static Shape mapOf(String names, Shape value) {
        return of(TYPE, "object")
                .with("minProperties", 1)
                .with("propertyNames", Map.of(PATTERN, "^(" + names + ")$"))
                .with("additionalProperties", value.keywords);
    }

    /** A mapping with these keys. */
    static Shape mapping(Keys keys) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Keys.Key key : keys.all()) {
            Map<String, Object> property = new LinkedHashMap<>();
            property.put("description", key.meaning());
            property.putAll(key.shape().keywords);
            properties.put(key.name(), property);
            if (key.required()) {
                required.add(key.name());
            }
        }
        Shape shape = of(TYPE, "object").with("additionalProperties", false);
        return (required.isEmpty() ? shape : shape.with("required", required)).with("properties", properties);
    }

    /** Any of these. */
    static Shape either(Shape... shapes) {
        List<Object> all = new ArrayList<>();
        for (Shape shape : shapes) {
            all.add(shape.keywords);
        }
        return of("anyOf", all);
    }

    // ---- what holds of it

    /** What holds where it is left out. */
    Shape byDefault(Object value) {
        return with("default", value instanceof Duration duration ? Durations.write(duration) : value);
    }

    /** What one may write, for those that must be given. */
    Shape example(Object value) {
        return with("examples", List.of(value));
    }
}
