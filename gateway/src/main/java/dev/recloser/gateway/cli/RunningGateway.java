package dev.recloser.gateway.cli;

import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.admin.AdminServer;
import dev.recloser.gateway.config.Durations;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A gateway with its admin server and its log of transitions, from start to end. */
final class RunningGateway implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.recloser.gateway");

    private final GatewayConfig config;
    private final Gateway gateway;
    private final Optional<AdminServer> admin;

    private RunningGateway(GatewayConfig config, Gateway gateway, Optional<AdminServer> admin) {
        this.config = config;
        this.gateway = gateway;
        this.admin = admin;
    }

    /**
     * Starts both.
     *
     * @throws IOException when either cannot listen where it should; then neither runs
     */
    static RunningGateway start(GatewayConfig config) throws IOException {
        Gateway gateway = Gateway.start(config);
        var unused = gateway.forEachCluster(cluster -> cluster.breaker().addListener(new TransitionLog()));
        try {
            Optional<AdminServer> admin = config.admin().isPresent()
                    ? Optional.of(AdminServer.start(config.admin().get(), gateway))
                    : Optional.empty();
            return new RunningGateway(config, gateway, admin);
        } catch (IOException e) {
            gateway.close();
            throw e;
        }
    }

    /** The gateway itself. */
    Gateway gateway() {
        return gateway;
    }

    /** Where clients connect. */
    String url() {
        return (config.tls().isPresent() ? "https://" : "http://") + hostPort(config.listen(), gateway.address());
    }

    /** Where operators connect, if anywhere. */
    Optional<String> adminUrl() {
        return admin.flatMap(server ->
                config.admin().map(asked -> "http://" + hostPort(asked.listen(), server.address())));
    }

    /** The host as configured, with the port that is really used. */
    private static HostPort hostPort(HostPort asked, InetSocketAddress bound) {
        return new HostPort(asked.host(), bound.getPort());
    }

    /**
     * Goes down gently: the admin server says that the gateway is not ready, and after a while requests under way may end.
     *
     * @param delay how long it goes on as before, so that those who send it requests can see that it is not ready
     * @param bound how long requests may go on after that
     */
    void drain(Duration delay, Duration bound) {
        try {
            if (!delay.isZero()) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "not ready any more: serving on for {0}, so that load balancers send nothing new",
                        Durations.write(delay));
                gateway.withdraw();
                TimeUnit.NANOSECONDS.sleep(TimeUnit.NANOSECONDS.convert(delay)); // unlike toNanos, never overflows
            }
            drain(bound);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void drain(Duration bound) throws InterruptedException {
        LOG.log(
                System.Logger.Level.INFO,
                "going down: no new connections, and at most {0} for what is under way",
                Durations.write(bound));
        boolean done = gateway.drain(bound);
        LOG.log(
                done ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                done ? "all done" : "the time is over; what is still under way is cut off");
    }

    @Override
    public void close() {
        gateway.close();
        admin.ifPresent(AdminServer::close);
    }
}
