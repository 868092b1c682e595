package dev.postonce.dispatch.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.runtime.http.HttpOutcome.Answered;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhookRefusalTest {

    private static final long NOON = Instant.parse("2026-11-30T12:00:00Z").getEpochSecond();

    @Test
    void a_refusal_is_final() {
        assertThat(refused(401, NOON)).isEqualTo(new Outcome.Refused("http_401", null, null));
        assertThat(refused(401, NOON - 59)).isInstanceOf(Outcome.Refused.class);
        assertThat(refused(410, NOON)).isEqualTo(new Outcome.Refused("endpoint_gone", null, null));
        assertThat(WebhookConnector.refused(new Answered(401, Map.of(), new byte[0], false), NOON - 7200))
                .as("nobody knows which time it is there")
                .isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void a_signature_that_is_refused_while_the_clocks_differ_is_made_again_later() {
        for (int status : List.of(400, 401, 403)) {
            assertThat(refused(status, NOON - 7200))
                    .isEqualTo(new Outcome.NotSent("clocks_differ", "the endpoint's clock is 7200 s ahead"));
            assertThat(refused(status, NOON + 3600)).isInstanceOf(Outcome.NotSent.class);
        }
        assertThat(refused(413, NOON - 7200)).as("no matter of time").isInstanceOf(Outcome.Refused.class);
    }

    private static Outcome refused(int status, long signedAt) {
        Map<String, List<String>> headers = Map.of("date", List.of("Mon, 30 Nov 2026 12:00:00 GMT"));
        return WebhookConnector.refused(new Answered(status, headers, new byte[0], false), signedAt);
    }
}
