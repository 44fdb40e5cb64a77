package dev.recloser.gateway.demo;

import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.admin.AdminServer;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.Durations;
import dev.recloser.gateway.config.GatewayConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** The demo: its services, its gateway, and what is told about them. */
public final class Demo implements AutoCloseable {

    private static final String CONFIG = """
            listen: 127.0.0.1:%d
            admin: 127.0.0.1:%d
            routes:
              - { match: { path: /accounts/** }, cluster: account-service }
              - { match: { path: /transfers/** }, cluster: transfer-service }
            clusters:
              account-service:
                destinations: [ "http://127.0.0.1:%d" ]
                timeout: 2s
                circuit-breaker: { break-duration: %s }
              transfer-service:
                destinations: [ "http://127.0.0.1:%d" ]
                timeout: 2s
                circuit-breaker: { break-duration: %4$s }
            """;

    private static final String PICTURE = """
            Recloser demo: two services, a gateway in front of them, and an incident.

              caller --> gateway --+--> account-service   :%d
                         :%-5d    +--> transfer-service  :%d

            Each service has a circuit of its own in the gateway. It opens when half of at
            least 5 calls within 10 s have failed. Then calls are rejected for %s, and the
            next one after that is let through as a probe: it decides what comes next.

            The dashboard shows it as it happens: %s/
            """;

    private static final String INVITATION = """

            The demo goes on until Ctrl-C, and circuits report here what they do. Try:

              see the incident on the dashboard, in a browser
                %3$s/

              call a service through the gateway
                curl -i %1$s/accounts/1

              break a service: mode=error, mode=slow; and mode=none to heal it
                curl -X POST '%2$s/fault?mode=error'

              call it until its circuit opens, and on
                while sleep 0.2; do curl -s %1$s/accounts/1; done

              look at the circuits; isolate one by hand, and close it again
                curl %3$s/circuits
                curl -X POST %3$s/circuits/account-service/isolate
                curl -X POST %3$s/circuits/account-service/close

            """;

    private final DemoOptions options;
    private final Story story;
    private final DemoService accounts;
    private final DemoService transfers;
    private final Gateway gateway;
    private final AdminServer admin;

    private Demo(
            DemoOptions options,
            Story story,
            DemoService accounts,
            DemoService transfers,
            Gateway gateway,
            AdminServer admin) {
        this.options = options;
        this.story = story;
        this.accounts = accounts;
        this.transfers = transfers;
        this.gateway = gateway;
        this.admin = admin;
    }

    /**
     * Starts everything. A port that is taken is replaced by one that is free, and that is told.
     *
     * @throws IOException when something cannot be started
     */
    public static Demo start(DemoOptions options, PrintWriter out) throws IOException {
        Story story = new Story(out, options.colours());
        try (Opened opened = new Opened()) {
            DemoService accounts = opened.add(DemoService.start("account-service", options.accountPort()));
            DemoService transfers = opened.add(DemoService.start("transfer-service", options.transferPort()));
            GatewayConfig config = config(options, accounts.port(), transfers.port());
            Gateway gateway = opened.add(Gateway.start(config));
            AdminServer admin = opened.add(AdminServer.start(config.admin().orElseThrow(), gateway));
            opened.keep();
            Demo demo = new Demo(options, story, accounts, transfers, gateway, admin);
            demo.introduce();
            return demo;
        }
    }

    /** The configuration, which is YAML like everybody else's. */
    private static GatewayConfig config(DemoOptions options, int accountPort, int transferPort) {
        String yaml = CONFIG.formatted(
                Ports.freeOr(options.port()),
                Ports.freeOr(options.adminPort()),
                accountPort,
                Durations.write(options.breakDuration()),
                transferPort);
        return ConfigReader.parse("demo", yaml).config().orElseThrow();
    }

    private void introduce() {
        story.say(PICTURE.formatted(
                accounts.port(),
                gateway.address().getPort(),
                transfers.port(),
                Durations.write(options.breakDuration()),
                url(admin.address())));
        tellIfMoved("the gateway", options.port(), gateway.address().getPort());
        tellIfMoved("the admin server", options.adminPort(), admin.address().getPort());
        tellIfMoved(accounts.name(), options.accountPort(), accounts.port());
        tellIfMoved(transfers.name(), options.transferPort(), transfers.port());
    }

    private void tellIfMoved(String who, int asked, int used) {
        if (asked != 0 && asked != used) {
            story.say("Port " + asked + " is taken; " + who + " is at " + used + " instead.");
        }
    }

    /**
     * Plays the incident.
     *
     * @return whether everything went as it should
     * @throws IOException when a call got no answer at all
     */
    public boolean playIncident() throws IOException, InterruptedException {
        CircuitBreaker breaker = breaker(accounts);
        BlockingQueue<CircuitTransition> untold = new LinkedBlockingQueue<>();
        Registration listening = breaker.addListener(listener(untold::add));
        try {
            Caller caller = new Caller(url(gateway.address()));
            for (DemoService service : List.of(accounts, transfers)) {
                caller.warmUp(service.url());
            }
            Incident incident = new Incident(accounts, transfers, breaker, untold, caller, story, options);
            return conclude(incident.play());
        } finally {
            listening.remove();
        }
    }

    private boolean conclude(Expectations expectations) {
        List<String> unmet = expectations.unmet();
        if (unmet.isEmpty()) {
            story.say("\nThat was the incident, and all " + expectations.checked() + " checks of it hold.");
        } else {
            story.say("\nNot everything was as it should be:");
            unmet.forEach(what -> story.say("  - " + what));
        }
        return unmet.isEmpty();
    }

    /** Says what one can try, and from now on tells what the circuits do. */
    public void invite() {
        story.say(INVITATION.formatted(url(gateway.address()), accounts.url(), url(admin.address())));
        for (DemoService service : List.of(accounts, transfers)) {
            breaker(service).addListener(listener(story::transition));
            service.onSwitched(() -> story.note(service.name() + " now " + service.fault().effect));
        }
    }

    private CircuitBreaker breaker(DemoService service) {
        return Objects.requireNonNull(gateway.clusters().get(service.name()), service.name())
                .breaker();
    }

    private static CircuitListener listener(Consumer<CircuitTransition> told) {
        return new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                told.accept(transition);
            }
        };
    }

    private static String url(InetSocketAddress address) {
        return "http://127.0.0.1:" + address.getPort();
    }

    @Override
    public void close() {
        admin.close();
        gateway.close();
        accounts.close();
        transfers.close();
    }
}
