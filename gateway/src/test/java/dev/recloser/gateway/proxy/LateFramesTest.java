package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Frames of HTTP/2 that were on their way when their stream ended. They are written by hand, since no client in order sends them at will. */
@ExtendWith(LeakCheck.class)
@Timeout(30)
class LateFramesTest {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    /** {@code POST http / test}: indexed but for the last, which is a literal. */
    private static final byte[] POST = {(byte) 0x83, (byte) 0x86, (byte) 0x84, 0x01, 4, 't', 'e', 's', 't'};

    private static void frame(OutputStream out, int type, int flags, int stream, byte[] payload) throws IOException {
        out.write(ByteBuffer.allocate(9 + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array());
    }

    /** Reads up to a frame of this type on this stream, and returns how many resets came up to then, that one included. */
    private static int readUntil(DataInputStream in, int type, int stream) throws IOException {
        int resets = 0;
        while (true) {
            int lengthAndType = in.readInt();
            int seen = lengthAndType & 0xff;
            in.readUnsignedByte();
            int of = in.readInt();
            in.readFully(new byte[lengthAndType >>> 8]);
            assertThat(seen).as("the connection goes on").isNotEqualTo(GOAWAY);
            resets += seen == RESET ? 1 : 0;
            if (seen == type && of == stream) {
                return resets;
            }
        }
    }

    @Test
    void whatComesForStreamsThatWereAnsweredEarlyIsDroppedAndTheConnectionGoesOn() throws Exception {
        try (ScriptedService service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
                TestGateway gateway = TestGateway.of(
                        new TestGateway.Settings().cluster("a", service).route("/a", "a"));
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), gateway.address().getPort())) {
            OutputStream out = socket.getOutputStream();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            frame(out, SETTINGS, 0, 0, new byte[0]);
            int resets = 0;
            int stream = 1;
            for (int uploads = 0; uploads < 50; uploads++) {
                frame(out, HEADERS, END_HEADERS, stream, POST);
                resets += readUntil(in, RESET, stream);
                for (int late = 0; late < 5; late++) {
                    frame(out, DATA, 0, stream, new byte[100]);
                }
                stream += 2;
            }
            frame(out, HEADERS, END_HEADERS | END_STREAM, stream, POST);
            resets += readUntil(in, HEADERS, stream);
            assertThat(resets).isEqualTo(50);
        }
    }
}
