package dev.recloser.gateway.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * The configuration as a JSON Schema (draft 2020-12), by which editors complete and check it while it is written. It is what the readers
 * allow; what is about several values together, such as a route to a cluster that is not there, only {@link ConfigReader} finds.
 */
public final class ConfigSchema {

    private ConfigSchema() {}

    /** The schema, as text in several lines. */
    public static String text() {
        StringWriter text = new StringWriter();
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(lines));
            json.writeStartObject();
            json.writeStringField("$schema", "https://json-schema.org/draft/2020-12/schema");
            json.writeStringField("title", "The configuration of the Recloser gateway");
            writeFields(json, Shape.mapping(ConfigReader.KEYS).keywords());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a text can always be written to
        }
        return text + "\n";
    }

    private static void writeFields(JsonGenerator json, Map<?, ?> fields) throws IOException {
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            json.writeFieldName(String.valueOf(field.getKey()));
            write(json, field.getValue());
        }
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Map<?, ?> fields) {
            json.writeStartObject();
            writeFields(json, fields);
            json.writeEndObject();
        } else if (value instanceof List<?> elements) {
            json.writeStartArray();
            for (Object element : elements) {
                write(json, element);
            }
            json.writeEndArray();
        } else if (value instanceof Double number && number != Math.rint(number)) {
            json.writeNumber(number);
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else {
            json.writeString(String.valueOf(value));
        }
    }
}
