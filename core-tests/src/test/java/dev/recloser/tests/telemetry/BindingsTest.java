package dev.recloser.tests.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.spi.Bindings;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is bound to members of a collection comes and goes with them. */
class BindingsTest {

    private static final CircuitBreakerOptions<Object> SETTINGS = new CircuitBreakerBuilder<>().build();

    private final VirtualTime time = VirtualTime.create();
    private final CircuitBreakerStore store = new CircuitBreakerStore(2, time);
    private final List<String> told = new CopyOnWriteArrayList<>();

    private Registration bind(CircuitBreaker circuit) {
        told.add("+" + circuit.name());
        return () -> told.add("-" + circuit.name());
    }

    private void use(String service) {
        time.advance(Duration.ofSeconds(2));
        store.get(service, SETTINGS);
    }

    @Test
    void circuitsThatThereAreAndThatComeAreBoundOnce() {
        use("a");
        store.forEachCircuit(this::bind);
        use("b");
        use("a");
        assertThat(told).containsExactly("+a", "+b");
    }

    @Test
    void circuitThatIsRemovedOrEvictedIsUnbound() {
        store.forEachCircuit(this::bind);
        use("a");
        use("b");
        use("c");
        assertThat(told).containsExactly("+a", "+b", "-a", "+c");
        store.remove("b");
        assertThat(told).endsWith("-b");
    }

    @Test
    void allIsUnboundWhenTheRegistrationIsRemovedAndNothingComesAfterwards() {
        use("a");
        use("b");
        Registration all = store.forEachCircuit(this::bind);
        all.remove();
        use("c");
        all.remove();
        assertThat(told).containsExactlyInAnyOrder("+a", "+b", "-a", "-b");
    }

    @Test
    void functionThatThrowsKeepsNothingFromTheOthersAndIsAskedOnceForEach() {
        AtomicInteger asked = new AtomicInteger();
        store.forEachCircuit(circuit -> {
            asked.incrementAndGet();
            throw new IllegalStateException("not bound");
        });
        store.forEachCircuit(this::bind);
        use("a");
        use("b");
        assertThat(told).containsExactly("+a", "+b");
        assertThat(asked).hasValue(2);
    }

    @Test
    void bindingThatChangesTheCollectionIsFollowedUp() {
        store.forEachCircuit(circuit -> {
            Registration bound = bind(circuit);
            if (circuit.name().equals("a")) {
                use("b");
            }
            return bound;
        });
        use("a");
        assertThat(told).containsExactly("+a", "+b");
    }

    @Test
    void changesOfManyThreadsEndInWhatThereIs() throws InterruptedException {
        Set<Integer> members = ConcurrentHashMap.newKeySet();
        Set<Integer> bound = ConcurrentHashMap.newKeySet();
        Integer[] numbers = IntStream.range(0, 64).boxed().toArray(Integer[]::new);
        Bindings<Integer> bindings = new Bindings<>(() -> members);
        bindings.add(member -> {
            assertThat(bound.add(member)).as("not bound twice").isTrue();
            return () -> bound.remove(member);
        });
        CountDownLatch done = new CountDownLatch(4);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int offset = t;
            Thread thread = new Thread(() -> {
                for (int round = 0; round < 2000; round++) {
                    Integer number = numbers[(round * 7 + offset * 16) % numbers.length];
                    if (!members.remove(number)) {
                        members.add(number);
                    }
                    bindings.changed();
                }
                done.countDown();
            });
            threads.add(thread);
            thread.start();
        }
        done.await();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(bound).isEqualTo(members);
    }
}
