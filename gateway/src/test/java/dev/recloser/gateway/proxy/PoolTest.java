package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool hands out can be used. */
@ExtendWith(LeakCheck.class)
class PoolTest {

    private static final String POST = "POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi";

    @Test
    void aConnectionIsNotTakenOnceItIsClosedEvenIfThatIsNotToldYet() throws Exception {
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
                            .submit(() -> closeAndTake(loop, server))
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

    /** Closes what is idle and asks for it, all in one turn of the loop, so that nothing can be told in between. */
    private static int closeAndTake(Loop loop, Server server) {
        Pool pool = loop.lane(server.clusters().get(TestGateway.ONLY)).choose(null);
        UpstreamConnection idle = pool.take();
        if (idle == null) {
            return 0;
        }
        pool.put(idle, loop.deadlines().now());
        idle.close();
        assertThat(pool.take()).isNull();
        return 1;
    }

    @Test
    void anOldConnectionIsNotKept() throws Exception {
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
                            .submit(() -> putWhenOld(loop, server))
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

    private static int putWhenOld(Loop loop, Server server) {
        Pool pool = loop.lane(server.clusters().get(TestGateway.ONLY)).choose(null);
        UpstreamConnection idle = pool.take();
        if (idle == null) {
            return 0;
        }
        long old = idle.connectedAt + Limits.POOLED_AGE.toNanos();
        pool.put(idle, old - 1);
        assertThat(pool.take()).isSameAs(idle);
        pool.put(idle, old);
        assertThat(pool.take()).isNull();
        assertThat(idle.isOpen()).isFalse();
        return 1;
    }
}
