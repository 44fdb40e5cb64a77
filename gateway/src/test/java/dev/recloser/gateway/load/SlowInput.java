package dev.recloser.gateway.load;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/** What is read slowly, in pieces, up to where others are waited for. */
final class SlowInput extends BufferedInputStream {

    SlowInput(InputStream in, int half, long pauseMillis, CountDownLatch others) {
        super(new Pieces(in, half, pauseMillis, others));
    }

    private static final class Pieces extends FilterInputStream {
        private final int half;
        private final long pauseMillis;
        private final CountDownLatch others;
        private int count;
        private boolean waited;

        Pieces(InputStream in, int half, long pauseMillis, CountDownLatch others) {
            super(in);
            this.half = half;
            this.pauseMillis = pauseMillis;
            this.others = others;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                Thread.sleep(pauseMillis);
                if (count >= half && !waited) {
                    waited = true;
                    others.countDown();
                    others.await();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            int read = super.read(bytes, offset, Math.min(length, Math.max(1, half / 4)));
            count += Math.max(0, read);
            return read;
        }
    }
}
