package dev.recloser.gateway.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * From a file to the tree of its YAML nodes, each of which knows its line and column. The tree is the text as it was written: no
 * type is guessed, so that {@code no} is the word no.
 */
final class YamlText {

    private static final long LARGEST_FILE = 3_000_000;
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private YamlText() {}

    /** The text of a file, if there is one that can be read. */
    static Optional<String> read(Path file, Findings findings) {
        try {
            if (Files.isDirectory(file)) {
                findings.error("is a directory; give the path of a YAML file");
            } else if (Files.size(file) > LARGEST_FILE) {
                tooLarge(findings);
            } else {
                return decode(Files.readAllBytes(file), findings);
            }
        } catch (NoSuchFileException e) {
            findings.error("there is no such file; give the path of a YAML file");
        } catch (AccessDeniedException e) {
            findings.error("may not be read; give yourself the right to read it");
        } catch (IOException e) {
            findings.error("cannot be read: " + e.getMessage());
        }
        return Optional.empty();
    }

    private static void tooLarge(Findings findings) {
        findings.error("has more than " + LARGEST_FILE / 1_000_000 + " MB; that is no configuration");
    }

    /** The text in these bytes, if they are UTF-8 and not too many. */
    static Optional<String> decode(byte[] bytes, Findings findings) {
        if (bytes.length > LARGEST_FILE) {
            tooLarge(findings);
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        boolean valid = !decoder.decode(in, out, true).isError();
        String text = out.flip().toString();
        if (valid) {
            return Optional.of(text);
        }
        errorAtEnd(findings, text, "is not UTF-8 from here on; save the file in that encoding");
        return Optional.empty();
    }

    /** The root of the document, if there is one. */
    static Optional<Node> compose(String written, Findings findings) {
        String text = written.startsWith(BYTE_ORDER_MARK) ? written.substring(1) : written;
        int odd = firstUnprintable(text);
        if (odd >= 0) {
            String name = Character.getName(text.codePointAt(odd));
            errorAtEnd(
                    findings,
                    text.substring(0, odd),
                    "holds a character that YAML does not allow (" + name + "); remove it");
            return Optional.empty();
        }
        LoaderOptions options = new LoaderOptions();
        StreamReader reader = new StreamReader(text);
        try {
            ParserImpl parser = new ParserImpl(reader, options);
            Optional<Node> root = Optional.ofNullable(new Composer(parser, new Resolver(), options).getSingleNode());
            if (root.isEmpty()) {
                findings.error(1, 1, "is empty; give at least listen, routes and clusters");
            }
            return root;
        } catch (MarkedYAMLException e) {
            findings.error(
                    e.getProblemMark(),
                    "is not YAML: " + describe(e) + "; look at the indentation, colons and quotes up to here");
            return Optional.empty();
        } catch (YAMLException e) {
            // A limit of the library's, which says no place: it is about what was read last.
            findings.error(
                    reader.getMark(),
                    "is too intricate: " + String.valueOf(e.getMessage()).strip() + "; write it more simply");
            return Optional.empty();
        }
    }

    private static String describe(MarkedYAMLException e) {
        String problem = e.getProblem().strip();
        return e.getContext() == null ? problem : problem + " " + e.getContext().strip();
    }

    private static int firstUnprintable(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (!StreamReader.isPrintable(text.codePointAt(i))) {
                return i;
            }
        }
        return -1;
    }

    private static void errorAtEnd(Findings findings, String before, String message) {
        int lines = (int) before.chars().filter(c -> c == '\n').count();
        String lastLine = before.substring(before.lastIndexOf('\n') + 1);
        findings.error(lines + 1, lastLine.codePointCount(0, lastLine.length()) + 1, message);
    }
}
