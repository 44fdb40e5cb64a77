package dev.recloser.gateway.demo;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What has been started so far: closed again, last first, unless all of it could be and is kept. */
final class Opened implements AutoCloseable {

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T next) {
        opened.push(next);
        return next;
    }

    void keep() {
        opened.clear();
    }

    @Override
    public void close() throws IOException {
        for (AutoCloseable one : opened) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IOException("cannot be stopped: " + e.getMessage(), e);
            }
        }
    }
}
