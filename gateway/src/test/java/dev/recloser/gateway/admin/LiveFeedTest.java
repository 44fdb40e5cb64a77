package dev.recloser.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.proxy.LatencySnapshot;
import dev.recloser.gateway.proxy.Times;
import dev.recloser.time.VirtualTime;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What pages are told, and what is kept for them, under virtual time. */
class LiveFeedTest {

    private static final String CONFIG = """
            listen: 127.0.0.1:0
            routes: [ { match: { path: /** }, cluster: accounts } ]
            clusters:
              accounts: { destinations: [ "http://127.0.0.1:9101" ], timeout: 1500ms }
              transfers: { destinations: [ "http://127.0.0.1:9201", "http://b" ] }
            """;

    private final VirtualTime time = VirtualTime.create();
    private final Map<String, Long> requests = new LinkedHashMap<>();
    private final AtomicLong slow = new AtomicLong();
    private final AtomicBoolean draining = new AtomicBoolean();
    private LatencySnapshot serviceTimes = LatencySnapshot.EMPTY;
    private final List<Circuit> circuits =
            ConfigReader.parse("c.yaml", CONFIG).config().orElseThrow().clusters().values().stream()
                    .map(this::circuit)
                    .toList();
    private final LiveFeed feed = new LiveFeed(new Circuits(() -> circuits, time), draining::get, time);

    /** Only the first cluster has traffic. */
    private Circuit circuit(ClusterConfig cluster) {
        boolean first = cluster.name().equals("accounts");
        return new Circuit(
                cluster,
                CircuitBreaker.of(cluster.name(), cluster.circuitBreaker(), time),
                List::of,
                () -> first ? Map.copyOf(requests) : Map.of(),
                () -> first ? slow.get() : 0,
                () -> 0,
                () -> first ? serviceTimes : LatencySnapshot.EMPTY);
    }

    /** A page, whose connection takes nothing while it is blocked. */
    private static final class Page extends EmbeddedChannel {
        private boolean blocked;

        @Override
        protected void doWrite(ChannelOutboundBuffer waiting) throws Exception {
            if (!blocked) {
                super.doWrite(waiting);
            }
        }

        void unblock() {
            blocked = false;
            flush();
        }

        /** The events that have come since the last time. */
        List<String> events() {
            List<String> events = new ArrayList<>();
            for (HttpContent next = readOutbound(); next != null; next = readOutbound()) {
                events.add(next.content().toString(StandardCharsets.UTF_8));
                next.release();
            }
            return events;
        }

        String event() {
            List<String> events = events();
            assertThat(events).hasSize(1);
            return events.get(0);
        }
    }

    private void listen() {
        circuits.forEach(circuit -> circuit.breaker().addListener(feed.listener(Runnable::run)));
    }

    private Page page() {
        Page page = new Page();
        page.pipeline().addLast(new EventStream(feed.streams(), page));
        return page;
    }

    private void second() {
        time.advance(Duration.ofSeconds(1));
        feed.tick();
    }

    private static Map<String, String> data(String event) {
        return JsonFields.of(event.substring(event.indexOf("data: ") + "data: ".length()));
    }

    @Test
    void pageGetsTheWholeStateFirstWithSettingsAsTheyAreConfigured() {
        String state = page().event();
        assertThat(state).matches("(?s)retry: 1000\nid: \\w+-0\nevent: state\ndata: [^\n]*\n\n");
        assertThat(data(state))
                .containsEntry("clusters.0.name", "accounts")
                .containsEntry("clusters.0.settings.timeout", "1500ms")
                .containsEntry("clusters.0.settings.failure-ratio", "0.5")
                .containsEntry("clusters.0.settings.minimum-throughput", "5")
                .containsEntry("clusters.0.settings.break-duration", "30s")
                .containsEntry("clusters.0.live.state", "CLOSED")
                .containsEntry("clusters.1.destinations", "http://127.0.0.1:9201,http://b:80")
                .containsEntry("draining", "false");
    }

    @Test
    void pageThatIsOpenedLateHasTheMinuteBefore() {
        for (long i = 1; i <= 70; i++) {
            requests.merge("ok", i, Long::sum);
            second();
        }
        Map<String, String> state = data(page().event());
        assertThat(state)
                .containsEntry("clusters.0.slices.0", "1.0,11,0,0,0,0,CLOSED")
                .containsEntry("clusters.0.slices.59", "1.0,70,0,0,0,0,CLOSED")
                .doesNotContainKey("clusters.0.slices.60")
                .containsEntry("clusters.1.slices.59", "1.0,0,0,0,0,0,CLOSED");
    }

    @Test
    void sliceSetsApartWhatHappenedToTheRequests() {
        Page page = page();
        page.events();
        requests.putAll(Map.of(
                "ok", 10L, "timeout", 3L, "upstream-5xx", 2L, "client-gone", 4L, "circuit-open", 6L, "stale", 1L));
        slow.set(7);
        second();
        Map<String, String> tick = data(page.event());
        assertThat(tick)
                .containsEntry("clusters.0.slice", "1.0,3,7,5,5,6,CLOSED")
                .containsEntry("clusters.0.live.failed.timeout", "3")
                .containsEntry("clusters.0.live.failed.upstream-5xx", "2");
    }

    @Test
    void tickTellsOnlyOfClustersAtWhichSomethingChanged() {
        Page page = page();
        second();
        page.events();
        second();
        assertThat(page.event()).contains("event: tick", "\"clusters\":[]");
        requests.put("ok", 1L);
        second();
        assertThat(data(page.event()))
                .containsEntry("clusters.0.name", "accounts")
                .doesNotContainKey("clusters.1.name");
    }

