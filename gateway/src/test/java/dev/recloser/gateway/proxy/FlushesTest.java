package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.time.VirtualTime;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What was written goes out when everything that was ready has been read, in the order in which it was written, and earlier where it is much. */
class FlushesTest {

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<String> pushed = new ArrayList<>();
    private final List<String> flushed = new ArrayList<>();
    private final List<Long> told = new ArrayList<>();
    private final List<Throwable> faults = new ArrayList<>();
    private final VirtualTime time = VirtualTime.create();
    private final Flushes flushes = new Flushes(tasks::add, time, faults::add);

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
            if (method.getName().equals("push")) {
                pushed.add(name);
                return null;
            }
            assertThat(method.getName()).isEqualTo("flush");
            assertThat(pushed).contains(name);
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
    void manyDoNotWait() {
        for (int i = 1; i < Limits.UNFLUSHED; i++) {
            write("many");
        }
        flushes.soon();
        assertThat(flushed).isEmpty();
        flushes.add(told::add);
        flushes.soon();
        assertThat(flushed).hasSize(Limits.UNFLUSHED - 1);
        assertThat(told).hasSize(1);
    }

    @Test
    void allHavePushedBeforeOneIsFlushedSinceTheyMayShareAConnection() {
        flushes.add(outlet("a", () -> assertThat(pushed).containsExactly("a", "b")));
        write("b");
        flushes.now();
        assertThat(flushed).containsExactly("a", "b");
    }

    @Test
    void whoWaitsForTheFlushIsToldTheTimeAfterIt() {
        flushes.add(outlet("a", () -> time.advance(Duration.ofNanos(5))));
        flushes.add(told::add);
        flushes.add(told::add);
        long before = time.nanoTime();
        flushes.now();
        assertThat(told).containsExactly(before + 5, before + 5);
        flushes.now();
        assertThat(told).hasSize(2);
    }

    @Test
    void whoWaitsIsToldAlsoWhereNothingWasWritten() {
        flushes.add(told::add);
        flushes.soon();
        endTurn();
        assertThat(told).hasSize(1);
    }

    @Test
    void whatFlushingBringsGoesOutWithIt() {
        flushes.add(outlet("a", () -> write("b")));
        flushes.now();
        assertThat(flushed).containsExactly("a", "b");
    }

    @Test
    void aFlushThatSetsOffAFlushLosesNothing() {
        flushes.add(outlet("a", () -> {
            write("c");
            flushes.now();
            write("d");
        }));
        write("b");
        flushes.now();
        assertThat(flushed).containsExactly("a", "b", "c", "d");
    }

    @Test
    void aFaultIsNoReasonForTheOthersNotToGoOut() {
        flushes.add(outlet("a", () -> {
            throw new IllegalStateException("a test's");
        }));
        write("b");
        flushes.add((Flushes.Awaiter) now -> {
            throw new IllegalStateException("a test's");
        });
        flushes.add(told::add);
        flushes.now();
        assertThat(flushed).containsExactly("a", "b");
        assertThat(told).hasSize(1);
        assertThat(faults).hasSize(2);
    }
}
