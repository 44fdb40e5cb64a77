package dev.recloser.gateway.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service behind the gateway: an HTTP server that answers every request, counts them, and has a switch for faults at
 * {@code /fault}, so that one can play with it.
 */
final class DemoService implements AutoCloseable {

    /** The path of the switch. */
    static final String SWITCH = "/fault";

    private static final Duration SLOW = Duration.ofSeconds(5);
    private static final String MODE = "mode=";

    static {
        // Without it the JDK's server holds back the body of an answer until the client has confirmed the head.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final String name;
    private final HttpServer server;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Fault fault = Fault.NONE;
    private volatile Runnable switched = () -> {};

    private DemoService(String name, HttpServer server) {
        this.name = name;
        this.server = server;
    }

    /** Starts a service at the port or, if that is taken, at another one. */
    static DemoService start(String name, int port) throws IOException {
        DemoService service = new DemoService(name, listen(port));
        service.server.createContext(SWITCH, service::turnSwitch);
        service.server.createContext("/", service::serve);
        service.server.setExecutor(TimeSource.system().executor());
        service.server.start();
        return service;
    }

    private static HttpServer listen(int port) throws IOException {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (BindException e) {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        }
    }

    String name() {
        return name;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** How many requests have reached it, those to its switch not counted. */
    int calls() {
        return calls.get();
    }

    Fault fault() {
        return fault;
    }

    void fault(Fault next) {
        fault = next;
    }

    /** Whom to tell when the switch was turned from outside. */
    void onSwitched(Runnable listener) {
        switched = listener;
    }

    private void serve(HttpExchange exchange) throws IOException {
        int call = calls.incrementAndGet();
        Fault current = fault;
        if (current == Fault.SLOW) {
            pause();
        }
        boolean fails = current == Fault.ERROR;
        String request =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        answer(exchange, fails ? 500 : 200, name + ": call " + call + ", " + request + (fails ? " failed" : ""));
    }

    private static void pause() throws IOException {
        try {
            TimeSource.system().sleep(SLOW.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the service is going down");
        }
    }

    private void turnSwitch(HttpExchange exchange) throws IOException {
        Optional<Fault> asked = Optional.ofNullable(exchange.getRequestURI().getQuery())
                .filter(query -> query.startsWith(MODE))
                .flatMap(query -> Fault.of(query.substring(MODE.length())));
        if (!exchange.getRequestMethod().equals("POST")) {
            answer(exchange, 200, name + " " + fault.effect + " (fault " + fault.mode() + ")");
        } else if (asked.isEmpty()) {
            answer(exchange, 400, "give " + SWITCH + "?mode=none, error or slow");
        } else {
            fault = asked.get();
            answer(exchange, 200, name + " now " + fault.effect);
            switched.run();
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
