package dev.recloser.gateway.proxy;

import dev.recloser.spi.Ticket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * The request on its way to the service: its head, its body as it comes, and the clocks that run meanwhile. The client's clock
 * runs while the gateway waits for a piece of the body; the service's runs while it takes no more, while the end of the request is
 * still waiting to be taken, and from the moment everything has gone out until its answer begins.
 */
final class Sending implements ChannelFutureListener, Flushes.Awaiter {

    private final Client client;
    private final Loop loop;
    private final RequestHead head;
    private final Lane lane;
    private final Measured measured;
    private @Nullable Upstream connection;
    private boolean complete;
    private boolean cut;
    private boolean heldBack;
    private boolean answered;
    private boolean awaitsContinue;
    private boolean continueSaid;
    private int interims;

    private final BodyIntake intake;

    Sending(Client client, Loop loop, RequestHead head, Lane lane, Measured measured) {
        this.client = client;
        this.loop = loop;
        this.head = head;
        this.lane = lane;
        this.measured = measured;
        this.awaitsContinue = head.expectsContinue();
        this.intake = new BodyIntake(
                lane.maxRequestBody, head.hasBody() ? BodyRate.of(loop.clients().times()) : null);
    }

    /** A limiter that measures the service: its time begins when all has been sent. */
    void measuredBy(Ticket ticket) {
        measured.by(ticket);
    }

    /** The request has to wait, to be admitted or for a connection; the client may send its body only then. */
    void holdOff() {
        measured.waits();
        if (head.hasBody()) {
            client.pauseRequest();
        }
        if (awaitsContinue && !client.deadline().isArmed()) {
            loop.continueWait.arm(client.deadline());
        }
    }

    void begin(Upstream on) {
        connection = on;
        cut = false;
        measured.goesOn();
        Headers.host(head, on.pool().destination);
        on.out().request(head.method(), head.target(), head.headers(), head.framing);
        if (!head.hasBody()) {
            complete = true;
            loop.flushes().add(this);
        } else {
            DeadlineList awaited = awaitsContinue ? loop.continueWait : loop.clientBody;
            boolean armed = client.deadline().isArmed(); // while it was held off
            long now = armed ? loop.deadlines().now() : awaited.arm(client.deadline());
            measured.handedOver(now);
            if (!awaitsContinue) {
                intake.awaited(now);
            }
            client.resumeRequest();
        }
    }

    /** A request without a body has gone out, unless its connection was lost in the same moment: then it will, on another, or has ended. */
    @Override
    public void flushed(long now) {
        if (connection != null) {
            measured.handedOver(now);
            awaitAnswer();
        }
    }

    /** What is wrong with this piece of the body; null if nothing is. */
    @Nullable
    Problem problemWith(HttpContent content) {
        return intake.problemWith(content, loop.deadlines());
    }

    /** A piece of the body. Takes over the reference. */
    void content(HttpContent content) {
        Upstream to = connection;
        if (cut || to == null || !head.hasBody()) {
            content.release();
            return;
        }
        awaitsContinue = false;
        ByteBuf piece = content.content();
        measured.requestBytes(piece.readableBytes());
        to.out().piece(piece, head.framing);
        if (content instanceof LastHttpContent last) {
            complete(to, last);
        } else {
            awaitBody();
        }
    }

    /** The client's clock runs, unless it is the gateway that does not read. */
    private void awaitBody() {
        if (heldBack) {
            client.deadline().cancel();
        } else if (answered && client.isDuplex()) {
            intake.notAwaited();
            lane.bodies.arm(client.deadline()); // either side may be silent, but not both for long
        } else {
            awaitPiece();
        }
    }

    private void awaitPiece() {
        intake.awaited(loop.clientBody.arm(client.deadline()));
    }

    /** The answer goes on while the request does: the service's clock runs only if it takes nothing. */
    void besideAnswer() {
        Upstream to = connection;
        if (to != null && !heldBack) {
            to.deadline().cancel();
        } else if (to != null && !to.deadline().isArmed()) {
            awaitTaking(to);
        }
        if (client.isDuplex() && !complete) {
            awaitBody();
        }
    }

