package dev.recloser.gateway.proxy;

import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
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

    private final Client client;
    private final Loop loop;
    private final Measured measured;
    private @Nullable RequestHead head;
    private @Nullable Admitted admitted;
    private @Nullable Lane lane;
    private @Nullable Sending sending;
    private @Nullable Attempts attempts;
    private @Nullable Answer answer;
    private @Nullable Tunnel tunnel;
    private boolean ended;

    /**
     * A request has come, or a part of its head.
     *
     * @param begunNanos when
     */
    Exchange(Client client, Loop loop, long begunNanos) {
        this.client = client;
        this.loop = loop;
        this.measured = new Measured(loop, client.address(), begunNanos);
    }

    // ---- route, admit, connect

    void begin(HttpRequest request) {
        try {
            route(RequestHead.of(request, loop.clients().encodedSlashes()));
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
        Cluster found = loop.routes().find(search);
        if (found == null) {
            end(search.notFound());
        } else {
            admit(read, found);
        }
    }

    private void admit(RequestHead read, Cluster found) {
        Lane own = loop.lane(found);
        lane = own;
        measured.of(own);
        if (read.contentLength > own.maxRequestBody) {
            refuse(BadRequestException.tooLarge());
            return;
        }
        sending = new Sending(client, loop, read, own, measured);
        admitted = new Admitted(own, this, sending, loop);
        admitted.ask();
    }

    void admitted() {
        if (ended || lane == null || head == null || admitted == null || sending == null) {
            return;
        }
        attempts = new Attempts(this, lane, head, sending, measured, admitted.isProbe());
        Headers.towardsService(head, client);
        attempts.connect();
    }

    void connected(Upstream connection) {
        if (ended || attempts == null) {
            connection.close();
        } else {
            attempts.connected(connection);
        }
    }

    void connectFailed(Upstream connection) {
        if (!ended && attempts != null) {
            attempts.unreachable(connection.pool(), Ending.CONNECT);
        }
    }

    private @Nullable Upstream upstream() {
        return attempts == null ? null : attempts.upstream();
    }

    // ---- send

    /** A piece of the request's body. Takes over the reference. */
    void requestContent(HttpContent content) {
        Problem problem = ended || sending == null ? null : sending.problemWith(content);
        if (ended || sending == null) {
            content.release();
        } else if (problem != null) {
            content.release();
            end(problem);
        } else {
            sending.content(content);
            if (sending.isComplete()) {
                balanceAnswer();
            }
        }
    }

    void requestCut() {
        if (tunnel != null) {
            end(Ending.UPGRADED);
        } else if (!ended && sending != null) {
            sending.cut();
        }
    }

    /** What the client sends may be more than the service takes. */
    void balanceRequest() {
        if (!ended && sending != null && sending.balance() && answer != null && answer.isHeldBack()) {
            balanceAnswer(); // it is still the client that is waited for: who takes no answer may be why the service
            // takes no request
        }
    }

    // ---- relay

    /** An answer before the answer. */
    void interim(HttpResponse response) {
        if (!ended && sending != null && !sending.passOn(response)) {
            end(Ending.BAD_RESPONSE);
        }
    }

    /** The service agrees to go on in another protocol. */
    void upgraded(HttpResponse agreement) {
        Upstream to = upstream();
        if (ended || head == null || to == null || admitted == null || sending == null) {
            return;
        }
        if (!Tunnel.isAgreed(head, agreement)) {
            end(Ending.BAD_RESPONSE);
            return;
        }
        sending.answered();
        admitted.answered(Ending.UPGRADED);
        to.pool().ended(Ending.UPGRADED);
        tunnel = new Tunnel(client, to, measured, loop);
        tunnel.begin(agreement);
    }

    void answerHead(HttpResponse response) {
        if (ended || head == null || sending == null) {
            return;
        }
        if (!Answer.isValid(response)) {
            end(Ending.BAD_RESPONSE);
            return;
        }
        if (attempts != null && attempts.failed(response)) {
            return;
        }
        sending.answered();
        Answer begun = new Answer(response, head);
        answer = begun;
        if (admitted != null) {
            admitted.answered(begun.ending());
        }
        begun.writeHead(client.out(), client.isLast() || !sending.isComplete());
    }

    /** A piece of the answer's body. Takes over the reference. */
    void answerContent(HttpContent content) {
        Answer begun = answer;
        if (ended || begun == null || upstream() == null) {
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
        Upstream from = upstream();
        return begun.isEndedByClose()
                && ((from != null && from.isReadFailed()) || (sending != null && sending.isCut()));
    }

    /** What the service sends may be more than the client takes. */
    void balanceAnswer() {
        Upstream from = upstream();
        if (!ended && answer != null && from != null && sending != null) {
            answer.balance(client, loop, from, sending);
        }
    }

    // ---- what goes wrong

    void refuse(BadRequestException refusal) {
        end(new Problem(refusal));
    }

    void badResponse(@Nullable Throwable cause) {
        if (answer != null) {
            end(Ending.BODY_CUT);
        } else if (!(cause instanceof PrematureChannelClosureException)) {
            end(Ending.BAD_RESPONSE);
        } // else it was closed in the middle of a head, and upstreamClosed comes
    }

    void upstreamClosed(Upstream connection) {
        if (tunnel != null) {
            end(Ending.UPGRADED);
        } else if (!ended && attempts != null) {
            attempts.closed(connection, answer != null);
        }
    }

    void upstreamOverdue(Upstream connection) {
        if (!ended && attempts != null) {
            attempts.overdue(connection, answer != null);
        }
    }

    void clientOverdue() {
        if (sending != null && sending.isContinueAwaited()) {
            sending.letGoOn();
        } else {
            end(Ending.CLIENT_SLOW);
        }
    }

    /** The total time is over. */
    void overdue() {
        if (attempts != null) {
            end(attempts.late(answer));
        }
    }

    void fault(RuntimeException cause) {
        loop.fault(cause);
        end(Ending.INTERNAL);
    }

    // ---- settle

    void end(Ending ending) {
        Ending how = tunnel != null && ending == Ending.CLIENT_GONE ? Ending.UPGRADED : ending;
        end(new Problem(loop.isStopping() ? how.whileStopping() : how));
    }

    /** The one end of every exchange. */
    void end(Problem told) {
        if (ended) {
            return;
        }
        ended = true;
        if (admitted != null) {
            admitted.settle(told.ending());
        }
        measured.ended(told.ending(), tunnel != null ? 101 : answer == null ? told.status() : answer.status());
        if (tunnel != null) {
            tunnel.close();
        } else {
            leaveUpstream(told.ending());
            answerClient(told);
        }
    }

    private void leaveUpstream(Ending ending) {
        if (attempts != null && sending != null) {
            boolean answerEnded = answer != null && answer.isComplete() && answer.serviceKeepsAlive();
            attempts.leave(answerEnded && sending.isComplete() && !sending.isCut(), ending);
        }
        attempts = null;
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
            boolean close = client.isLast() || told.isLast(head, client.isRequestOpen());
            told.of(lane == null ? null : lane.cluster);
            measured.responseBytes(told.write(client.out(), loop.server().time().instant(), head, close));
            client.answered(close);
        }
    }
}
