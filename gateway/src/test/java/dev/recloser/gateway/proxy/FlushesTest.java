package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.time.TimeSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What was written goes out when everything that was ready has been read, in the order in which it was written, and earlier where it is much. */
class FlushesTest {

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<String> flushed = new ArrayList<>();
    private final Flushes flushes = new Flushes(tasks::add, TimeSource.system());

    /** The loop has gone through everything that was ready. */
    private void endTurn() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void write(String name) {
        flushes.add(outlet(name, () -> {}));
    }

    /** An outlet that can only be flushed. */
    private Outlet outlet(String name, Runnable then) {
        InvocationHandler flush = (outlet, method, arguments) -> {
            assertThat(method.getName()).isEqualTo("flush");
            flushed.add(name);
            then.run();
            return null;
        };
        return (Outlet) Proxy.newProxyInstance(Outlet.class.getClassLoader(), new Class<?>[] {Outlet.class}, flush);
    }

    @Test
    void whatSeveralReadsBroughtGoesOutAfterTheLastOfThem() {
        write("a");
        flushes.soon();
        write("b");
        flushes.soon();
        assertThat(flushed).isEmpty();
        assertThat(tasks).hasSize(1);
        endTurn();
        assertThat(flushed).containsExactly("a", "b");
    }

    @Test
    void theNextTurnIsScheduledAnew() {
        write("a");
        flushes.soon();
        endTurn();
        write("b");
        flushes.soon();
        assertThat(flushed).containsExactly("a");
        endTurn();
        assertThat(flushed).containsExactly("a", "b");
    }

    @Test
    void nothingIsScheduledWhereNothingWasWritten() {
        flushes.soon();
        assertThat(tasks).isEmpty();
    }

    @Test
    void anotherEventFlushesWhatReadingHasLeft() {
        write("a");
        flushes.soon();
        flushes.now();
        assertThat(flushed).containsExactly("a");
        endTurn();
        assertThat(flushed).containsExactly("a");
    }

    @Test
    void whatIsWrittenBetweenAFlushAndTheEndOfTheTurnGoesOutThen() {
        write("a");
        flushes.soon();
        flushes.now();
        write("b");
        flushes.soon();
        assertThat(tasks).hasSize(1);
        endTurn();
        assertThat(flushed).containsExactly("a", "b");
    }

    @Test
    void muchDoesNotWait() {
        write("a");
        flushes.addPiece(Limits.UNFLUSHED_BYTES - 1);
        flushes.soon();
        assertThat(flushed).isEmpty();
        write("b");
        flushes.addPiece(1);
        flushes.soon();
        assertThat(flushed).containsExactly("a", "b");
        write("c");
        flushes.soon(); // which is little again
        assertThat(flushed).containsExactly("a", "b");
    }

    @Test
    void whatFlushingBringsGoesOutWithIt() {
        flushes.add(outlet("a", () -> write("b")));
        flushes.now();
        assertThat(flushed).containsExactly("a", "b");
    }
}
