package dev.recloser.gateway.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A JSON text, taken apart. */
final class JsonFields {

    private JsonFields() {}

    /** The values by the path of their field, such as {@code clusters.0.name}; the values of an array are joined. */
    static Map<String, String> of(String json) {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()) {
                    String path = parser.getParsingContext().pathAsPointer().toString();
                    fields.merge(
                            path.substring(1).replaceAll("/\\d+$", "").replace('/', '.'),
                            parser.getText(),
                            (a, b) -> a + "," + b);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(json, e);
        }
        return fields;
    }
}
