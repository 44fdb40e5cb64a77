package dev.recloser.http;

import dev.recloser.CallContext;
import dev.recloser.Pipeline;
import dev.recloser.RejectedException;
import dev.recloser.TimedOutException;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One request of a caller's, with all its attempts: they run in the pipeline of the partition; what they leave behind is discarded; and the
 * response that the pipeline comes to is delivered.
 *
 * <p>An attempt ends when the transport hands over its response. One with a status that may be followed by another attempt is handed
 * over with its body held back ({@link HeldBody}). If it is the final answer, the caller's handler gets to see it only now.
 *
 * @param <T> what the caller's handler makes of the body
 */
class Exchange<T> extends RunningCall {

    private final Transport transport;
    private final HttpRequest request;
    private final BodyHandler<T> handler;
    private final @Nullable PushPromiseHandler<T> pushes;

    /** What is discarded at the end if it is not the answer. Guarded by this object's lock, as are the next two. */
    private @Nullable List<Object> leftovers;

    private boolean isOver;
    private @Nullable HttpResponse<?> answer;

    Exchange(Transport transport, HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        this.transport = transport;
        this.request = request;
        this.handler = handler;
        this.pushes = pushes;
    }

    BodyHandler<T> handler() {
        return handler;
    }

    boolean isHead() {
        return request.method().equals("HEAD");
    }

    TimeSource time() {
        return transport.time();
    }

    boolean timeoutsCoverBody() {
        return transport.timeoutsCoverBody();
    }

    // ---- on the caller's thread

    /** Sends the request through the pipeline, and waits for the response. */
    HttpResponse<T> send(Pipeline<HttpResponse<?>> pipeline) throws IOException, InterruptedException {
        HttpResponse<?> response = null;
        try {
            response = pipeline.call(this::attempt);
        } catch (RejectedException rejection) {
            response = answerInsteadOf(rejection);
            if (response == null) {
                throw translated(rejection);
            }
        } finally {
            settle(response);
        }
        if (!(response.body() instanceof HeldBody held)) {
            return typed(response);
        }
        return new AnsweredResponse<>(response, bodyOf(held));
    }

    /** The body of the final answer, as soon as it is there. */
    private T bodyOf(HeldBody held) throws IOException, InterruptedException {
        BoundedBody<T> body = null;
        try {
            body = handOn(held);
            return body.getBodyOn(elsewhere()).get();
        } catch (InterruptedException interrupt) {
            cut(body, interrupt);
            throw interrupt;
        } catch (ExecutionException failed) {
            throw asThrownBySend(failed.getCause());
        } catch (Throwable bug) {
            cut(body, bug);
            throw asThrownBySend(bug);
        }
    }

    private static void cut(@Nullable BoundedBody<?> body, Throwable reason) {
        if (body != null) {
            body.cut(reason);
        }
    }

    /** One attempt. */
    HttpResponse<?> attempt(CallContext context) throws IOException, InterruptedException {
        return sendOnce(request, context);
    }

    /** Sends a request for an attempt, and waits for the response. */
    final HttpResponse<?> sendOnce(HttpRequest request, CallContext context) throws IOException, InterruptedException {
        requireNotCancelled();
        Attempt<T> attempt = new Attempt<>(this, context);
        HttpResponse<?> response = transport.client().send(request, attempt);
        attempt.arrived(response);
        return response;
    }

    /** An exception of a body, as {@code send} of the JDK's client would throw it. */
    private static IOException asThrownBySend(@Nullable Throwable error) {
        if (error instanceof IllegalArgumentException wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        }
        if (error instanceof SecurityException refused) {
            throw new SecurityException(refused.getMessage(), refused);
        }
        return error instanceof IOException failure
                ? failure
                : new IOException(error == null ? null : error.getMessage(), error);
    }

    // ---- over stages

    /** Takes a response, or what there is instead, exactly once. */
    interface End<T> {
        void in(@Nullable HttpResponse<T> response, @Nullable Throwable error);
    }

    /** Sends the request through the pipeline. */
    void sendAsync(Pipeline<HttpResponse<?>> pipeline, End<T> end) {
        CompletableFuture<HttpResponse<?>> call = pipeline.callAsync(this::attemptAsync);
        cancelWith(() -> call.cancel(true));
        var unused = call.whenComplete((response, error) -> {
            HttpResponse<?> answer =
                    error instanceof RejectedException rejection ? answerInsteadOf(rejection) : response;
            settle(answer);
            if (answer != null) {
                deliver(answer, end);
            } else {
                end.in(null, error instanceof RejectedException rejection ? translated(rejection) : error);
            }
        });
    }

