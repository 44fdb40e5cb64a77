package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class after which Netty has found buffers that nobody released. */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {

    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation") // the method that has to be implemented is deprecated
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                    Class<T> resource, int samplingInterval, long maxActive) {
                return new Collecting<>(resource, samplingInterval);
            }
        });
    }

    private static final class Collecting<T> extends ResourceLeakDetector<T> {
        Collecting(Class<T> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            LEAKS.add(resourceType + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            LEAKS.add(resourceType);
        }

        @Override
        protected boolean needReport() {
            return true;
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // loading this class is what is wanted
    }

    @Override
    public void afterAll(ExtensionContext context) {
        for (int i = 0; i < 2; i++) {
            System.gc();
            ByteBufAllocator.DEFAULT.directBuffer(16).release(); // leaks are reported when the next buffer is tracked
        }
        assertThat(LEAKS).as("buffers that nobody released").isEmpty();
    }
}
