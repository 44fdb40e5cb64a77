package dev.recloser.gateway.demo;

import java.time.Duration;

/**
 * How the demo is played. A port of 0 is any that is free.
 *
 * @param port the port of the gateway
 * @param adminPort the port of the admin server
 * @param accountPort the port of the service that gets into trouble
 * @param transferPort the port of the service that does not
 * @param breakDuration how long an open circuit rejects
 * @param pace the time between two calls
 * @param colours whether the terminal shows colours
 */
public record DemoOptions(
        int port,
        int adminPort,
        int accountPort,
        int transferPort,
        Duration breakDuration,
        Duration pace,
        boolean colours) {

    /** Ports that are easy to type, at a pace at which one can read. */
    public static DemoOptions defaults() {
        return new DemoOptions(8080, 9090, 9101, 9201, Duration.ofSeconds(3), Duration.ofMillis(200), false);
    }

    /** The same with other ports for the gateway and its admin server. */
    public DemoOptions withPorts(int gateway, int admin) {
        return new DemoOptions(gateway, admin, accountPort, transferPort, breakDuration, pace, colours);
    }

    /** The same with or without colours. */
    public DemoOptions withColours(boolean shown) {
        return new DemoOptions(port, adminPort, accountPort, transferPort, breakDuration, pace, shown);
    }
}