    @Test
    void circuitThatIsNotClosedIsToldEachSecondWithTheRightTime() {
        circuits.get(1).breaker().isolate();
        Page page = page();
        second();
        second();
        page.events();
        second();
        assertThat(data(page.event()))
                .containsEntry("clusters.0.name", "transfers")
                .containsEntry("clusters.0.live.inState", "3000");
    }

    @Test
    void percentilesAreThoseOfTheLastStepAndOfTheMinute() {
        Page page = page();
        serviceTimes = Times.of(10, Duration.ofMillis(10));
        step();
        assertThat(data(page.events().get(5)))
                .containsEntry("clusters.0.live.latency", "10,9.0,9.9,9.98")
                .containsEntry("clusters.0.live.latencyOfMinute", "10,9.0,9.9,9.98");
        serviceTimes = serviceTimes.plus(Times.of(10, Duration.ofMillis(100)));
        step();
        assertThat(data(page.events().get(4)))
                .containsEntry("clusters.0.live.latency", "10,90.0,99.0,99.8")
                .containsEntry("clusters.0.live.latencyOfMinute", "20,10.0,98.0,99.6");
        step();
        assertThat(data(page.events().get(4)))
                .doesNotContainKey("clusters.0.live.latency")
                .containsEntry("clusters.0.live.latencyOfMinute", "20,10.0,98.0,99.6");
    }

    /** As long as the times of the last few seconds stay as they are. */
    private void step() {
        for (int i = 0; i < 5; i++) {
            second();
        }
    }

    @Test
    void lengthOfASliceIsTheTimeThatItTook() {
        Page page = page();
        page.events();
        time.advance(Duration.ofMillis(3250));
        feed.tick();
        assertThat(data(page.event())).containsEntry("clusters.0.slice", "3.25,0,0,0,0,0,CLOSED");
        time.advance(Duration.ofMillis(400));
        feed.tick();
        assertThat(page.events()).isEmpty();
    }

    @Test
    void transitionIsToldAtOnceWithItsReasonAndTheCircuitAfterIt() {
        listen();
        Page page = page();
        page.events();
        circuits.get(1).breaker().isolate();
        String event = page.event();
        assertThat(event).containsPattern("id: \\w+-1\nevent: transition\n");
        assertThat(data(event))
                .containsEntry("transition.number", "1")
                .containsEntry("transition.cluster", "transfers")
                .containsEntry("transition.from", "CLOSED")
                .containsEntry("transition.to", "ISOLATED")
                .containsEntry("transition.event", "isolated")
                .containsEntry("transition.why", "by hand; every call is rejected until somebody closes it")
                .containsEntry("live.state", "ISOLATED");
    }

    @Test
    void lastTransitionsAreKeptInOrderForPagesThatComeLater() {
        listen();
        for (int i = 0; i < 150; i++) {
            circuits.get(0).breaker().isolate();
            circuits.get(0).breaker().close();
        }
        Map<String, String> state = data(page().event());
        for (int i = 0; i < TransitionRecords.KEPT; i++) {
            assertThat(state)
                    .containsEntry("transitions." + i + ".number", String.valueOf(101 + i))
                    .containsEntry("transitions." + i + ".to", i % 2 == 0 ? "ISOLATED" : "CLOSED");
        }
        assertThat(state).doesNotContainKey("transitions." + TransitionRecords.KEPT + ".number");
    }

    @Test
    void goingDownIsTold() {
        Page page = page();
        page.events();
        draining.set(true);
        second();
        assertThat(data(page.event())).containsEntry("draining", "true");
    }

    @Test
    void pageThatIsBehindGetsNothingMoreAndThenTheWholeStateOnce() {
        listen();
        Page page = page();
        page.events();
        page.blocked = true;
        for (int i = 0; i < 5000; i++) {
            circuits.get(0).breaker().isolate();
            circuits.get(0).breaker().close();
        }
        long waiting = page.unsafe().outboundBuffer().totalPendingWriteBytes();
        assertThat(waiting).isLessThan(100_000);
        page.unblock();
        List<String> events = page.events();
        assertThat(events.subList(0, events.size() - 1)).allMatch(event -> event.contains("event: transition\n"));
        String last = events.get(events.size() - 1);
        assertThat(last).contains("event: state\n");
        assertThat(data(last)).containsEntry("transitions.199.number", "10000");
        second();
        assertThat(page.event()).contains("event: tick\n");
    }

    @Test
    void pageThatReadsNothingIsDropped() {
        listen();
        Page page = blockedPage();
        for (int i = 0; i <= EventStream.PATIENCE; i++) {
            assertThat(page.isOpen()).isTrue();
            second();
        }
        assertThat(page.isOpen()).isFalse();
        assertThat(feed.streams().isFull()).isFalse();
    }

    @Test
    void pageThatReadsSlowlyIsKept() {
        listen();
        Page page = blockedPage();
        for (int i = 0; i < 3 * EventStream.PATIENCE; i++) {
            if (i % (EventStream.PATIENCE / 2) == 0) {
                page.unsafe().outboundBuffer().remove();
            }
            second();
        }
        assertThat(page.isOpen()).isTrue();
    }

    private Page blockedPage() {
        Page page = page();
        page.events();
        page.blocked = true;
        for (int i = 0; i < 200; i++) {
            circuits.get(0).breaker().isolate();
            circuits.get(0).breaker().close();
        }
        assertThat(page.isWritable()).isFalse();
        return page;
    }

    @Test
    void streamsAreEndedAndTheirConnectionsClosed() {
        Page page = page();
        page.events();
        feed.streams().end();
        Object last = page.readOutbound();
        assertThat(last).isSameAs(LastHttpContent.EMPTY_LAST_CONTENT);
        assertThat(page.isOpen()).isFalse();
    }
}
