package dev.recloser.examples.http;

import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A service over HTTP/1.1 whose faults can be switched on and off. One thread has all of its connections, and any number of answers
 * can wait for their time. Its port stays its own also while it is down. Thread-safe.
 */
final class FaultyService implements AutoCloseable {

    static final Duration LATENCY = Duration.ofMillis(30);
    static final Duration SLOW_LATENCY = Duration.ofMillis(1500);
    static final int UNAVAILABLE_EVERY = 5;

    private static final int BACKLOG = 1024;

    private final TimeSource time = TimeSource.system();
    private final Selector selector;
    private final InetSocketAddress address;
    private final PriorityQueue<FaultyConnection> waiting =
            new PriorityQueue<>((one, other) -> Long.signum(one.due() - other.due()));
    private final AtomicLong reached = new AtomicLong();
    private final Thread thread = new Thread(this::serve, "faulty service");
    private volatile Fault fault = Fault.NONE;
    private volatile boolean closed;
    private @Nullable ServerSocketChannel listener;
    private @Nullable Socket placeholder;

    private FaultyService() throws IOException {
        selector = Selector.open();
        listener = listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        address = (InetSocketAddress) listener.getLocalAddress();
        thread.setDaemon(true);
    }

    static FaultyService start() throws IOException {
        FaultyService service = new FaultyService();
        service.thread.start();
        return service;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + address.getPort() + "/");
    }

    /** How many requests have come so far. */
    long reached() {
        return reached.get();
    }

    /** From now on this is wrong with it. */
    void fault(Fault now) {
        fault = now;
        selector.wakeup();
    }

    private void serve() {
        try {
            while (!closed) {
                if (fault == Fault.DOWN) {
                    goDown();
                } else {
                    comeUp();
                }
                selector.select(this::ready, untilDue());
                answerWhatIsDue();
            }
            goDown();
        } catch (IOException e) {
            throw new UncheckedIOException("the service has failed", e);
        }
    }

    private void goDown() throws IOException {
        ServerSocketChannel open = listener;
        if (open == null) {
            return;
        }
        listener = null;
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof FaultyConnection connection) {
                connection.reset();
            }
        }
        waiting.clear();
        open.close();
        selector.selectNow();
        if (!closed) {
            placeholder = bound(address);
        }
    }

    private void comeUp() throws IOException {
        if (listener == null) {
            Socket bound = placeholder;
            if (bound != null) {
                bound.close();
            }
            listener = listen(address);
        }
    }

    /** Has the port, but does not listen, so whoever connects is refused. */
    private static Socket bound(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.setReuseAddress(true);
        socket.bind(address);
        return socket;
    }

    private ServerSocketChannel listen(InetSocketAddress where) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.bind(where, BACKLOG);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_ACCEPT);
        return channel;
    }

    private void ready(SelectionKey key) {
        try {
            if (key.channel() instanceof ServerSocketChannel server) {
                FaultyConnection.accept(server, selector);
            } else if (key.attachment() instanceof FaultyConnection connection) {
                read(connection);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(FaultyConnection connection) {
        if (connection.isClosedOrIncomplete()) {
            if (!connection.isOpen()) {
                waiting.remove(connection);
            }
            return;
        }
        long number = reached.incrementAndGet();
        boolean unavailable = fault == Fault.SOME_UNAVAILABLE && number % UNAVAILABLE_EVERY == 0;
        Duration latency = fault == Fault.SLOW ? SLOW_LATENCY : LATENCY;
        connection.answerAt(time.nanoTime() + latency.toNanos(), unavailable);
        waiting.add(connection);
    }

    private void answerWhatIsDue() {
        long now = time.nanoTime();
        for (FaultyConnection next = waiting.peek(); next != null && next.due() - now <= 0; next = waiting.peek()) {
            waiting.poll();
            next.answer();
        }
    }

    /** In milliseconds, rounded up; zero, which is for ever, if nothing waits. */
    private long untilDue() {
        FaultyConnection next = waiting.peek();
        return next == null ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(next.due() - time.nanoTime() + 999_999));
    }

    /** Ends it; returns when it has ended. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
