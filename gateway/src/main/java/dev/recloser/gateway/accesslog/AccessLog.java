package dev.recloser.gateway.accesslog;

import dev.recloser.gateway.config.AccessLogConfig;
import dev.recloser.gateway.proxy.AccessListener;
import dev.recloser.gateway.proxy.AccessRecord;
import dev.recloser.time.TimeSource;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes a line for each request. Event loops put what they have into a queue, and one thread formats and writes it. Neither waits
 * for the other: the thread looks into the queue from time to time, and when the queue is full because the disk does not keep up, what
 * comes then is dropped and counted. Thread-safe.
 */
public final class AccessLog implements AccessListener, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.recloser.gateway.accesslog");

    private static final byte NEWLINE = '\n';
    private static final int CAPACITY = 16_384;
    private static final int LINES_AT_A_TIME = 256;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final TimeSource TIME = TimeSource.system();

    private final Queue<AccessRecord> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final int capacity;
    private final LongAdder dropped = new LongAdder();
    private final String name;
    private final WritableByteChannel channel;
    private final Thread writer;
    private final AccessLines lines = new AccessLines();
    private boolean torn;
    private boolean dropSaid;
    private boolean failureSaid;
    private boolean faultSaid;
    private volatile boolean closing;

    AccessLog(String name, WritableByteChannel channel, int capacity) {
        this.name = name;
        this.channel = channel;
        this.capacity = capacity;
        this.writer = new Thread(this::run, "recloser-access-log");
        writer.setDaemon(true);
    }

    /**
     * Opens a log. Lines are added to the end of a file, wherever that is by then.
     *
     * @throws IOException when the file cannot be written
     */
    public static AccessLog open(AccessLogConfig config) throws IOException {
        Optional<Path> file = config.file();
        AccessLog log = file.isPresent()
                ? new AccessLog(file.get().toString(), append(file.get()), CAPACITY)
                : new AccessLog("stdout", new StandardOutput(), CAPACITY);
        return log.start();
    }

    /** The stream is the process's, and stays open. */
    private static final class StandardOutput implements WritableByteChannel {

        private final FileChannel stream = new FileOutputStream(FileDescriptor.out).getChannel();

        @Override
        public int write(ByteBuffer source) throws IOException {
            return stream.write(source);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static FileChannel append(Path file) throws IOException {
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IOException("cannot write the access log to " + file + ": " + e, e);
        }
    }

    AccessLog start() {
        writer.start();
        return this;
    }

    @Override
    public void ended(AccessRecord request) {
        if (queued.get() >= capacity) {
            dropped.increment();
        } else {
            queued.incrementAndGet();
            queue.add(request);
        }
    }

    /** How many lines could not be written. */
    public long dropped() {
        return dropped.sum();
    }

    private void run() {
        boolean last;
        do {
            last = closing; // asked first: what came before it was set is still written
            writeQueued();
            if (!last) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } while (!last);
    }

    private void writeQueued() {
        for (AccessRecord next = queue.poll(); next != null; next = queue.poll()) {
            writeBatch(next);
            sayDropped();
        }
    }

    private void writeBatch(AccessRecord first) {
        int count = 0;
        try {
            if (torn) {
                lines.endTornLine();
            }
            for (AccessRecord next = first; next != null; next = count < LINES_AT_A_TIME ? queue.poll() : null) {
                count++;
                queued.decrementAndGet();
                lines.add(next);
            }
            write(lines.take(), count);
        } catch (RuntimeException | Error e) { // these lines are lost; the thread goes on with the next
            lines.discard();
            dropped.add(count);
            sayFault(e);
        }
    }

    private void write(ByteBuffer batch, int count) {
        boolean joins = torn; // then the first newline ends a line that was dropped before
        try {
            while (batch.hasRemaining()) {
                channel.write(batch);
            }
            torn = false;
        } catch (IOException | RuntimeException | Error e) {
            int position = batch.position();
            if (position > 0) {
                torn = batch.get(position - 1) != NEWLINE;
            }
            dropped.add(count - Math.max(0, newlines(batch, position) - (joins ? 1 : 0)));
            if (!failureSaid) {
                failureSaid = true;
                LOG.log(
                        System.Logger.Level.ERROR,
                        "the access log cannot be written to {0}: {1}; lines are dropped until it can be again, which is not said once more",
                        name,
                        e);
            }
        }
    }

    private static int newlines(ByteBuffer batch, int end) {
        int newlines = 0;
        for (int i = 0; i < end; i++) {
            newlines += batch.get(i) == NEWLINE ? 1 : 0;
        }
        return newlines;
    }

    private void sayFault(Throwable fault) {
        if (!faultSaid) {
            faultSaid = true;
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a fault of the gateway's own: lines of the access log are lost, which is not said once more",
                    fault);
        }
    }

    private void sayDropped() {
        if (!dropSaid && !failureSaid && dropped.sum() > 0) {
            dropSaid = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the access log does not keep up, writing to {0}: lines are dropped, and counted in the metrics; this is not said once more",
                    name);
        }
    }

    /**
     * Writes all that has come, and ends; gives up after a while if nothing can be written. An interrupt of the thread shortens nothing: what is
     * not written now is lost. Idempotent.
     */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(writer);
        boolean interrupted = joinWriter();
        try (channel) {
            if (writer.isAlive() || queued.get() > 0) {
                LOG.log(System.Logger.Level.WARNING, "the access log takes no more: {0} lines are lost", queued.get());
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "the access log was not closed", e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the last line, and tells whether the thread was interrupted meanwhile. */
    private boolean joinWriter() {
        boolean interrupted = false;
        long start = TIME.nanoTime();
        for (long left = LONGEST_CLOSE_NANOS;
                left > 0 && writer.isAlive();
                left = start + LONGEST_CLOSE_NANOS - TIME.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(writer, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }
}
