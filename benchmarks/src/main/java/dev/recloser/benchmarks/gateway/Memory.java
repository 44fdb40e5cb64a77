package dev.recloser.benchmarks.gateway;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * The memory of a server that is one process.
 *
 * @param resident bytes that it holds
 * @param peak the most that it has held so far
 */
record Memory(long resident, long peak) {

    private static final int EVERY_MILLIS = 100;

    static Memory of(Server server) throws IOException {
        return new Memory(ProcFile.residentBytes(server.pid()), ProcFile.peakResidentBytes(server.pid()));
    }

    /** At the end of a load, but within it. */
    static Memory under(Load load, Server server, Duration duration) throws IOException, InterruptedException {
        FutureTask<Answered> task = new FutureTask<>(() -> load.send(server.port(), duration));
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        Memory last = of(server);
        while (!task.isDone()) {
            last = of(server);
            TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
        }
        try {
            task.get();
        } catch (ExecutionException e) {
            throw new IOException("the load on " + server + " failed", e.getCause());
        }
        return last;
    }
}
