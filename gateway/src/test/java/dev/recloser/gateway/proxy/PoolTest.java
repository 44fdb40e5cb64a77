package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool hands out can be used. */
@ExtendWith(LeakCheck.class)
class PoolTest {

    private static final String POST = "POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi";

    /** What is to be done with the connection that is idle, all in one turn of its loop, so that nothing can be told in between. */
    private interface InOneTurn {
        void with(UpstreamConnection idle, Http1Pool pool, Loop loop);
    }

    @Test
    void aConnectionIsNotTakenOnceItIsClosedEvenIfThatIsNotToldYet() throws Exception {
        assertThatAnotherIsMadeAfter((idle, pool, loop) -> {
            pool.put(idle, loop.deadlines().now());
            idle.close();
            assertThat(pool.take()).isNull();
        });
    }

    @Test
    void anOldConnectionIsNotKept() throws Exception {
        assertThatAnotherIsMadeAfter((idle, pool, loop) -> {
            long old = idle.connectedAt + Limits.POOLED_AGE.toNanos();
            pool.put(idle, old - 1);
            assertThat(pool.take()).isSameAs(idle);
            pool.put(idle, old);
            assertThat(pool.take()).isNull();
            assertThat(idle.isOpen()).isFalse();
        });
    }

    private static void assertThatAnotherIsMadeAfter(InOneTurn turn) throws Exception {
        try (ScriptedService service = ScriptedService.answering(ScriptedService.answer(200, "hello"))) {
            Server server = new Server(
                    new TestGateway.Settings()
                            .cluster(TestGateway.ONLY, service)
                            .route("/**", TestGateway.ONLY)
                            .config(),
                    null);
            try (RawClient client = new RawClient(server.address())) {
                assertThat(client.send(POST).answer().status()).isEqualTo(200);
                int found = 0;
                for (Loop loop : server.loops()) {
                    found += loop.eventLoop()
                            .submit(() -> take(server, loop, turn))
                            .get(10, TimeUnit.SECONDS);
                }
                assertThat(found).as("connections that were idle").isEqualTo(1);
                assertThat(client.send(POST).answer().status()).isEqualTo(200);
                assertThat(service.connections()).isEqualTo(2);
            } finally {
                server.close();
            }
        }
    }

    private static int take(Server server, Loop loop, InOneTurn turn) {
        Http1Pool pool =
                (Http1Pool) loop.lane(server.clusters().get(TestGateway.ONLY)).choose(null);
        UpstreamConnection idle = pool.take();
        if (idle == null) {
            return 0;
        }
        turn.with(idle, pool, loop);
        return 1;
    }
}
