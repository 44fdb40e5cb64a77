package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.BalancingConfig;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.LoadBalancing;
import dev.recloser.time.VirtualTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whose turn it is among the destinations. */
class BalancerTest {

    private static final int MANY = 10_000;
    private static final long NOW = 5;

    private final Random random = new Random(7);

    private static Destinations destinations(LoadBalancing policy, int... weights) {
        ClusterConfig config = new TestGateway.Settings()
                .balancing(BalancingConfig.USUAL.with(policy))
                .weights(weights)
                .cluster("a", IntStream.rangeClosed(1, weights.length).toArray())
                .config()
                .clusters()
                .get("a");
        return new Destinations(config, VirtualTime.create());
    }

    private static int[] shares(Balancer balancer, BitSet tried, int size, int choices) {
        int[] shares = new int[size];
        for (int i = 0; i < choices; i++) {
            shares[balancer.choose(tried, NOW)]++;
        }
        return shares;
    }

    @Test
    void turnsAreSharedExactlyByWeight() {
        Balancer balancer = destinations(LoadBalancing.ROUND_ROBIN, 5, 3, 2).balancer();
        assertThat(shares(balancer, null, 3, MANY)).containsExactly(5000, 3000, 2000);
    }

    @Test
    void turnsAreSpreadEvenly() {
        Balancer balancer = destinations(LoadBalancing.ROUND_ROBIN, 5, 1, 1).balancer();
        String turns = IntStream.range(0, 14)
                .mapToObj(i -> "ABC".substring(balancer.choose(null, NOW)).substring(0, 1))
                .collect(Collectors.joining());
        assertThat(turns).isEqualTo("AABACAA" + "AABACAA");
    }

    @Test
    void noTwoLoopsBeginWithTheSame() {
        Destinations destinations = destinations(LoadBalancing.ROUND_ROBIN, 1, 1, 1);
        assertThat(IntStream.range(0, 4).map(i -> destinations.balancer().choose(null, NOW)))
                .containsExactly(0, 1, 2, 0);
    }

    @Test
    void turnsAreExactWhoeverComesAndGoes() {
        int[] weights = {1, 4, 2, 7, 1};
        Balancer balancer = destinations(LoadBalancing.ROUND_ROBIN, weights).balancer();
        for (int phase = 0; phase < 200; phase++) {
            BitSet away = BitSet.valueOf(new long[] {random.nextInt(31)}); // never all
            int rounds = 1 + random.nextInt(5);
            int[] expected = IntStream.range(0, weights.length)
                    .map(i -> away.get(i) ? 0 : weights[i] * rounds)
                    .toArray();
            int choices = IntStream.of(expected).sum();
            assertThat(shares(balancer, away, weights.length, choices))
                    .as("phase %d", phase)
                    .isEqualTo(expected);
        }
    }

    @Test
    void leastRequestsNeverChoosesABusierOne() {
        int[] weights = {1, 2, 3, 6};
        Destinations destinations = destinations(LoadBalancing.LEAST_REQUESTS, weights);
        Balancer[] loops = {destinations.balancer(), destinations.balancer()};
        List<List<Underway.OfLoop>> counting = List.of(counting(destinations), counting(destinations));
        long[] underway = new long[weights.length];
        List<Integer> running = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int loop = random.nextInt(2);
            BitSet away = BitSet.valueOf(new long[] {random.nextInt(15)});
            int chosen = loops[loop].choose(away, NOW);
            assertThat(away.get(chosen)).isFalse();
            for (int other = 0; other < weights.length; other++) {
                if (!away.get(other)) {
                    assertThat(underway[chosen] * weights[other])
                            .isLessThanOrEqualTo(underway[other] * weights[chosen]);
                }
            }
            counting.get(loop).get(chosen).begun();
            underway[chosen]++;
            running.add(chosen);
            while (running.size() > random.nextInt(40)) {
                int ended = running.remove(random.nextInt(running.size()));
                counting.get(random.nextInt(2)).get(ended).ended();
                underway[ended]--;
            }
        }
    }

    private static List<Underway.OfLoop> counting(Destinations destinations) {
        return destinations.all().stream()
                .map(each -> each.underway().forLoop())
                .toList();
    }

    @Test
    void theEquallyBusyTakeTurnsByWeight() {
        Balancer balancer = destinations(LoadBalancing.LEAST_REQUESTS, 5, 3, 2).balancer();
        assertThat(shares(balancer, null, 3, MANY)).containsExactly(5000, 3000, 2000);
    }

    @Test
    void twoAreDrawnByWeight() {
        Balancer balancer = new Balancer.TwoChoices(
                destinations(LoadBalancing.POWER_OF_TWO_CHOICES, 5, 3, 2).all(), random::nextDouble);
        int[] shares = shares(balancer, null, 3, MANY);
        assertThat(shares[0]).isBetween(4800, 5200);
        assertThat(shares[1]).isBetween(2800, 3200);
    }

    @Test
    void theBusierOfTwoIsNotTaken() {
        Destinations destinations = destinations(LoadBalancing.POWER_OF_TWO_CHOICES, 1, 1, 4);
        List<Underway.OfLoop> counting = counting(destinations);
        counting.get(1).begun();
        counting.get(2).begun();
        Balancer balancer = destinations.balancer();
        int[] shares = shares(balancer, null, 3, MANY);
        assertThat(shares[1]).as("busiest for its weight").isZero();
        assertThat(shares[2]).as("drawn without the first one").isPositive();
        BitSet others = new BitSet();
        others.set(0);
        others.set(2);
        assertThat(balancer.choose(others, NOW)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void oneThatCouldNotBeReachedRestsAWhile(LoadBalancing policy) {
        Destinations destinations = destinations(policy, 1, 1);
        Balancer balancer = destinations.balancer();
        destinations.all().get(0).health().unreachable(NOW);
        assertThat(shares(balancer, null, 2, 10)).containsExactly(0, 10);
        long later = NOW + Limits.DESTINATION_REST.toNanos();
        assertThat(IntStream.range(0, 100).map(i -> balancer.choose(null, later)))
                .contains(0);
    }

    @ParameterizedTest
    @EnumSource
    void whereNoneIsWellAllAreTriedOnce(LoadBalancing policy) {
        Destinations destinations = destinations(policy, 1, 2, 3);
        Balancer balancer = destinations.balancer();
        destinations.all().forEach(each -> each.health().unreachable(NOW));
        BitSet tried = new BitSet();
        for (int i = 0; i < 3; i++) {
            int chosen = balancer.choose(tried, NOW);
            assertThat(tried.get(chosen)).isFalse();
            tried.set(chosen);
        }
        assertThat(balancer.choose(tried, NOW)).isEqualTo(Balancer.NONE);
    }

    @ParameterizedTest
    @EnumSource
    void whatAllLoopsHaveUnderWayIsAddedUp(LoadBalancing policy) {
        Destinations destinations = destinations(policy, 1, 1);
        Underway underway = destinations.all().get(0).underway();
        Underway.OfLoop one = underway.forLoop();
        Underway.OfLoop other = underway.forLoop();
        one.begun();
        one.begun();
        other.begun();
        one.ended();
        assertThat(underway.count()).isEqualTo(2);
        other.ended();
        one.ended();
        assertThat(underway.count()).isZero();
    }
}
