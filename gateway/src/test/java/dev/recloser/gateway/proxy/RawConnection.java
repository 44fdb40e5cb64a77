package dev.recloser.gateway.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** One end of a connection, byte by byte. Nothing waits longer than a bound. */
class RawConnection implements AutoCloseable {

    static final Duration BOUND = Duration.ofSeconds(8);

    final Socket socket;
    private final InputStream in;

    RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) BOUND.toMillis());
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    RawConnection send(String text) throws IOException {
        return send(text.getBytes(ISO_8859_1));
    }

    RawConnection send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Reads a head up to and with its empty line; null if the connection ends before its first byte. */
    String readHead() throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.substring(Math.max(0, head.length() - 4)).equals("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                if (head.length() == 0) {
                    return null;
                }
                throw new EOFException("cut in a head: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    void skipBytes(long count) throws IOException {
        in.skipNBytes(count);
    }

    String readBytes(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("cut after " + bytes.length + " of " + count + " bytes");
        }
        return new String(bytes, ISO_8859_1);
    }

    String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("cut in a line: " + line);
            }
            line.append((char) next);
        }
        if (line.length() == 0 || line.charAt(line.length() - 1) != '\r') {
            throw new IOException("a line that ends without CR: " + line);
        }
        return line.substring(0, line.length() - 1);
    }

    /** One chunk; empty for the last one, whose trailers are read too. */
    String readChunk() throws IOException {
        int size = Integer.parseInt(readLine(), 16);
        if (size > 0) {
            String data = readBytes(size);
            readLine();
            return data;
        }
        while (!readLine().isEmpty()) {
            // a trailer
        }
        return "";
    }

    /** The body that belongs to this head. */
    String readBody(Received head, boolean closeDelimited) throws IOException {
        if (head.has("Transfer-Encoding")) {
            StringBuilder body = new StringBuilder();
            for (String chunk = readChunk(); !chunk.isEmpty(); chunk = readChunk()) {
                body.append(chunk);
            }
            return body.toString();
        }
        if (head.has("Content-Length")) {
            return readBytes(Integer.parseInt(head.header("Content-Length")));
        }
        return closeDelimited ? readToEnd() : "";
    }

    /** Reads up to the end, clean or not, and counts while it does. */
    void countToEnd(AtomicLong count) {
        byte[] bytes = new byte[64 * 1024];
        try {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                count.addAndGet(read);
            }
        } catch (IOException e) {
            // an end, too
        }
    }

    /** Everything up to a clean end. */
    String readToEnd() throws IOException {
        return new String(in.readAllBytes(), ISO_8859_1);
    }

    /** Waits for the other side to close or break the connection; what still comes is dropped. */
    boolean isClosedWithin(Duration bound) throws IOException {
        long end = System.nanoTime() + bound.toNanos();
        try {
            while (true) {
                long rest = (end - System.nanoTime()) / 1_000_000;
                socket.setSoTimeout((int) Math.max(1, rest));
                if (in.read() < 0) {
                    return true;
                }
            }
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        } finally {
            socket.setSoTimeout((int) BOUND.toMillis());
        }
    }

    boolean isClosed() throws IOException {
        return isClosedWithin(BOUND);
    }

    /** Closes so that the other side sees an error. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
