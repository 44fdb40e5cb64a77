package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallOutcome;
import dev.recloser.PipelineEvent;
import dev.recloser.telemetry.AttemptKind;
import dev.recloser.telemetry.CircuitEvent;
import dev.recloser.telemetry.RejectionReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The tables in docs/metrics.md, which are made from the meters of the module micrometer, are true of the meters here too: names, tags, values and
 * descriptions.
 */
class MeterTableTest {

    private static final Path PAGE = Path.of("../docs/metrics.md");

    /** A column of the rows that begin with a name of this kind. */
    private static List<String> rows(String begin, int... columns) throws IOException {
        return Files.readAllLines(PAGE).stream()
                .takeWhile(line -> !line.equals("<!-- end of library meters -->"))
                .filter(line -> line.startsWith("| `" + begin))
                .map(line -> line.split(" *\\| *", -1))
                .map(cells ->
                        Arrays.stream(columns).mapToObj(each -> cells[each]).collect(Collectors.joining(" | ")))
                .toList();
    }

    @Test
    void the_meters_are_those_of_the_page() throws IOException {
        assertThat(rows("recloser.", 1, 3, 5))
                .isEqualTo(Arrays.stream(RecloserMeter.values())
                        .map(meter -> quoted(meter.id()) + " | " + tags(meter) + " | " + meter.description())
                        .toList());
    }

    @Test
    void the_types_are_those_of_the_page_where_a_histogram_is_a_timer() throws IOException {
        assertThat(rows("recloser.", 2))
                .isEqualTo(Arrays.stream(RecloserMeter.values())
                        .map(meter ->
                                meter.type() == RecloserMeter.Type.HISTOGRAM ? "timer" : Tag.valueOf(meter.type()))
                        .toList());
    }

    @Test
    void values_of_tags_are_those_of_the_page() throws IOException {
        Stream<Enum<?>> events = Stream.concat(
                Arrays.stream(PipelineEvent.Kind.values()).filter(kind -> kind != PipelineEvent.Kind.REJECTED),
                Arrays.stream(CircuitEvent.values()));
        assertThat(rows("event`", 3)).containsExactly(values(events));
        assertThat(rows("outcome`", 3)).containsExactly(values(Arrays.stream(CallOutcome.values())));
        assertThat(rows("attempt`", 3)).containsExactly(values(Arrays.stream(AttemptKind.values())));
        assertThat(rows("reason`", 3)).containsExactly(values(Arrays.stream(RejectionReason.values())));
    }

    private static String tags(RecloserMeter meter) {
        return meter.tags().stream().map(tag -> quoted(tag.key().getKey())).collect(Collectors.joining(", "));
    }

    private static String values(Stream<? extends Enum<?>> constants) {
        return constants.map(constant -> quoted(Tag.valueOf(constant))).collect(Collectors.joining(", "));
    }

    private static String quoted(String name) {
        return "`" + name + "`";
    }
}