    private void complete(Upstream to, LastHttpContent last) {
        to.out().end(Headers.trailers(last.trailingHeaders()), head.framing);
        complete = true;
        client.deadline().cancel();
        to.out().flush(this);
        if (!answered && to.out().hasPending()) {
            awaitTaking(to);
        }
    }

    /** The last byte of the request has gone out. */
    @Override
    public void operationComplete(ChannelFuture written) {
        if (written.isSuccess()) {
            awaitAnswer();
        }
    }

    /** What was not taken to its end says nothing of how long the service takes. */
    private void awaitAnswer() {
        if (connection != null && !answered) {
            long now = lane.answers.arm(connection.deadline());
            if (!cut) {
                measured.sent(now);
            }
        }
    }

    /** The service takes nothing more. It may have said why, or may say so: that is waited for. */
    void cut() {
        if (!cut && connection != null) {
            cut = true;
            awaitAnswer();
            if (!complete) {
                client.resumeRequest();
            }
        }
    }

    /** Holds the client back while the service does not keep up; says whether that has changed. */
    boolean balance() {
        Upstream to = connection;
        if (to == null || complete || cut || heldBack != to.out().isWritable()) {
            return false;
        }
        if (heldBack) {
            goOn(to);
        } else {
            holdBack(to);
        }
        return true;
    }

    private void holdBack(Upstream to) {
        heldBack = true;
        intake.notAwaited();
        client.deadline().cancel();
        client.stopRequest();
        awaitTaking(to);
    }

    private void awaitTaking(Upstream to) {
        to.out().markPending();
        lane.bodies.arm(to.deadline());
    }

    /** Whether the service, whose clock has run out, has taken a part of the request since it began to run: then it runs anew. */
    boolean isStillTaken() {
        Upstream to = connection;
        if (to == null || !to.out().isStillTaken()) {
            return false;
        }
        awaitTaking(to);
        return true;
    }

    private void goOn(Upstream to) {
        heldBack = false;
        to.deadline().cancel();
        awaitBody();
        client.resumeRequest();
    }

    /** The service has begun to answer, and so is measured otherwise from now on. */
    void answered() {
        answered = true;
        measured.answered();
        awaitsContinue = false;
        if (connection != null && heldBack) {
            awaitTaking(connection);
        } else if (connection != null) {
            connection.deadline().cancel();
        }
    }

    /** Whether the service, whose clock has run out, is to take more of the request, and has taken some. */
    boolean isHeldBackButTaken() {
        return heldBack && isStillTaken();
    }

    /** The client has something to read again: only what it still has to send is awaited. */
    void clientKeepsUp() {
        if (complete) {
            client.deadline().cancel();
        } else {
            awaitBody();
        }
    }

    /** Whether a client is waiting for a 100 that it has not got. */
    boolean isContinueAwaited() {
        return awaitsContinue;
    }

    /** Nobody has told the client to go on, so the gateway does. */
    void letGoOn() {
        sayContinue();
        client.out().response(HttpResponseStatus.CONTINUE, EmptyHttpHeaders.INSTANCE);
    }

    /**
     * The client is told to go on.
     *
     * @return whether it has not been told before
     */
    private boolean sayContinue() {
        boolean first = !continueSaid;
        continueSaid = true;
        if (awaitsContinue) {
            awaitsContinue = false;
            if (connection != null) {
                awaitPiece();
            }
        }
        return first;
    }

    /**
     * Passes an answer before the answer on. Only HTTP/1.1 knows such, and what the gateway has said already is not said again.
     *
     * @return whether there were not too many of them
     */
    boolean passOn(HttpResponse interim) {
        interims++;
        boolean isNews = interim.status().code() != 100 || sayContinue();
        if (isNews && !head.isHttp10()) {
            Headers.towardsClient(interim);
            client.out().response(interim.status(), interim.headers());
        }
        return interims <= Limits.INTERIM_ANSWERS;
    }

    /** The connection is not this request's any more. */
    void leave() {
        connection = null;
    }

    /** Whether everything has been written. */
    boolean isComplete() {
        return complete;
    }

    boolean isCut() {
        return cut;
    }

    /** Whether it is the service that is waited for, or else the client. */
    boolean awaitsService() {
        return complete || cut || heldBack;
    }
}
