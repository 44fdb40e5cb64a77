package dev.recloser.gateway.proxy;

import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the gateway, and the answer on its way back. It passes these stages, all on one event loop:
 * <em>route</em> (which cluster), <em>admit</em> (a ticket of its breaker), <em>connect</em> (a kept connection, or a new one),
 * <em>send</em> (see {@link Sending}), <em>relay</em> (see {@link Answer}), <em>settle</em>.
 *
 * <p>However it ends, it ends in {@link #end}, once: there the breaker gets its result, the connection to the service is kept or
 * closed, and the client's connection is told how to go on. The two connections call in from both sides; whatever they still say
 * after the end finds nobody.
 */
final class Exchange {

    private final ClientConnection client;
    private final Loop loop;
    private final Measured measured;
    private @Nullable RequestHead head;
    private @Nullable Admitted admitted;
    private @Nullable Lane lane;
    private @Nullable Sending sending;
    private @Nullable UpstreamConnection upstream;
    private @Nullable BitSet tried;
    private @Nullable Answer answer;
    private boolean ended;

    /**
     * A request has come, or a part of its head.
     *
     * @param begunNanos when
     */
    Exchange(ClientConnection client, Loop loop, long begunNanos) {
        this.client = client;
        this.loop = loop;
        this.measured = new Measured(loop, client.address(), begunNanos);
    }

    // ---- route, admit

    void begin(HttpRequest request) {
        try {
            route(RequestHead.of(request));
        } catch (BadRequestException e) {
            refuse(e);
        }
    }

    private void route(RequestHead read) {
        head = read;
        measured.read(read);
        if (!read.isServedMethod()) {
            end(new Problem(Ending.METHOD).allowing(RequestHead.SERVED_METHODS));
            return;
        }
        RouteTable.Search search = new RouteTable.Search(read);
        Cluster found = loop.server().routes().find(search);
        if (found == null) {
            end(search.notFound());
        } else {
            admit(read, found);
        }
    }

    private void admit(RequestHead read, Cluster found) {
        Lane own = loop.lane(found);
        measured.of(own);
        Admitted asking = new Admitted(found);
        admitted = asking;
        Problem rejection = asking.rejection();
        if (rejection != null) {
            end(rejection);
            return;
        }
        lane = own;
        sending = new Sending(client, loop, read, own, measured);
        Headers.towardsService(read, client.address());
        connect(own, sending);
    }

    // ---- connect

    private void connect(Lane own, Sending request) {
        Pool pool = own.choose(tried);
        if (pool == null) {
            end(Ending.CONNECT);
            return;
        }
        measured.to(pool.destination);
        UpstreamConnection kept = request.wantsFreshConnection() ? null : pool.take();
        if (kept != null) {
            connected(kept);
            return;
        }
        request.awaitConnection();
        UpstreamConnection fresh = new UpstreamConnection(pool, this);
        upstream = fresh;
        fresh.open();
    }

    /** Nothing was sent: the next destination, if there is one. */
    void connectFailed(Pool pool) {
        upstream = null;
        if (!ended && lane != null && sending != null) {
            tried = tried == null ? new BitSet() : tried;
            tried.set(lane.indexOf(pool));
            failed(Ending.CONNECT, lane, sending);
        }
    }

    void connected(UpstreamConnection connection) {
        if (ended || head == null || sending == null) {
            connection.close();
            return;
        }
        upstream = connection;
        connection.begin(this, head.isHead());
        sending.begin(connection);
    }

    // ---- send

    /** A piece of the request's body. Takes over the reference. */
    void requestContent(HttpContent content) {
        if (ended || sending == null) {
            content.release();
        } else {
            sending.content(content);
            if (sending.isComplete()) {
                balanceAnswer();
            }
        }
    }

    /** Writing to the service has failed. */
    void requestCut() {
        if (!ended && sending != null) {
            sending.cut();
        }
    }

    /** What the client sends may be more than the service takes. */
    void balanceRequest() {
        if (!ended && sending != null) {
            sending.balance();
        }
    }

    // ---- relay

    /** An answer before the answer. */
    void interim(HttpResponse response) {
        if (!ended && sending != null && !sending.passOn(response)) {
            end(Ending.BAD_RESPONSE);
        }
    }

    void answerHead(HttpResponse response) {
        if (ended || head == null || sending == null) {
            return;
        }
        if (!Answer.isValid(response)) {
            end(Ending.BAD_RESPONSE);
            return;
        }
        sending.answered();
        Answer begun = new Answer(response, head);
        answer = begun;
        if (admitted != null) {
            admitted.answered(begun.ending());
        }
        begun.writeHead(client.out(), loop.isDraining() || !sending.isComplete());
    }

    /** A piece of the answer's body. Takes over the reference. */
    void answerContent(HttpContent content) {
        Answer begun = answer;
        if (ended || begun == null || upstream == null) {
            content.release();
        } else if (content instanceof LastHttpContent && isBrokenOff(begun)) {
            content.release();
            end(Ending.BODY_CUT);
        } else {
            measured.responseBytes(content.content().readableBytes());
            begun.writeContent(client.out(), content);
            if (begun.isComplete()) {
                end(begun.ending());
            }
        }
    }

    /** Whether what looks like the end of a body is the end of a connection that was lost. */
    private boolean isBrokenOff(Answer begun) {
        boolean lost = (upstream != null && upstream.isReadFailed()) || (sending != null && sending.isCut());
        return begun.isEndedByClose() && lost;
    }

    /** What the service sends may be more than the client takes. */
    void balanceAnswer() {
        if (!ended && answer != null && upstream != null && sending != null) {
            answer.balance(client, loop, upstream, sending);
        }
    }

    // ---- what goes wrong

    void refuse(BadRequestException refusal) {
        end(new Problem(Ending.BAD_REQUEST, refusal.status(), refusal.detail()));
    }

    void badResponse(@Nullable Throwable cause) {
        if (answer != null) {
            end(Ending.BODY_CUT);
        } else if (!(cause instanceof PrematureChannelClosureException)) {
            end(Ending.BAD_RESPONSE);
        } // else it was closed in the middle of a head, and upstreamClosed comes
    }

    void upstreamClosed(UpstreamConnection connection) {
        upstream = null;
        if (ended || lane == null || sending == null) {
            return;
        }
        if (answer != null) {
            failed(Ending.BODY_CUT, lane, sending);
        } else if (connection.isReused() && !connection.hasAnswered()) {
            failed(Ending.STALE, lane, sending);
        } else {
            failed(Ending.UPSTREAM_CLOSED, lane, sending);
        }
    }

    void upstreamOverdue(UpstreamConnection connection) {
        if (answer != null) {
            end(Ending.BODY_CUT);
        } else if (connection.isConnecting()) {
            connection.pool().connectFailed();
            end(Ending.CONNECT_TIMEOUT);
        } else if (sending == null || !sending.isStillTaken()) {
            end(Ending.TIMEOUT);
        }
    }

    void clientOverdue() {
        if (sending != null && sending.isContinueAwaited()) {
            sending.sayContinue();
            Wire.continueHead(client.out().gather());
        } else {
            end(Ending.CLIENT_SLOW);
        }
    }

    /** Tries again, where the table of endings allows it, or ends. */
    private void failed(Ending ending, Lane own, Sending request) {
        if (!loop.isStopping() && request.mayBeSentAgain(ending)) {
            connect(own, request);
        } else {
            end(ending);
        }
    }

    // ---- settle

    void end(Ending ending) {
        end(loop.isStopping() ? ending.whileStopping() : ending, null);
    }

    private void end(Problem problem) {
        end(problem.ending(), problem);
    }

    /** The one end of every exchange. */
    private void end(Ending ending, @Nullable Problem problem) {
        if (ended) {
            return;
        }
        ended = true;
        if (admitted != null) {
            admitted.settle(ending);
        }
        Problem told = problem == null ? new Problem(ending) : problem;
        measured.ended(ending, answer == null ? told.status() : answer.status());
        leaveUpstream();
        answerClient(told);
    }

    private void leaveUpstream() {
        UpstreamConnection connection = upstream;
        upstream = null;
        if (connection != null && sending != null) {
            boolean answerEnded = answer != null && answer.isComplete() && answer.serviceKeepsAlive();
            connection.release(answerEnded && sending.isComplete() && !sending.isCut());
            sending.leave();
        }
    }

    private void answerClient(Problem told) {
        Answer given = answer;
        if (given != null && given.isComplete()) {
            client.answered(given.isLast());
        } else if (given != null) {
            client.breakOff(given.endsWithConnection());
        } else if (told.ending() == Ending.CLIENT_GONE || told.ending() == Ending.GATEWAY_STOPPED) {
            client.breakOff(false);
        } else {
            boolean close = loop.isDraining() || told.isLast(head, client.isRequestOpen());
            told.of(admitted == null ? null : admitted.cluster());
            measured.responseBytes(
                    told.write(client.out().gather(), loop.server().time().instant(), head, close));
            client.answered(close);
        }
    }
}
