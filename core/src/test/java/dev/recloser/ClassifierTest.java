package dev.recloser;

import static dev.recloser.OutcomeClass.FAILURE;
import static dev.recloser.OutcomeClass.IGNORED;
import static dev.recloser.OutcomeClass.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Into which class an outcome falls. */
class ClassifierTest {

    private static final Classifier<String> DEFAULTS = Classifier.defaults();
    private final TimedOutException timedOut = new TimedOutException("p", "timeout", 1, null);
    private final CircuitOpenException open = new CircuitOpenException("p", "cb", 0, new IOException());

    private static OutcomeClass of(Classifier<String> classifier, Throwable error) {
        return classifier.classify(null, error);
    }

    @Test
    void byDefaultValuesAreSuccessesAndExceptionsFailures() {
        assertThat(DEFAULTS.classify("value", null)).isEqualTo(SUCCESS);
        assertThat(DEFAULTS.classify(null, null)).isEqualTo(SUCCESS);
        assertThat(of(DEFAULTS, new IOException())).isEqualTo(FAILURE);
        assertThat(of(DEFAULTS, new SocketTimeoutException())).isEqualTo(FAILURE);
        assertThat(of(DEFAULTS, timedOut)).isEqualTo(FAILURE);
    }

    @Test
    void byDefaultTheFourFamiliesAreIgnored() {
        assertThat(of(DEFAULTS, new CancellationException())).isEqualTo(IGNORED);
        assertThat(of(DEFAULTS, new InterruptedException())).isEqualTo(IGNORED);
        assertThat(of(DEFAULTS, new ClosedByInterruptException())).isEqualTo(IGNORED);
        assertThat(of(DEFAULTS, new StackOverflowError())).isEqualTo(IGNORED);
        assertThat(of(DEFAULTS, open)).isEqualTo(IGNORED);
    }

    @Test
    void onlyWhatIsNamedCountsOnceSomethingIs() {
        Classifier<String> named = DEFAULTS.handle(IOException.class);
        assertThat(of(named, new FileNotFoundException())).isEqualTo(FAILURE);
        assertThat(of(named, new IllegalStateException())).isEqualTo(IGNORED);
        Classifier<String> more = named.when(e -> e.getMessage() != null);
        assertThat(of(more, new IllegalStateException("said"))).isEqualTo(FAILURE);
        assertThat(of(more, new IllegalStateException())).isEqualTo(IGNORED);
    }

    @Test
    void timeoutCountsUnlessItIsIgnoredByName() {
        assertThat(of(DEFAULTS.handle(IOException.class), timedOut)).isEqualTo(FAILURE);
        assertThat(of(DEFAULTS.when(e -> false), timedOut)).isEqualTo(FAILURE);
        assertThat(of(DEFAULTS.ignore(TimedOutException.class), timedOut)).isEqualTo(IGNORED);
    }

    @Test
    void familyCountsOnlyIfOneOfItsOwnClassesIsNamed() {
        assertThat(of(DEFAULTS.handle(Throwable.class), new InterruptedException()))
                .isEqualTo(IGNORED);
        assertThat(of(DEFAULTS.handle(InterruptedException.class), new InterruptedException()))
                .isEqualTo(FAILURE);
        assertThat(of(DEFAULTS.handle(OutOfMemoryError.class), new OutOfMemoryError()))
                .isEqualTo(FAILURE);
        assertThat(of(DEFAULTS.handle(OutOfMemoryError.class), new StackOverflowError()))
                .isEqualTo(IGNORED);
        assertThat(of(DEFAULTS.handle(RuntimeException.class), open)).isEqualTo(IGNORED);
        assertThat(of(DEFAULTS.handle(CircuitOpenException.class), open)).isEqualTo(FAILURE);
        assertThat(of(DEFAULTS.when(e -> true), open)).isEqualTo(IGNORED);
    }

