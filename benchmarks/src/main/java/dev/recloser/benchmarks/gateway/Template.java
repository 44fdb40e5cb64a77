package dev.recloser.benchmarks.gateway;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A configuration of this package's resources, with <code>${name}</code> where a value is to stand. */
final class Template {

    private Template() {}

    /** Writes it with its values into a folder, and answers where. */
    static Path write(Path folder, String name, Map<String, Object> values) throws IOException {
        String text = read(name);
        for (Map.Entry<String, Object> value : values.entrySet()) {
            text = text.replace("${" + value.getKey() + "}", value.getValue().toString());
        }
        if (text.contains("${")) {
            throw new IllegalArgumentException(name + " needs more than " + values.keySet());
        }
        return Files.writeString(folder.resolve(name), text);
    }

    private static String read(String name) throws IOException {
        try (InputStream in = Template.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new FileNotFoundException(name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
