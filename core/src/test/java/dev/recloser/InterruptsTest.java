package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.time.VirtualTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InterruptsTest {

    private final Thread thread = Thread.currentThread();
    private final Plan plan = new Plan("p", List.of(), VirtualTime.create());

    @AfterEach
    void clearTheFlag() {
        Thread.interrupted();
    }

    @Test
    void callThatWasInterruptedTwiceTakesBothBack() {
        BlockingExecution call = new BlockingExecution(plan, true);
        Interrupts.send(call, thread);
        Interrupts.send(call, thread);
        Interrupts.takeBack(call);
        assertThat(thread.isInterrupted()).isFalse();
        assertThat(Interrupts.isPending(thread)).isFalse();
    }

    @Test
    void interruptOfACallFurtherOutStays() {
        BlockingExecution outer = new BlockingExecution(plan, true);
        BlockingExecution inner = new BlockingExecution(plan, true);
        Interrupts.send(outer, thread);
        Interrupts.send(inner, thread);
        Interrupts.takeBack(inner);
        assertThat(thread.isInterrupted()).isTrue();
        Interrupts.takeBack(outer);
        assertThat(thread.isInterrupted()).isFalse();
        assertThat(Interrupts.isPending(thread)).isFalse();
    }

    @Test
    void interruptFromOutsideThatCameFirstStays() {
        thread.interrupt();
        BlockingExecution call = new BlockingExecution(plan, true);
        Interrupts.send(call, thread);
        Interrupts.takeBack(call);
        assertThat(thread.isInterrupted()).isTrue();
    }
}
