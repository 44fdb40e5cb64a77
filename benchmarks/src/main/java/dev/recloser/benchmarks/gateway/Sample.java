package dev.recloser.benchmarks.gateway;

import java.io.IOException;
import java.time.Duration;

/**
 * What a proxy did under a load.
 *
 * @param cpuMicros what its processes needed for one request
 * @param residentBytes the memory that they held at the end
 */
record Sample(Answered answered, double cpuMicros, long residentBytes) {

    static Sample of(Server proxy, Load load, Duration duration) throws IOException, InterruptedException {
        Duration before = proxy.cpuTime();
        Answered answered = load.send(proxy.port(), duration);
        Duration used = proxy.cpuTime().minus(before);
        return new Sample(answered, used.toNanos() / 1e3 / answered.requests(), proxy.residentBytes());
    }
}
