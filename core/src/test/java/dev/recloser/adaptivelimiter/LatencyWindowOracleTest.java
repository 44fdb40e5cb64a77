package dev.recloser.adaptivelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.OutcomeClass;
import dev.recloser.spi.Ticket;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The windows of the limiter against a naive list of all calls, over random traces whose clock overflows on the way. */
class LatencyWindowOracleTest {

    private static final int STEPS = 20_000;
    private static final int MINIMUM = 5;
    private static final Duration GOAL = Duration.ofMillis(50);
    private static final Duration LENGTH = Duration.ofMillis(100);
    private static final OutcomeClass[] OUTCOMES = OutcomeClass.values();

    /** A call as a list remembers it. */
    private static final class Call {
        final Ticket ticket;
        final Duration start;
        final int window;
        Duration end;

        /** Null for a call that runs, or never began. */
        OutcomeClass outcome;

        Call(Ticket ticket, Duration start, int window) {
            this.ticket = ticket;
            this.start = start;
            this.window = window;
        }

        boolean isSample() {
            boolean unused = end != null && outcome == null;
            return !unused && !(outcome == OutcomeClass.IGNORED && isWithinGoal());
        }

        boolean isSuccess() {
            return outcome == OutcomeClass.SUCCESS && isWithinGoal();
        }

        boolean isWithinGoal() {
            return end != null && latency().compareTo(GOAL) <= 0;
        }

        Duration latency() {
            return end.minus(start);
        }
    }

    private final VirtualTime time = VirtualTime.create()
            .startingAt(Long.MAX_VALUE - Duration.ofSeconds(10).toNanos());
    private final AdaptiveLimiterBuilder<Object> settings =
            new AdaptiveLimiterBuilder<>().latencyGoal(GOAL).window(LENGTH).minimumSamples(MINIMUM);
    private final AdaptiveLimiter limiter = settings.build("limiter", time);
    private final LimitSearch search = new LimitSearch(settings);
    private final List<Call> calls = new ArrayList<>();
    private final List<Call> running = new ArrayList<>();
    private int window;
    private Duration opened = Duration.ZERO;
    private Duration closed;
    private int mostInFlight;
    private int judged;
    private Random random;

    @BeforeEach
    void start() {
        random = new Random(0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void judgesAsTheNaiveListDoes(long seed) {
        random = new Random(seed);
        int eagerness = 3 + (int) seed;
        for (int step = 0; step < STEPS; step++) {
            time.advance(Duration.ofMillis(random.nextInt(8)));
            if (random.nextInt(10) < eagerness) {
                begin();
            } else if (!running.isEmpty()) {
                end(running.remove(random.nextInt(running.size())));
            }
            AdaptiveLimiterSnapshot snapshot = limiter.snapshot();
            assertThat(snapshot.limit()).isEqualTo(search.limit());
            assertThat(snapshot.inFlight()).isEqualTo(running.size());
        }
        assertThat(judged).isGreaterThan(50);
    }

    private void begin() {
        moveOn();
        var answer = limiter.acquire(CallContext.named("p"));
        assertThat(answer instanceof Ticket).isEqualTo(running.size() < search.limit());
        if (answer instanceof Ticket ticket) {
            Call call = new Call(ticket, time.elapsed(), closed == null ? window : -1);
            calls.add(call);
            running.add(call);
            if (closed == null) {
                mostInFlight = Math.max(mostInFlight, running.size());
            }
        }
    }

    private void end(Call call) {
        call.end = time.elapsed();
        if (random.nextInt(10) == 0) {
            call.ticket.unused();
        } else {
            call.outcome = random.nextBoolean() ? OutcomeClass.SUCCESS : OUTCOMES[random.nextInt(OUTCOMES.length)];
            call.ticket.settle(call.outcome, null, null);
        }
    }

    private void moveOn() {
        Duration now = time.elapsed();
        List<Call> samples = calls.stream()
                .filter(call -> call.window == window && call.isSample())
                .toList();
        if (closed == null && samples.size() >= MINIMUM && now.minus(opened).compareTo(LENGTH) >= 0) {
            closed = now;
        }
        if (closed != null && now.minus(closed).compareTo(GOAL) > 0) {
            if (samples.size() >= MINIMUM) {
                judge(samples);
            }
            calls.removeIf(call -> call.end != null);
            window++;
            opened = now;
            closed = null;
            mostInFlight = 0;
        }
    }

    private void judge(List<Call> samples) {
        long within = samples.stream().filter(Call::isSuccess).count();
        search.judge(within * 2 >= samples.size(), mostInFlight);
        judged++;
    }
}