    @Test
    void ignoringWinsOverEverythingElse() {
        Classifier<String> both = DEFAULTS.handle(IOException.class).ignore(FileNotFoundException.class);
        assertThat(of(both, new FileNotFoundException())).isEqualTo(IGNORED);
        assertThat(of(both, new IOException())).isEqualTo(FAILURE);
        assertThat(of(DEFAULTS.ignoreWhen(e -> "mine".equals(e.getMessage())), new IOException("mine")))
                .isEqualTo(IGNORED);
    }

    @Test
    void causesCountIfAskedForButNotThoseOfARejection() {
        Classifier<String> causes = DEFAULTS.handle(IOException.class).includingCauses();
        assertThat(of(causes, new CompletionException(new IllegalStateException(new IOException()))))
                .isEqualTo(FAILURE);
        assertThat(of(DEFAULTS.handle(IOException.class), new CompletionException(new IOException())))
                .isEqualTo(IGNORED);
        assertThat(of(causes, open))
                .as("its cause is the failure that opened the circuit")
                .isEqualTo(IGNORED);
        Exception circle = new Exception();
        circle.initCause(new Exception(circle));
        assertThat(of(causes, circle)).isEqualTo(IGNORED);
    }

    @Test
    void resultsAreFailuresIfAPredicateAcceptsThem() {
        Classifier<String> results = DEFAULTS.handleResult(value -> value == null || value.isEmpty());
        assertThat(results.classify("", null)).isEqualTo(FAILURE);
        assertThat(results.classify(null, null)).isEqualTo(FAILURE);
        assertThat(results.classify("value", null)).isEqualTo(SUCCESS);
        assertThat(of(results, new IOException())).isEqualTo(FAILURE);
    }

    @Test
    void timeoutsCountOnlyIfNamedWhereThatIsAskedFor() {
        TimedOutException timeout = new TimedOutException("p", "timeout", 1, null);
        Classifier<String> only = DEFAULTS.onlyWhatIsNamed();
        assertThat(of(only, timeout)).isEqualTo(FAILURE);
        assertThat(of(only.handle(IOException.class), timeout)).isEqualTo(IGNORED);
        assertThat(of(only.handle(CircuitOpenException.class), timeout)).isEqualTo(IGNORED);
        assertThat(of(only.handle(TimedOutException.class), timeout)).isEqualTo(FAILURE);
        assertThat(of(only.handle(RejectedException.class), timeout)).isEqualTo(FAILURE);
        assertThat(of(only.when(e -> e == timeout), timeout)).isEqualTo(FAILURE);
        assertThat(of(DEFAULTS.handle(IOException.class).onlyWhatIsNamed(), timeout))
                .isEqualTo(IGNORED);
    }

    @Test
    void exceptionsAreIgnoredWhereOnlyResultsAreNamedAndOnlyTheyAreAskedFor() {
        Classifier<String> only = DEFAULTS.onlyWhatIsNamed().handleResult(""::equals);
        assertThat(only.classify("", null)).isEqualTo(FAILURE);
        assertThat(of(only, new IOException())).isEqualTo(IGNORED);
        assertThat(of(only.handle(IOException.class), new IOException())).isEqualTo(FAILURE);
    }

    @Test
    void functionsAreNeverNull() {
        assertThatThrownBy(() -> DEFAULTS.when(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> DEFAULTS.handle(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> DEFAULTS.handleResult(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void classifierSaysWhatItDoes() {
        assertThat(DEFAULTS).hasToString("exceptions");
        assertThat(DEFAULTS.onlyWhatIsNamed()).hasToString("exceptions");
        assertThat(DEFAULTS.handleResult("empty", ""::equals)).hasToString("failures: exceptions, results of empty");
        assertThat(DEFAULTS.handleResult("empty", ""::equals).onlyWhatIsNamed())
                .hasToString("failures: results of empty; only what is named");
        assertThat(DEFAULTS.handle(IOException.class)
                        .when("mine", e -> true)
                        .ignore(FileNotFoundException.class)
                        .handleResult(value -> false)
                        .includingCauses())
                .hasToString("failures: java.io.IOException, mine, results of a function; ignored:"
                        + " java.io.FileNotFoundException; causes too");
    }
}
