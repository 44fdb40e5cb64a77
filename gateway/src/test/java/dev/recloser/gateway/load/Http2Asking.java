package dev.recloser.gateway.load;

import dev.recloser.gateway.proxy.Http2Frames;
import dev.recloser.gateway.proxy.Http2Peer;

/** A client whose requests are streams of a connection that it shares with others. */
record Http2Asking(Http2Peer connection, Ledger ledger) implements Asking {

    @Override
    public String ask(String cluster, int size) throws InterruptedException {
        String id = ledger.send();
        String body = Ledger.body(id, size);
        Http2Frames stream = connection.request(
                "POST", "/" + cluster + "/" + id, false, "content-length", String.valueOf(body.length()));
        stream.data(body, true);
        int status = 0;
        boolean whole = false;
        StringBuilder answer = new StringBuilder();
        for (String frame : stream.all()) {
            if (frame.startsWith("HEADERS ")) {
                status = Integer.parseInt(frame.split(" ", 3)[1]);
            } else if (frame.startsWith("DATA ")) {
                answer.append(frame, "DATA ".length(), frame.endsWith(" END") ? frame.length() - 4 : frame.length());
            }
            whole |= frame.endsWith(" END");
        }
        return ledger.end(
                cluster,
                whole
                        ? Ledger.reason(cluster, status, answer.toString(), body)
                        : status == 0 ? Ledger.UNREAD : Ledger.CUT);
    }

    @Override
    public void close() {
        // others may still use the connection
    }
}
