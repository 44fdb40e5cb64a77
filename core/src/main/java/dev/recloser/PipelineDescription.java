package dev.recloser;

import java.util.List;
import java.util.Map;

/**
 * What a pipeline consists of, for people and for tools. {@link #toString} writes it in lines.
 *
 * @param name the name of the pipeline
 * @param strategies its strategies, outermost first
 * @param notes how they work together: what the breaker sees, for example
 * @param warnings what is unwise about them
 */
public record PipelineDescription(String name, List<Part> strategies, List<String> notes, List<String> warnings) {

    /**
     * One strategy.
     *
     * @param name what it is called in rejections, events and metrics
     * @param kind what it is, such as {@code CircuitBreaker}
     * @param settings its settings by their names, as a person would write them
     */
    public record Part(String name, String kind, Map<String, String> settings) {

        @Override
        public String toString() {
            return (name.equalsIgnoreCase(kind) ? name : name + " (" + kind + ")") + " " + settings;
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        for (int i = 0; i < strategies.size(); i++) {
            text.append('\n').append("  ").append(i + 1).append(". ").append(strategies.get(i));
        }
        notes.forEach(note -> text.append("\n  note: ").append(note));
        warnings.forEach(warning -> text.append("\n  warning: ").append(warning));
        return text.toString();
    }
}
