package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.time.TimeSource;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deadlines expire when they are due, in order, unless they are cancelled. */
class DeadlinesTest {

    private final List<String> expired = new ArrayList<>();
    private final List<Throwable> faults = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Deadlines deadlines = new Deadlines(channel.eventLoop(), new ChannelTime(), () -> {}, faults::add);
    private final DeadlineList second = deadlines.after(Duration.ofSeconds(1));
    private final DeadlineList minute = deadlines.after(Duration.ofMinutes(1));
    private long now;

    /** Time as the channel's event loop sees it, which a test moves. */
    private final class ChannelTime implements TimeSource {
        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH;
        }

        @Override
        public void sleep(long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public dev.recloser.time.Timer timer() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Executor executor() {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void freeze() {
        channel.freezeTime();
    }

    private Deadline deadline(String name) {
        return new Deadline() {
            @Override
            void expired() {
                expired.add(name);
            }
        };
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void theyExpireInOrder() {
        second.arm(deadline("a"));
        pass(500);
        second.arm(deadline("b"));
        pass(499);
        assertThat(expired).isEmpty();
        pass(1);
        assertThat(expired).containsExactly("a");
        pass(500);
        assertThat(expired).containsExactly("a", "b");
    }

    @Test
    void aShortOneIsNotHeldUpByALongOne() {
        minute.arm(deadline("minute"));
        second.arm(deadline("second"));
        pass(1000);
        assertThat(expired).containsExactly("second");
        pass(59_000);
        assertThat(expired).containsExactly("second", "minute");
    }

    @Test
    void oneThatIsCancelledDoesNotExpire() {
        Deadline first = deadline("first");
        Deadline middle = deadline("middle");
        Deadline last = deadline("last");
        second.arm(first);
        second.arm(middle);
        second.arm(last);
        middle.cancel();
        last.cancel();
        last.cancel();
        first.cancel();
        second.arm(middle);
        pass(1000);
        assertThat(expired).containsExactly("middle");
    }

    @Test
    void armingAnewHoldsInsteadOfTheOld() {
        Deadline moving = deadline("moving");
        second.arm(moving);
        pass(900);
        second.arm(moving);
        pass(900);
        minute.arm(moving);
        pass(59_000);
        assertThat(expired).isEmpty();
        pass(1000);
        assertThat(expired).containsExactly("moving");
    }

    @Test
    void anExpiredOneCanBeArmedAgain() {
        second.arm(new Deadline() {
            @Override
            void expired() {
                expired.add("again");
                if (expired.size() < 3) {
                    second.arm(this);
                }
            }
        });
        for (int i = 0; i < 5; i++) {
            pass(1000);
        }
        assertThat(expired).hasSize(3);
    }

    @Test
    void aFaultInOneDoesNotStopTheOthers() {
        second.arm(new Deadline() {
            @Override
            void expired() {
                throw new IllegalStateException("a fault");
            }
        });
        second.arm(deadline("beside it"));
        minute.arm(deadline("later"));
        pass(1000);
        assertThat(expired).containsExactly("beside it");
        pass(59_000);
        assertThat(expired).containsExactly("beside it", "later");
        assertThat(faults).hasSize(1);
    }

    @Test
    void equalLengthsShareOneList() {
        assertThat(deadlines.after(Duration.ofSeconds(1))).isSameAs(second);
    }

    @Test
    void aListThatAllHaveLeftGoesWhenItIsEmpty() {
        assertThat(deadlines.after(Duration.ofSeconds(1))).isSameAs(second);
        deadlines.leave(second);
        assertThat(deadlines.size()).isEqualTo(2);
        second.arm(deadline("still expires"));
        deadlines.leave(second);
        assertThat(deadlines.size()).isEqualTo(2);
        pass(1000);
        assertThat(expired).containsExactly("still expires");
        assertThat(deadlines.size()).isEqualTo(1);
    }

    @Test
    void aDeadlineInAListThatHasGoneExpiresToo() {
        deadlines.leave(second);
        assertThat(deadlines.size()).isEqualTo(1);
        second.arm(deadline("late"));
        second.arm(deadline("later"));
        assertThat(deadlines.size()).isEqualTo(2);
        pass(1000);
        assertThat(expired).containsExactly("late", "later");
        assertThat(deadlines.size()).isEqualTo(1);
    }
}
