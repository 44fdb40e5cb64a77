package dev.recloser.http;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;

/**
 * A body publisher of which its owner says that it gives the same body each time it is subscribed to, so that the request can be sent
 * again. The JDK's own {@code noBody}, {@code ofString}, {@code ofByteArray}, {@code ofByteArrays} and {@code ofFile} are known to do so; of
 * any other publisher it must be said.
 *
 * <pre>{@code
 * HttpRequest.newBuilder(uri)
 *         .PUT(ReplayableBody.of(BodyPublishers.ofInputStream(() -> open(document))))
 * }</pre>
 *
 * <p>As thread-safe as the publisher in it.
 */
public final class ReplayableBody implements BodyPublisher {

    private final BodyPublisher publisher;

    private ReplayableBody(BodyPublisher publisher) {
        this.publisher = publisher;
    }

    /**
     * Says that a publisher gives the same body each time.
     *
     * @param publisher may be subscribed to more than once, also while an earlier subscription has not ended
     */
    public static ReplayableBody of(BodyPublisher publisher) {
        return new ReplayableBody(Objects.requireNonNull(publisher, "publisher"));
    }

    @Override
    public long contentLength() {
        return publisher.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        publisher.subscribe(subscriber);
    }
}
