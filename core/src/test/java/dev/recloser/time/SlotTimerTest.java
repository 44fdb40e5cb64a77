package dev.recloser.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timer of the system, in real time: what is due rings, what was removed does not, and one thread may hold many alarms. */
@Timeout(60)
class SlotTimerTest {

    private final TimeSource time = TimeSource.system();
    private final SlotTimer timer = SlotTimer.start(time);

    /** Counts how often it rings, and lets a latch go. */
    private static final class Bell extends Alarm {

        final AtomicInteger rung = new AtomicInteger();
        final CountDownLatch latch;

        Bell(long due, CountDownLatch latch) {
            this.latch = latch;
            setDue(due);
        }

        @Override
        public void ring(long now) {
            unset();
            rung.incrementAndGet();
            latch.countDown();
        }
    }

    private long in(long millis) {
        return time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void oneThreadMayHoldManyAlarms() throws Exception {
        int count = 10_000;
        CountDownLatch all = new CountDownLatch(count);
        List<Bell> bells = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Bell bell = new Bell(in(50 + i % 100), all);
            bells.add(bell);
            timer.add(bell);
        }
        assertThat(timer.slots()).as("slots for %d alarms", count).isLessThan(4 * count);
        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(bells).allMatch(bell -> bell.rung.get() == 1);
    }

    @Test
    void alarmsComeAndGoInTheSameSlots() {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 100_000; i++) {
            Bell bell = new Bell(in(60_000), never);
            timer.add(bell);
            timer.remove(bell);
        }
        assertThat(timer.slots()).isEqualTo(64);
    }

    @Test
    void removedAlarmDoesNotRing() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Bell removed = new Bell(in(20), never);
        timer.add(removed);
        timer.remove(removed);
        CountDownLatch later = new CountDownLatch(1);
        timer.add(new Bell(in(60), later));
        assertThat(later.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(removed.rung).hasValue(0);
    }

    @Test
    void alarmThatIsMovedRingsAtItsNewTime() throws Exception {
        CountDownLatch rung = new CountDownLatch(1);
        Bell bell = new Bell(in(60_000), rung);
        timer.add(bell);
        bell.setDue(in(20));
        timer.moved(bell);
        assertThat(rung.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void alarmThatThrowsDoesNotStopTheOthers() throws Exception {
        CountDownLatch rung = new CountDownLatch(2);
        timer.add(new Alarm() {
            {
                setDue(in(10));
            }

            @Override
            public void ring(long now) {
                unset();
                throw new IllegalStateException("no thread to be had");
            }
        });
        timer.add(new Bell(in(10), rung));
        timer.add(new Bell(in(40), rung));
        assertThat(rung.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void timerThatSleepsForGoodIsWokenByANewAlarm() throws Exception {
        for (int i = 0; i < 20; i++) {
            CountDownLatch rung = new CountDownLatch(1);
            Bell bell = new Bell(in(5), rung);
            timer.add(bell);
            assertThat(rung.await(30, TimeUnit.SECONDS)).isTrue();
            timer.remove(bell);
        }
    }
}
