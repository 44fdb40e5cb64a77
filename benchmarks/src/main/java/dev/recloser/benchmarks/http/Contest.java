package dev.recloser.benchmarks.http;

import com.sun.management.OperatingSystemMXBean;
import dev.recloser.http.RecloserHttpClient;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.util.Locale;

/**
 * One JVM of the comparison: the bare client and Recloser's, in turn, for a fraction of a second each. Which of them begins changes
 * from pair to pair, so that neither gains from what the machine does meanwhile.
 */
final class Contest {

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final HttpClient bare =
            HttpClient.newBuilder().version(Version.HTTP_1_1).build();
    private final HttpClient recloser =
            RecloserHttpClient.newBuilder("benchmark").version(Version.HTTP_1_1).build();
    private final HttpRequest request;
    private final long sliceNanos;

    private Contest(int port, long sliceNanos) {
        this.request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .build();
        this.sliceNanos = sliceNanos;
    }

    /**
     * Prints a line for each load and pair: nanoseconds per request of the bare client, the same of Recloser's, and then, for both,
     * the requests of the slice and the nanoseconds of CPU time that all of this JVM needed meanwhile.
     *
     * @param args the port, the length of a slice in milliseconds, how many requests warm each client up, and how many pairs are measured
     */
    public static void main(String[] args) throws Exception {
        Contest contest = new Contest(Integer.parseInt(args[0]), Long.parseLong(args[1]) * 1_000_000);
        contest.warmUp(Integer.parseInt(args[2]));
        contest.measure(Integer.parseInt(args[3]));
        System.exit(0);
    }

    /** By requests rather than by time: until the compiler has done its work, what is new costs more than it will. */
    private void warmUp(int requests) throws Exception {
        long sent = 0;
        while (sent < requests) {
            for (Load load : Load.values()) {
                slice(load, bare);
                sent += slice(load, recloser).requests();
            }
        }
    }

    private void measure(int pairs) throws Exception {
        for (int pair = 0; pair < pairs; pair++) {
            for (Load load : Load.values()) {
                measure(load, pair % 2 == 0);
            }
        }
    }

    private void measure(Load load, boolean bareFirst) throws Exception {
        Slice first = slice(load, bareFirst ? bare : recloser);
        Slice second = slice(load, bareFirst ? recloser : bare);
        Slice ofBare = bareFirst ? first : second;
        Slice ofRecloser = bareFirst ? second : first;
        System.out.println(String.format(
                Locale.ROOT,
                "%s %.1f %.1f %d %d %d %d",
                load.name(),
                ofBare.nanosPerRequest(),
                ofRecloser.nanosPerRequest(),
                ofBare.requests(),
                ofBare.cpuNanos(),
                ofRecloser.requests(),
                ofRecloser.cpuNanos()));
    }

    private record Slice(long nanos, long cpuNanos, long requests) {

        /** With all that run beside each other. */
        double nanosPerRequest() {
            return (double) nanos / requests;
        }
    }

    private Slice slice(Load load, HttpClient client) throws Exception {
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        long sent = load.send(client, request, start + sliceNanos);
        return new Slice(System.nanoTime() - start, system.getProcessCpuTime() - cpu, sent);
    }
}
