package dev.recloser.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a file counts as changed. */
class FileWatchTest {

    @TempDir
    Path folder;

    private Path file;
    private FileWatch watch;

    @BeforeEach
    void begin() throws IOException {
        file = Files.writeString(folder.resolve("config"), "one");
        watch = new FileWatch(file);
    }

    private Optional<String> look() {
        return watch.look().map(content -> new String(content, StandardCharsets.UTF_8));
    }

    @Test
    void contentCountsWhenTwoLooksInARowHaveSeenItAndOnlyOnce() throws IOException {
        assertThat(look()).isEmpty();
        Files.writeString(file, "tw");
        assertThat(look()).isEmpty();
        Files.writeString(file, "two");
        assertThat(look()).isEmpty();
        assertThat(look()).contains("two");
        assertThat(look()).isEmpty();
        assertThat(look()).isEmpty();
    }

    @Test
    void whatIsAsItWasIsNoChange() throws IOException {
        Files.writeString(file, "two");
        assertThat(look()).isEmpty();
        Files.writeString(file, "one");
        assertThat(look()).isEmpty();
        assertThat(look()).isEmpty();
    }

    @Test
    void aFileThatIsGoneForAMomentChangesNothing() throws IOException {
        Files.writeString(file, "two");
        assertThat(look()).isEmpty();
        Files.delete(file);
        assertThat(look()).isEmpty();
        assertThat(watch.missed()).isEqualTo(1);
        assertThat(watch.take()).isEmpty();
        Files.writeString(file, "two");
        assertThat(look()).isEmpty();
        assertThat(watch.missed()).isZero();
        assertThat(look()).contains("two");
    }

    /** As Kubernetes updates a ConfigMap: a link to a folder is replaced as a whole. */
    @Test
    void aSwappedLinkIsSeenAndSoIsARename() throws IOException {
        Path first = Files.createDirectory(folder.resolve("v1"));
        Path second = Files.createDirectory(folder.resolve("v2"));
        Files.writeString(first.resolve("c"), "one");
        Files.writeString(second.resolve("c"), "two");
        Path data = Files.createSymbolicLink(folder.resolve("data"), first);
        Path linked = Files.createSymbolicLink(folder.resolve("linked"), Path.of("data/c"));
        watch = new FileWatch(linked);
        Path swapped = Files.createSymbolicLink(folder.resolve("swapped"), second);
        Files.move(swapped, data, StandardCopyOption.ATOMIC_MOVE);
        assertThat(look()).isEmpty();
        assertThat(look()).contains("two");

        Path written = Files.writeString(folder.resolve("new"), "three");
        Files.move(written, second.resolve("c"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(look()).isEmpty();
        assertThat(look()).contains("three");
    }

    @Test
    void whatWasTakenIsKnown() throws IOException {
        Files.writeString(file, "two");
        assertThat(watch.take().map(String::new)).contains("two");
        assertThat(look()).isEmpty();
        assertThat(look()).isEmpty();
    }

    @Test
    void whatIsNoFileIsNotLookedAt() {
        watch = new FileWatch(folder);
        assertThat(look()).isEmpty();
        assertThat(look()).isEmpty();
    }
}
