package dev.recloser.gateway.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A message of HTTP/1.1 as it came, one character per byte. */
record Message(String head, String body) {

    /** Reads a message whose body has a length or comes in chunks; null if the connection ends before its first byte. */
    static @Nullable Message read(InputStream in) throws IOException {
        String head = readHead(in);
        return head == null ? null : new Message(head, readBody(head, in));
    }

    static @Nullable String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream(256);
        int matched = 0;
        while (matched < 4) {
            int next = in.read();
            if (next < 0) {
                if (head.size() == 0) {
                    return null;
                }
                throw new EOFException("cut in a head: " + head.toString(ISO_8859_1));
            }
            head.write(next);
            matched = next == "\r\n\r\n".charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(ISO_8859_1);
    }

    private static String readBody(String head, InputStream in) throws IOException {
        String length = header(head, "content-length");
        if (length != null) {
            return readBytes(in, Integer.parseInt(length));
        }
        StringBuilder body = new StringBuilder();
        if (header(head, "transfer-encoding") != null) {
            String chunk;
            do {
                chunk = readBytes(in, Integer.parseInt(readLine(in), 16));
                body.append(chunk);
                readLine(in);
            } while (!chunk.isEmpty());
        }
        return body.toString();
    }

    private static String readBytes(InputStream in, int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("cut after " + bytes.length + " of " + count + " bytes");
        }
        return new String(bytes, ISO_8859_1);
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("cut in a line: " + line);
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    /** The value of a header, by its name in small letters; null if there is none. */
    static @Nullable String header(String head, String name) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse(null);
    }

    int status() {
        return Integer.parseInt(head.split(" ", 3)[1]);
    }

    /** Whether no other message follows on the same connection. */
    boolean isLast() {
        return "close".equalsIgnoreCase(header(head, "connection"));
    }
}
