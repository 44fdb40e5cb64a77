package dev.recloser.http;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.spi.Bindings;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a client: at most so many. When another one is needed, the idle one leaves that was used least recently; one whose
 * circuit is not closed stays as long as there is another. When all are busy, what has no partition shares one that is always there.
 *
 * <p>To find a partition takes no lock. Pipelines are made outside of the lock, since that may run functions of the user's; of two threads that
 * make the same one, one loses it again.
 */
final class Partitions {

    /** The key of the one that is always there. */
    static final String SHARED = "*";

    private final int most;
    private final Function<HttpRequest, @Nullable String> keyFunction;
    private final Function<String, Pipeline<HttpResponse<?>>> maker;
    private final Function<Pipeline<HttpResponse<?>>, Registration> listening;
    private final ConcurrentHashMap<String, Partition> partitions = new ConcurrentHashMap<>();

    /** Where partitions come and go. */
    private final Object lock = new Object();

    private volatile @Nullable Partition shared;
    private final Bindings<Pipeline<?>> bindings =
            new Bindings<>(() -> pipelines().values());

    /**
     * No partitions yet.
     *
     * @param most how many there may be
     * @param keyFunction the key of a request; null or empty for its authority
     * @param maker makes the pipeline of a key, or of {@link #SHARED}
     * @param listening adds to a pipeline who is to listen to it
     */
    Partitions(
            int most,
            Function<HttpRequest, @Nullable String> keyFunction,
            Function<String, Pipeline<HttpResponse<?>>> maker,
            Function<Pipeline<HttpResponse<?>>, Registration> listening) {
        this.most = most;
        this.keyFunction = keyFunction;
        this.maker = maker;
        this.listening = listening;
    }

    /** The partition of a request, which the caller has {@linkplain Partition#enter entered} and must leave. */
    Partition enter(HttpRequest request) {
        String key = keyOf(request);
        Partition known = partitions.get(key);
        return known != null && known.enter() ? known : enterNew(key);
    }

    private String keyOf(HttpRequest request) {
        String key = keyFunction.apply(request);
        return key == null || key.isEmpty() ? authority(request) : key;
    }

    /** Host and port: what a request is sent to, whatever it asks for there. */
    static String authority(HttpRequest request) {
        return authority(request.uri());
    }

    /** The host in lower case, and the port. */
    static String authority(URI uri) {
        int port = uri.getPort();
        if (port < 0) {
            port = "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
        }
        return uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }

    private Partition enterNew(String key) {
        if (key.equals(SHARED) || !hasRoom()) {
            return enterShared();
        }
        Partition made = make(key);
        Partition entered = enterInPlaceOf(made);
        if (entered == made) {
            bindings.changed();
            return made;
        }
        made.retire();
        return entered == null ? enterShared() : entered;
    }

    /** Enters the partition that was made, or the one that another thread has made meanwhile; null if there is no room. */
    private @Nullable Partition enterInPlaceOf(Partition made) {
        String key = made.key();
        synchronized (lock) {
            Partition known = partitions.get(key);
            if (known != null && known.enter()) {
                return known;
            }
            if ((partitions.size() < most || makeRoom()) && made.enter()) {
                partitions.put(key, made);
                return made;
            }
        }
        return null;
    }

    private boolean hasRoom() {
        return partitions.size() < most || partitions.values().stream().anyMatch(Partition::isIdle);
    }

    private Partition make(String key) {
        Pipeline<HttpResponse<?>> pipeline =
                Objects.requireNonNull(maker.apply(key), () -> "there is no pipeline for the partition " + key);
        return new Partition(key, pipeline, listening.apply(pipeline));
    }

    /** Makes one leave, under the lock; false if all are busy. */
    private boolean makeRoom() {
        Partition leaving = firstToLeave();
        while (leaving != null && !leaving.retire()) {
            leaving = firstToLeave();
        }
        if (leaving != null) {
            partitions.remove(leaving.key());
        }
        return leaving != null;
    }

    private @Nullable Partition firstToLeave() {
        Partition first = null;
        boolean isFirstTroubled = false;
        for (Partition partition : partitions.values()) {
            if (!partition.isIdle()) {
                continue;
            }
            boolean isTroubled = partition.isTroubled();
            boolean isBefore = first == null
                    || (isTroubled == isFirstTroubled ? partition.lastUsed() - first.lastUsed() < 0 : isFirstTroubled);
            if (isBefore) {
                first = partition;
                isFirstTroubled = isTroubled;
            }
        }
        return first;
    }

    private Partition enterShared() {
        Partition present = shared;
        if (present == null) {
            Partition made = make(SHARED);
            synchronized (lock) {
                present = shared == null ? made : shared;
                shared = present;
            }
            if (present != made) {
                made.retire();
            } else {
                bindings.changed();
            }
        }
        present.enter();
        return present;
    }

    /** Does something for each pipeline that there is or comes, and takes it back when it goes. */
    Registration forEachPipeline(Function<? super Pipeline<?>, ? extends Registration> bind) {
        return bindings.add(bind);
    }

    /** The pipelines that there are, by key. */
    Map<String, Pipeline<HttpResponse<?>>> pipelines() {
        Map<String, Pipeline<HttpResponse<?>>> all = new LinkedHashMap<>();
        partitions.forEach((key, partition) -> all.put(key, partition.pipeline()));
        Partition present = shared;
        if (present != null) {
            all.put(SHARED, present.pipeline());
        }
        return all;
    }
}
