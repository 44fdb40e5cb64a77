package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.proxy.Ending.Repeat;
import dev.recloser.gateway.proxy.Ending.Verdict;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of endings, written once more by hand. */
class EndingTest {

    @ParameterizedTest
    @CsvSource({
        "circuit-open, 503, NOT_COUNTED, NO",
        "circuit-isolated, 503, NOT_COUNTED, NO",
        "limit, 503, NOT_COUNTED, NO",
        "queue-timeout, 503, NOT_COUNTED, NO",
        "rate-limit, 429, NOT_COUNTED, NO",
        "no-destination, 503, NOT_COUNTED, NO",
        "connect, 502, FAILURE, NEXT_DESTINATION",
        "connect-timeout, 504, FAILURE, NEXT_DESTINATION",
        "stale, 502, IGNORED, FRESH_CONNECTION",
        "upstream-closed, 502, FAILURE, BY_SETTING",
        "bad-response, 502, FAILURE, NO",
        "timeout, 504, FAILURE, BY_SETTING",
        "deadline, 504, FAILURE, NO",
        "body-cut, 0, FAILURE, NO",
        "upstream-5xx, 0, FAILURE, BY_STATUS",
        "ok, 0, SUCCESS, BY_STATUS",
        "upgraded, 0, SUCCESS, NO",
        "no-route, 404, NOT_COUNTED, NO",
        "method, 405, NOT_COUNTED, NO",
        "bad-request, 400, IGNORED, NO",
        "internal, 500, IGNORED, NO",
        "client-slow, 408, IGNORED, NO",
        "client-gone, 0, IGNORED, NO",
        "gateway-stopped, 0, IGNORED, NO"
    })
    void eachEndingIsOneRow(String reason, int status, Verdict verdict, Repeat repeat) {
        Ending ending = Arrays.stream(Ending.values())
                .filter(each -> each.reason().equals(reason))
                .findAny()
                .orElseThrow();
        assertThat(ending.status()).isEqualTo(status);
        assertThat(ending.verdict).isEqualTo(verdict);
        assertThat(ending.repeat).isEqualTo(repeat);
    }

    @Test
    void thereIsNoOther() {
        assertThat(Ending.values()).hasSize(24);
        assertThat(Ending.values()).extracting(Ending::reason).doesNotHaveDuplicates();
    }
}
