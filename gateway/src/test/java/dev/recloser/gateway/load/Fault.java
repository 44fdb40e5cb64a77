package dev.recloser.gateway.load;

import dev.recloser.gateway.load.EchoService.Behaviour;
import dev.recloser.gateway.load.EchoService.Call;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * What can be wrong with a service.
 *
 * @param name what it does
 * @param opensCircuit whether it is a failure, so that the circuit must open
 * @param endings how requests to it may end as long as the circuit is closed
 * @param behaviour how it answers
 */
record Fault(String name, boolean opensCircuit, Set<String> endings, Behaviour behaviour) {

    private static final String OK = "HTTP/1.1 200 OK\r\n";

    static final List<Fault> ALL = List.of(
            new Fault("answers piece by piece", false, Set.of("ok"), Fault::answerSlowly),
            new Fault("says nothing", true, Set.of("timeout"), Call::awaitClose),
            new Fault("says nothing more in the middle of a body", true, Set.of(Ledger.CUT), call -> {
                answerHalf(call);
                call.awaitClose();
            }),
            new Fault("resets instead of an answer", true, Set.of("upstream-closed", "stale"), Call::reset),
            new Fault("resets in an answer", true, Set.of(Ledger.CUT, "upstream-closed", "stale"), call -> {
                answerHalf(call);
                call.reset();
            }),
            new Fault("closes before its Content-Length", true, Set.of(Ledger.CUT), call -> {
                answerHalf(call);
                call.socket().close();
            }),
            new Fault(
                    "says more than its Content-Length, like the next answer",
                    false,
                    Set.of("ok", "stale", "bad-response"),
                    call -> call.send(call.echo() + OK + "Content-Length: 7\r\n\r\ncrossed")),
            new Fault(
                    "speaks no HTTP",
                    true,
                    Set.of("bad-response"),
                    call -> call.send("\u0016\u0003\u0001 what is this?\r\n\r\n")),
            new Fault(
                    "frames in two ways",
                    true,
                    Set.of("bad-response"),
                    call -> call.send(
                            OK + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nlies\r\n0\r\n\r\n")),
            new Fault(
                    "gives two lengths",
                    true,
                    Set.of("bad-response"),
                    call -> call.send(OK + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nlies!")));

    private static void answerSlowly(Call call) throws IOException, InterruptedException {
        String answer = call.echo();
        int step = Math.max(1, answer.length() / 8);
        for (int at = 0; at < answer.length(); at += step) {
            call.send(answer.substring(at, Math.min(answer.length(), at + step)));
            Thread.sleep(3);
        }
    }

    private static void answerHalf(Call call) throws IOException {
        String answer = call.echo();
        call.send(answer.substring(0, answer.length() - call.request().body().length() / 2));
    }

    /** Whether a request may end so while the service is as it is. */
    boolean allows(String ending) {
        return endings.contains(ending)
                || (opensCircuit && ending.equals("circuit-open"))
                || (endings.contains(Ledger.CUT) && ending.equals(Ledger.UNREAD));
    }
}
