package dev.recloser.gateway.proxy;

import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.config.BalancingConfig;
import dev.recloser.gateway.config.ClientsConfig;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.DestinationConfig;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.gateway.config.LimitsConfig;
import dev.recloser.gateway.config.ListenerTls;
import dev.recloser.gateway.config.RetryConfig;
import dev.recloser.gateway.config.RouteConfig;
import dev.recloser.gateway.config.UpstreamConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A gateway in front of scripted services. */
final class TestGateway implements AutoCloseable {

    static final String ONLY = "service";
    static final Duration BREAK = Duration.ofMillis(400);

    private final Gateway gateway;

    private TestGateway(Gateway gateway) {
        this.gateway = gateway;
    }

    /** All requests go to one cluster. */
    static TestGateway before(ScriptedService... services) throws IOException {
        return of(new Settings().cluster(ONLY, services).route("/**", ONLY));
    }

    static TestGateway of(Settings settings) throws IOException {
        return new TestGateway(Gateway.start(settings.config()));
    }

    InetSocketAddress address() {
        return gateway.address();
    }

    Gateway gateway() {
        return gateway;
    }

    RawClient client() throws IOException {
        return new RawClient(address());
    }

    Received get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n");
    }

    /** One request on a connection of its own. */
    Received send(String request) throws IOException {
        return RawClient.exchange(address(), request);
    }

    Cluster cluster(String name) {
        return gateway.clusters().get(name);
    }

    Cluster cluster() {
        return cluster(ONLY);
    }

    CircuitState state() {
        return cluster().breaker().state();
    }

    long count(Ending ending) {
        return cluster().counters().count(ending);
    }

    /** Waits until as many requests have ended in this way. */
    boolean awaitCount(Ending ending, long count) throws InterruptedException {
        long end = System.nanoTime() + RawConnection.BOUND.toNanos();
        while (count(ending) < count && System.nanoTime() < end) {
            Thread.sleep(2);
        }
        return count(ending) == count;
    }

    /** Waits until this is so; fails if that takes too long. */
    static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + RawConnection.BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it did not come to pass");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        gateway.close();
    }

    /** What a gateway for a test is made of. */
    static final class Settings {
        private final Map<String, ClusterConfig> clusters = new LinkedHashMap<>();
        private final List<RouteConfig> routes = new ArrayList<>();
        private int listen;
        private Duration timeout = Duration.ofSeconds(5);
        private Duration idleTimeout = Duration.ofSeconds(5);
        private Duration connectTimeout = Duration.ofSeconds(1);
        private Duration breakDuration = BREAK;
        private @Nullable Duration totalTimeout;
        private LimitsConfig limits = LimitsConfig.NONE;
        private RetryConfig retry = RetryConfig.NONE;
        private BalancingConfig balancing = BalancingConfig.USUAL;
        private UpstreamConfig upstream = UpstreamConfig.USUAL;
        private boolean secure;
        private @Nullable ListenerTls tls;
        private ClientsConfig clients = ClientsConfig.USUAL;
        private int[] weights = {};

        Settings tls(ListenerTls listener) {
            tls = listener;
            return this;
        }

        /** What is spoken with the services of the next clusters. */
        Settings upstream(UpstreamConfig config) {
            upstream = config;
            return this;
        }

        /** Whether it is spoken by TLS. */
        Settings secure() {
            secure = true;
            return this;
        }

        Settings totalTimeout(long millis) {
            totalTimeout = Duration.ofMillis(millis);
            return this;
        }

        Settings limits(LimitsConfig newLimits) {
            limits = newLimits;
            return this;
        }

        Settings retry(RetryConfig newRetry) {
            retry = newRetry;
            return this;
        }

        Settings clients(ClientsConfig config) {
            clients = config;
            return this;
        }

        Settings balancing(BalancingConfig config) {
            balancing = config;
            return this;
        }

        /** Of the destinations of the next cluster. */
        Settings weights(int... ofDestinations) {
            weights = ofDestinations;
            return this;
        }

        Settings connectTimeout(Duration time) {
            connectTimeout = time;
            return this;
        }

        Settings breakDuration(Duration time) {
            breakDuration = time;
            return this;
        }

        Settings timeout(long millis) {
            timeout = Duration.ofMillis(millis);
            return this;
        }

        Settings idleTimeout(long millis) {
            idleTimeout = Duration.ofMillis(millis);
            return this;
        }

        Settings cluster(String name, ScriptedService... services) {
            return cluster(
                    name,
                    IntStream.range(0, services.length)
                            .map(i -> services[i].port())
                            .toArray());
        }

        Settings cluster(String name, int... ports) {
            List<DestinationConfig> destinations = IntStream.range(0, ports.length)
                    .mapToObj(i -> new DestinationConfig(
                            secure, new HostPort("127.0.0.1", ports[i]), i < weights.length ? weights[i] : 1))
                    .toList();
            CircuitBreakerOptions<Object> breaker = new CircuitBreakerBuilder<>()
                    .failureRatio(0.5)
                    .minimumThroughput(5)
                    .samplingDuration(Duration.ofSeconds(10))
                    .breakDuration(breakDuration)
                    .build();
            clusters.put(
                    name,
                    new ClusterConfig(
                            name,
                            destinations,
                            connectTimeout,
                            timeout,
                            idleTimeout,
                            Optional.ofNullable(totalTimeout),
                            limits,
                            retry,
                            breaker,
                            balancing,
                            upstream));
            return this;
        }

        Settings route(String path, String cluster) {
            return route(new RouteConfig(Optional.of(path), Optional.empty(), Set.of(), Map.of(), cluster));
        }

        Settings route(RouteConfig route) {
            routes.add(route);
            return this;
        }

        /** The same with destinations at this host. */
        Settings byName(String host) {
            clusters.replaceAll((name, old) -> new ClusterConfig(
                    name,
                    old.destinations().stream()
                            .map(at -> new DestinationConfig(
                                    new HostPort(host, at.address().port())))
                            .toList(),
                    old.connectTimeout(),
                    old.timeout(),
                    old.idleTimeout(),
                    old.totalTimeout(),
                    old.limits(),
                    old.retry(),
                    old.circuitBreaker(),
                    old.balancing(),
                    old.upstream()));
            return this;
        }

        Settings listen(int port) {
            listen = port;
            return this;
        }

        GatewayConfig config() {
            return new GatewayConfig(
                    new HostPort("127.0.0.1", listen),
                    Optional.ofNullable(tls),
                    Optional.empty(),
                    Optional.empty(),
                    clients,
                    routes,
                    clusters);
        }
    }
}
