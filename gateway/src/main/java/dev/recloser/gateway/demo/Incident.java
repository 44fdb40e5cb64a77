package dev.recloser.gateway.demo;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.circuitbreaker.CircuitTransition.Reason;
import dev.recloser.gateway.demo.Caller.Answer;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The script of the demo: a service fails, its circuit opens, probes, opens again, and closes when the service has healed, while
 * the other service goes on as ever. Everything happens by real calls through the gateway; the script only turns the service's
 * fault on and off, tells what it sees, and checks that it is what it should be.
 */
final class Incident {

    /** As many failures after them make a ratio of one half, which opens the circuit. */
    private static final int HEALTHY_CALLS = 5;

    private static final String ACCOUNTS = "/accounts/";
    private static final String TRANSFERS = "/transfers/";
    private static final int REJECTED_CALLS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final DemoService accounts;
    private final DemoService transfers;
    private final CircuitBreaker breaker;
    private final BlockingQueue<CircuitTransition> transitions;
    private final Caller caller;
    private final Story story;
    private final DemoOptions options;
    private final Expectations expectations = new Expectations();
    private int lastId;

    Incident(
            DemoService accounts,
            DemoService transfers,
            CircuitBreaker breaker,
            BlockingQueue<CircuitTransition> transitions,
            Caller caller,
            Story story,
            DemoOptions options) {
        this.accounts = accounts;
        this.transfers = transfers;
        this.breaker = breaker;
        this.transitions = transitions;
        this.caller = caller;
        this.story = story;
        this.options = options;
    }

    Expectations play() throws IOException, InterruptedException {
        allIsWell();
        serviceFails();
        circuitIsOpen();
        probeFails();
        serviceHeals();
        return expectations;
    }

    private void allIsWell() throws IOException, InterruptedException {
        story.chapter("All is well: the services answer, the circuits are closed");
        for (int i = 0; i < HEALTHY_CALLS; i++) {
            callAccounts(200, "");
            callTransfers();
        }
        expectState(CircuitState.CLOSED);
    }

    private void serviceFails() throws IOException, InterruptedException {
        story.chapter("account-service begins to fail: its answers are passed on, and counted");
        accounts.fault(Fault.ERROR);
        for (int failures = 1; failures <= HEALTHY_CALLS; failures++) {
            int calls = HEALTHY_CALLS + failures;
            callAccounts(500, failures + " of " + calls + " failed");
        }
        CircuitTransition opened = transition(CircuitState.OPEN);
        expectations.expect("the reason of the opening", Reason.FAILURES, opened.reason());
        expectations.expect("the failures that opened the circuit", (long) HEALTHY_CALLS, opened.failures());
        expectations.expect("the calls counted at the opening", 2L * HEALTHY_CALLS, opened.calls());
    }

    private void circuitIsOpen() throws IOException, InterruptedException {
        story.chapter("The circuit is open: callers are told at once, the service is left alone");
        int before = accounts.calls();
        for (int i = 0; i < REJECTED_CALLS; i++) {
            callRejected();
            callTransfers();
        }
        int reached = accounts.calls() - before;
        story.note(reached + " of these " + REJECTED_CALLS + " calls reached account-service");
        expectations.expect("calls that reached the service behind the open circuit", 0, reached);
        awaitBreak();
    }

    private void probeFails() throws IOException, InterruptedException {
        story.chapter("The break is over: the next call is a probe, but the service still fails");
        int before = accounts.calls();
        callAccounts(500, "the probe");
        transition(CircuitState.HALF_OPEN);
        CircuitTransition reopened = transition(CircuitState.OPEN);
        expectations.expect("the reason of the second opening", Reason.PROBE_FAILED, reopened.reason());
        callRejected();
        callTransfers();
        expectations.expect("calls that reached the service, the probe alone", 1, accounts.calls() - before);
    }

    private void serviceHeals() throws IOException, InterruptedException {
        story.chapter("account-service has healed: after the break, the next probe finds out");
        accounts.fault(Fault.NONE);
        callRejected();
        awaitBreak();
        callAccounts(200, "the probe");
        transition(CircuitState.HALF_OPEN);
        CircuitTransition closed = transition(CircuitState.CLOSED);
        expectations.expect("the reason of the closing", Reason.PROBES_SUCCEEDED, closed.reason());
        callAccounts(200, "");
        callTransfers();
        callAccounts(200, "");
        expectState(CircuitState.CLOSED);
    }

    private void callAccounts(int expected, String note) throws IOException, InterruptedException {
        Answer answer = caller.call(ACCOUNTS + nextId());
        story.answer(answer, "from account-service" + (note.isEmpty() ? "" : ", " + note));
        expectations.expect("the answer to " + answer.path(), expected, answer.status());
        pause();
    }

    private void callTransfers() throws IOException, InterruptedException {
        Answer answer = caller.call(TRANSFERS + nextId());
        story.answer(answer, "from " + transfers.name());
        expectations.expect("the answer to " + answer.path(), 200, answer.status());
        pause();
    }

    private void callRejected() throws IOException, InterruptedException {
        Answer answer = caller.call(ACCOUNTS + nextId());
        long retryAfter = answer.retryAfter().orElse(0);
        story.answer(answer, "from the gateway, Retry-After: " + retryAfter);
        expectations.expect("the answer to " + answer.path(), 503, answer.status());
        boolean fits = retryAfter >= 1
                && retryAfter <= options.breakDuration().plusMillis(999).toSeconds();
        expectations.expect("whether Retry-After (" + retryAfter + ") is within the break", true, fits);
        pause();
    }

    private int nextId() {
        return ++lastId;
    }

    /** Waits for a transition, which is told in the background, and tells it. */
    private CircuitTransition transition(CircuitState to) throws IOException, InterruptedException {
        CircuitTransition transition = transitions.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (transition == null) {
            throw new IOException("the circuit should have become " + to + ", but is " + breaker.state());
        }
        story.transition(transition);
        expectations.expect("the state that the circuit entered", to, transition.to());
        return transition;
    }

    private void expectState(CircuitState state) {
        expectations.expect("the state of the circuit", state, breaker.state());
        expectations.expect("transitions that were not expected", 0, transitions.size());
    }

    private void awaitBreak() throws InterruptedException {
        Duration rest = breaker.snapshot().nextProbe().orElse(Duration.ZERO);
        story.note("... until the break is over");
        TimeSource.system().sleep(rest.plus(options.pace()).toNanos());
    }

    private void pause() throws InterruptedException {
        TimeSource.system().sleep(options.pace().toNanos());
    }
}
