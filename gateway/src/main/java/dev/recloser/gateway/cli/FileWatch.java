package dev.recloser.gateway.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a file again and again, and says what is in it when that is something else. It compares contents, so it does not matter in
 * which way somebody replaces the file. What is in it counts when two looks in a row have seen the same, so that a file that is being
 * written is not taken for what it will be; and one that is not there, or cannot be read, counts as not looked at. Used by one thread only.
 */
final class FileWatch {

    /** More than any configuration has, and all that is read of what is none. */
    private static final int MOST = 4_000_000;

    private final Path file;
    private byte @Nullable [] known;
    private byte @Nullable [] seen;
    private int missed;

    /** What is in the file now is known. */
    FileWatch(Path file) {
        this.file = file;
        this.known = read();
    }

    /** Looks, and returns what is in the file if it is something else than what is known; now that is known. */
    Optional<byte[]> look() {
        byte[] content = read();
        missed = content == null && known != null ? missed + 1 : 0;
        boolean settled = content != null && !Arrays.equals(content, known) && Arrays.equals(content, seen);
        seen = content;
        if (settled) {
            known = content;
        }
        return settled ? Optional.ofNullable(content) : Optional.empty();
    }

    /** What is in the file, whether it is known or not; now it is. Empty if there is nothing that can be read. */
    Optional<byte[]> take() {
        byte[] content = read();
        if (content != null) {
            known = content;
        }
        return Optional.ofNullable(content);
    }

    /** What is known to be in the file. */
    Optional<byte[]> known() {
        return Optional.ofNullable(known);
    }

    /** How many looks in a row have found nothing, where there has been something. */
    int missed() {
        return missed;
    }

    /** A pipe, for example, has its content only once. */
    private byte @Nullable [] read() {
        if (!Files.isRegularFile(file)) {
            return null;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MOST);
        } catch (IOException e) {
            return null;
        }
    }
}