    /** One attempt. */
    CompletionStage<HttpResponse<?>> attemptAsync(CallContext context) {
        return sendOnceAsync(request, context);
    }

    /**
     * Whether the caller's handler must not see a response of this attempt before it is clear that it is the answer: another attempt may
     * follow it.
     */
    boolean holdsBack(ResponseInfo info, CallContext context) {
        return HttpOutcomes.isTransient(info.statusCode());
    }

    /** Sends a request for an attempt. */
    final CompletionStage<HttpResponse<?>> sendOnceAsync(HttpRequest request, CallContext context) {
        requireNotCancelled();
        Attempt<T> attempt = new Attempt<>(this, context);
        CompletableFuture<HttpResponse<Object>> sent = transport.client().sendAsync(request, attempt, untyped(pushes));
        return new ArrivingResponse(sent, attempt);
    }

    private void deliver(HttpResponse<?> response, End<T> end) {
        if (!(response.body() instanceof HeldBody held)) {
            end.in(typed(response), null);
            return;
        }
        CompletableFuture<T> body;
        try {
            BoundedBody<T> handedOn = handOn(held);
            cancelWith(() -> handedOn.cut(new CancellationException()));
            body = handedOn.getBodyOn(elsewhere());
        } catch (Throwable bug) {
            end.in(null, bug);
            return;
        }
        // Dependents of the caller's may block, and must not do so on a thread of the transport's.
        var unused = body.whenCompleteAsync(
                (value, error) -> end.in(error == null ? new AnsweredResponse<>(response, value) : null, error),
                elsewhere());
    }

    /** Where what is the caller's may take its time: as with the JDK's client, a mapping may read a body that is still coming. */
    private static Executor elsewhere() {
        return TimeSource.system().executor();
    }

    // ---- both

    /** Lets the caller's handler have the body of the final answer, for as long as its attempt would have had. */
    private BoundedBody<T> handOn(HeldBody held) {
        BodySubscriber<T> subscriber;
        try {
            subscriber = Objects.requireNonNull(handler.apply(held.info()), "the body handler returned no subscriber");
        } catch (Throwable bug) {
            held.discard();
            throw bug;
        }
        BoundedBody<T> body = new BoundedBody<>(subscriber, time(), held.remaining());
        if (timeoutsCoverBody()) {
            body.limit();
        } else {
            body.limitUntilBodyIsThere();
        }
        try {
            held.handOn(body);
        } catch (Throwable bug) {
            body.cut(bug);
            throw bug;
        }
        return body;
    }

    /** Discards this at the end, unless it is the answer or its body; at once if the end has come already. */
    void leftBehindUnlessTaken(Object leftover) {
        synchronized (this) {
            if (!isOver) {
                if (leftovers == null) {
                    leftovers = new ArrayList<>(2);
                }
                leftovers.add(leftover);
                return;
            }
            if (isAnswer(leftover)) {
                return;
            }
        }
        Leftovers.discard(leftover);
    }

    /** The pipeline has come to an end, in this response or in an exception. */
    private void settle(@Nullable HttpResponse<?> response) {
        List<Object> left;
        synchronized (this) {
            isOver = true;
            answer = response;
            left = leftovers;
            leftovers = null;
        }
        if (left != null) {
            left.stream().filter(each -> !isAnswer(each)).forEach(Leftovers::discard);
        }
    }

    private boolean isAnswer(Object leftover) {
        return answer != null && Leftovers.bodyOf(leftover) == answer.body();
    }

    /** The response to deliver although the pipeline ended in a rejection, if there is one. */
    @Nullable
    HttpResponse<?> answerInsteadOf(RejectedException rejection) {
        return null;
    }

    /** What the caller gets for the rejection in which the pipeline ended. */
    IOException translated(RejectedException rejection) {
        if (rejection instanceof TimedOutException) {
            HttpTimeoutException timeout = new HttpTimeoutException(rejection.getMessage());
            timeout.initCause(rejection);
            return timeout;
        }
        return new RequestRejectedException(rejection);
    }

    /** The handler that made the body of this response was one of T. */
    @SuppressWarnings("unchecked")
    private HttpResponse<T> typed(HttpResponse<?> response) {
        return (HttpResponse<T>) response;
    }

    @SuppressWarnings("unchecked")
    private static <T> @Nullable PushPromiseHandler<Object> untyped(@Nullable PushPromiseHandler<T> handler) {
        return (PushPromiseHandler<Object>) (PushPromiseHandler<?>) handler;
    }
}
