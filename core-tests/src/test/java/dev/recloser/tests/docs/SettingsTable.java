package dev.recloser.tests.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The tables of a page whose first heading is a given word, such as "setting"; without the marks for code. */
final class SettingsTable {

    private static final Path DOCS = Path.of("../docs");

    /** Cells by heading, by what stands in the first column. */
    private final Map<String, Map<String, String>> rows = new LinkedHashMap<>();

    SettingsTable(String page, String firstHeading) {
        List<String> headings = List.of();
        for (String line : lines(page)) {
            List<String> cells = cells(line);
            if (cells.isEmpty()) {
                headings = List.of();
            } else if (headings.isEmpty()) {
                headings = cells;
            } else if (headings.get(0).equals(firstHeading) && !line.startsWith("|---")) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < cells.size(); i++) {
                    row.put(headings.get(i), cells.get(i));
                }
                rows.put(cells.get(0), row);
            }
        }
    }

    static List<String> lines(String page) {
        try {
            return Files.readAllLines(DOCS.resolve(page));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> cells(String line) {
        return line.startsWith("|")
                ? Arrays.stream(line.substring(1).replaceFirst("\\|\\s*$", "").split("\\|", -1))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList()
                : List.of();
    }

    /** What stands in the first column, from top to bottom. */
    List<String> names() {
        return List.copyOf(rows.keySet());
    }

    /** The same, each without what follows a comma. */
    List<String> settings() {
        return rows.keySet().stream()
                .map(name -> name.replaceFirst(",.*", ""))
                .distinct()
                .collect(Collectors.toList());
    }

    /** A cell, if there is a row of that name; of the name only letters and digits count. */
    Optional<String> cell(String name, String heading) {
        return rows.entrySet().stream()
                .filter(row -> letters(row.getKey()).equals(letters(name)))
                .map(row -> row.getValue().getOrDefault(heading, ""))
                .findFirst();
    }

    private static String letters(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "");
    }
}
