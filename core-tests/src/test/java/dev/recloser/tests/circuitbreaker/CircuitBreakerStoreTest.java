package dev.recloser.tests.circuitbreaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.ServiceCircuitBuilder;
import dev.recloser.spi.Ticket;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Circuits by the name of a service. */
class CircuitBreakerStoreTest {

    private static final Duration BREAK = Duration.ofSeconds(30);

    private final VirtualTime time = VirtualTime.create();
    private final CircuitBreakerStore store = new CircuitBreakerStore(3, time);

    private CircuitBreaker circuit(String service) {
        return store.forService(service).halfOpenAfter(BREAK);
    }

    private void use(CircuitBreaker circuit, OutcomeClass outcome) {
        time.advance(Duration.ofSeconds(1));
        ((Ticket) circuit.acquire()).settle(outcome, null, null);
    }

    @Test
    void sameNameIsTheSameCircuitInTheWholeProcess() {
        CircuitBreaker first = CircuitBreaker.forService("payment-api")
                .openAfter(5, 10)
                .withinLast(Duration.ofMinutes(1))
                .when(e -> e instanceof IOException)
                .halfOpenAfter(Duration.ofSeconds(30));
        CircuitBreaker again = CircuitBreaker.forService("payment-api")
                .openAfter(5, 10)
                .withinLast(Duration.ofMinutes(1))
                .when(e -> e instanceof IOException)
                .halfOpenAfter(Duration.ofSeconds(30));
        assertThat(again).isSameAs(first);
        assertThat(CircuitBreakerStore.shared().state("payment-api")).contains(CircuitState.CLOSED);
        assertThat(CircuitBreakerStore.shared().remove("payment-api")).isTrue();
        assertThat(CircuitBreakerStore.shared().remove("payment-api")).isFalse();
    }

    @Test
    void otherBreakDurationIsNamedAndNothingElse() {
        circuit("a");
        assertThatThrownBy(() -> store.forService("a").halfOpenAfter(Duration.ofSeconds(31)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the circuit for a exists with other settings: breakDuration is 30 s, asked for was 31 s");
    }

    @Test
    void everyFieldThatDiffersIsNamed() {
        store.forService("a").when("io", e -> e instanceof IOException).halfOpenAfter(BREAK);
        ServiceCircuitBuilder other =
                store.forService("a").openAfter(6, 10).when("all", e -> true).settings(cb -> cb.probes(2));
        assertThatThrownBy(() -> other.halfOpenAfter(BREAK))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(
                        "openAfter is 5 of 10, asked for was 6 of 10",
                        "failuresAre is failures: io, asked for was failures: all",
                        "probes is 1, asked for was 2");
        assertThat(store.forService("a").when("io", e -> false).halfOpenAfter(BREAK))
                .as("a function of the same name")
                .isSameAs(store.find("a").orElseThrow());
    }

    @Test
    void askingForAnUnusedNameMakesNothing() {
        assertThat(store.state("never")).isEmpty();
        assertThat(store.find("never")).isEmpty();
        assertThat(store.circuits()).isEmpty();
        assertThat(store.remove("never")).isFalse();
    }

    @Test
    void leastRecentlyUsedGoesWhenTheStoreIsFull() {
        CircuitBreaker a = circuit("a");
        CircuitBreaker b = circuit("b");
        circuit("c");
        use(a, OutcomeClass.SUCCESS);
        use(b, OutcomeClass.SUCCESS);
        circuit("d");
        assertThat(store.circuits()).extracting(CircuitBreaker::name).containsExactlyInAnyOrder("a", "b", "d");
    }

    @Test
    void circuitThatIsNotClosedStaysWhileThereAreClosedOnes() {
        CircuitBreaker open = circuit("open");
        for (int i = 0; i < 5; i++) {
            use(open, OutcomeClass.FAILURE);
        }
        assertThat(open.state()).isEqualTo(CircuitState.OPEN);
        for (int i = 0; i < 10; i++) {
            use(circuit("closed " + i), OutcomeClass.SUCCESS);
        }
        assertThat(store.find("open")).contains(open);
        store.circuits().forEach(CircuitBreaker::isolate);
        circuit("one more");
        assertThat(store.find("open"))
                .as("the longest unused of those that are not closed")
                .isEmpty();
    }

    @Test
    void evictedCircuitReturnsWhenItIsUsed() {
        CircuitBreaker a = circuit("a");
        circuit("b");
        circuit("c");
        circuit("d");
        assertThat(store.find("a")).isEmpty();
        use(a, OutcomeClass.SUCCESS);
        assertThat(store.find("a")).contains(a);
        assertThat(store.circuits()).hasSize(3);
    }

    @Test
    void moreCircuitsInUseThanFitDoNotDriveEachOtherOut() {
        CircuitBreaker a = circuit("a");
        CircuitBreaker b = circuit("b");
        CircuitBreaker c = circuit("c");
        CircuitBreaker d = circuit("d");
        use(b, OutcomeClass.SUCCESS);
        ((Ticket) c.acquire()).settle(OutcomeClass.SUCCESS, null, null);
        ((Ticket) d.acquire()).settle(OutcomeClass.SUCCESS, null, null);
        ((Ticket) a.acquire()).settle(OutcomeClass.SUCCESS, null, null);
        assertThat(store.circuits()).containsExactlyInAnyOrder(b, c, d);
    }

    @Test
    void evictedCircuitDoesNotTakeThePlaceOfItsSuccessor() {
        CircuitBreaker old = circuit("a");
        circuit("b");
        circuit("c");
        circuit("d");
        CircuitBreaker successor = circuit("a");
        use(old, OutcomeClass.SUCCESS);
        assertThat(successor).isNotSameAs(old);
        assertThat(store.find("a")).contains(successor);
    }

    @Test
    void removedCircuitDoesNotReturn() {
        CircuitBreaker a = circuit("a");
        assertThat(store.remove("a")).isTrue();
        use(a, OutcomeClass.SUCCESS);
        assertThat(store.find("a")).isEmpty();
    }

    @Test
    void storeOfNothingIsRefused() {
        assertThatThrownBy(() -> new CircuitBreakerStore(0, time)).hasMessage("capacity is 0, must be at least 1");
    }
}
