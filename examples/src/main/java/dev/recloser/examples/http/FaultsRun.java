package dev.recloser.examples.http;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.examples.http.Timeline.Change;
import dev.recloser.http.RecloserHttpClient;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** One run: a service with faults, Recloser's client before it, and callers that do not wait for each other. */
public final class FaultsRun {

    /** How many calls may run at the same time. */
    public static final int LIMIT = 40;

    /** How long an attempt may take. */
    public static final Duration ATTEMPT_TIMEOUT = Duration.ofMillis(400);

    /** How far back the circuit breaker looks. */
    public static final Duration SAMPLING = Duration.ofSeconds(1);

    /** How long an open circuit rejects before a probe. */
    public static final Duration BREAK = Duration.ofSeconds(1);

    /** For how long after closing only a growing share of the calls is let in. */
    public static final Duration RAMP_UP = Duration.ofSeconds(2);

    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final int WARM_UP_CALLS_PER_SECOND = 200;

    private final TimeSource time = TimeSource.system();
    private final List<Phase> phases;
    private final BiConsumer<Phase, Sample> progress;
    private final FaultyService service;
    private final MeteredTransport transport;
    private final RecloserHttpClient client;
    private final HttpRequest request;
    private final CircuitBreaker breaker;
    private final List<Sample> samples = new ArrayList<>();
    private final List<CircuitTransition> transitions = new CopyOnWriteArrayList<>();
    private Sample sums = Totals.NONE;

    private FaultsRun(List<Phase> phases, BiConsumer<Phase, Sample> progress, FaultyService service) {
        this.phases = phases;
        this.progress = progress;
        this.service = service;
        this.transport = new MeteredTransport(
                HttpClient.newBuilder().version(Version.HTTP_1_1).build());
        this.client = client(transport);
        this.request = HttpRequest.newBuilder(service.uri()).build();
        this.breaker = client.pipeline(request).strategy(CircuitBreaker.class).orElseThrow();
    }

    private static RecloserHttpClient client(HttpClient transport) {
        return RecloserHttpClient.newBuilder("service")
                .around(transport)
                .pipeline(standard -> standard.totalTimeout(Duration.ofSeconds(2))
                        .concurrencyLimiter(LIMIT)
                        .retry(r -> r.maxRetries(2).exponentialBackoff(Duration.ofMillis(100)))
                        .circuitBreaker(cb -> cb.failureRatio(0.5)
                                .minimumThroughput(20)
                                .samplingDuration(SAMPLING)
                                .breakDuration(BREAK)
                                .rampUp(RAMP_UP))
                        .attemptTimeout(ATTEMPT_TIMEOUT))
                .build();
    }

    /**
     * Plays the phases, in real time.
     *
     * @param phases each as long as whole samples
     * @param progress is told each sample
     * @throws IOException when the service cannot be started
     */
    public static Timeline of(List<Phase> phases, BiConsumer<Phase, Sample> progress)
            throws IOException, InterruptedException {
        try (FaultyService service = FaultyService.start()) {
            FaultsRun run = new FaultsRun(phases, progress, service);
            try {
                return run.play();
            } finally {
                run.client.close();
            }
        }
    }

    private Timeline play() throws InterruptedException {
        Instant start;
        try (Traffic traffic = new Traffic(client, request)) {
            warmUp(traffic);
            breaker.addListener(new CircuitListener() {
                @Override
                public void transitioned(CircuitTransition transition) {
                    transitions.add(transition);
                }
            });
            sums = Totals.of(traffic, transport, service);
            start = time.instant();
            long end = time.nanoTime();
            for (Phase phase : phases) {
                service.fault(phase.fault());
                for (Duration left = phase.length(); !left.isZero(); left = left.minus(Sample.LENGTH)) {
                    end += Sample.LENGTH.toNanos();
                    traffic.until(end, phase.callsPerSecond());
                    take(Totals.of(traffic, transport, service), phase);
                }
            }
        }
        return new Timeline(phases, samples, changesSince(start), transport.mostInFlight());
    }

    /** Loads classes, has code compiled and opens connections, which may take so long that the circuit opens. */
    private void warmUp(Traffic traffic) throws InterruptedException {
        traffic.until(time.nanoTime() + WARM_UP.toNanos(), WARM_UP_CALLS_PER_SECOND);
        breaker.reset();
    }

    private void take(Sample now, Phase phase) {
        Sample sample = Totals.difference(
                now, sums, samples.size() * Sample.LENGTH.toMillis(), transport.mostLately(), breaker.state());
        sums = now;
        samples.add(sample);
        progress.accept(phase, sample);
    }

    private List<Change> changesSince(Instant start) {
        return transitions.stream()
                .map(transition ->
                        new Change(Duration.between(start, transition.at()).toMillis(), transition.to()))
                .toList();
    }
}
