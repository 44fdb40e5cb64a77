package dev.recloser.tests.engine;

import dev.recloser.CallContext;
import dev.recloser.spi.Continuation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The simplest retry: so many times more, always after the same delay. */
record Repeat(int times, Duration delay, List<Integer> attemptsSeen) implements Continuation {

    Repeat(int times, Duration delay) {
        this(times, delay, Collections.synchronizedList(new ArrayList<>()));
    }

    @Override
    public String name() {
        return "repeat";
    }

    @Override
    public Course begin(CallContext first) {
        return (value, error, context) -> {
            attemptsSeen.add(context.attempt());
            return context.attempt() <= times ? Step.again(delay.toNanos()) : Step.done();
        };
    }
}
