package dev.postonce.index.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.index.Samples;
import dev.postonce.index.access.JdbcApiKeys.StoredKey;
import dev.postonce.index.problem.ProblemException;
import dev.postonce.runtime.ApiKeyToken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ApiKeysTest {

    private final ApiKeyToken token = Samples.token("key1");
    private final List<StoredKey> stored = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private Instant now = Instant.parse("2026-11-29T12:00:00Z");
    private final ApiKeys keys = new ApiKeys(this::ask, Samples.PEPPER, Duration.ofSeconds(3), () -> now);

    private List<StoredKey> ask(String keyId) {
        asked.incrementAndGet();
        return keyId.equals("key1") ? List.copyOf(stored) : List.of();
    }

    @Test
    void the_secret_tells_whose_key_it_is_where_two_tenants_have_one_id() {
        ApiKeyToken other = ApiKeyToken.generate("test", "key1", new java.util.Random(99));
        stored.add(new StoredKey(other.digest(Samples.PEPPER), new Caller("tenant-b", "b", Set.of("read"))));
        stored.add(new StoredKey(token.digest(Samples.PEPPER), new Caller("tenant-a", "a", Set.of("read"))));
        assertThat(keys.authenticate("Bearer " + token.reveal(), "read").tenantId())
                .isEqualTo("tenant-a");
    }

    @Test
    void no_key_junk_an_unknown_and_a_wrong_one_are_answered_alike() {
        stored.add(new StoredKey("0".repeat(64), new Caller("tenant-a", "a", Set.of("read"))));
        String good = token.reveal();
        for (String bad : new String[] {
            null,
            "",
            "Basic x",
            good,
            "Bearer ",
            "Bearer junk",
            "Bearer " + good,
            "Bearer " + good.replace("key1", "key2")
        }) {
            assertThatThrownBy(() -> keys.authenticate(bad, "read"))
                    .isInstanceOfSatisfying(ProblemException.class, e -> assertThat(e.errorCode())
                            .isEqualTo("unauthorized"));
        }
    }

    @Test
    void a_scope_is_needed() {
        stored.add(new StoredKey(token.digest(Samples.PEPPER), new Caller("tenant-a", "a", Set.of("submit"))));
        assertThatThrownBy(() -> keys.authenticate("Bearer " + token.reveal(), "read"))
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.errorCode()).isEqualTo("forbidden"));
    }

    @Test
    void answers_are_remembered_for_a_few_seconds_and_a_revoked_key_no_longer() {
        stored.add(new StoredKey(token.digest(Samples.PEPPER), new Caller("tenant-a", "a", Set.of("read"))));
        for (int i = 0; i < 10; i++) {
            keys.authenticate("Bearer " + token.reveal(), "read");
        }
        assertThat(asked).hasValue(1);
        stored.clear();
        now = now.plusSeconds(4);
        assertThatThrownBy(() -> keys.authenticate("Bearer " + token.reveal(), "read"))
                .isInstanceOf(ProblemException.class);
        assertThat(asked).hasValue(2);
    }

    @Test
    void a_clock_that_was_set_back_keeps_no_revoked_key_alive_and_what_is_asked_then_is_remembered() {
        stored.add(new StoredKey(token.digest(Samples.PEPPER), new Caller("tenant-a", "a", Set.of("read"))));
        keys.authenticate("Bearer " + token.reveal(), "read");
        now = now.minusSeconds(7200);
        keys.authenticate("Bearer " + token.reveal(), "read");
        keys.authenticate("Bearer " + token.reveal(), "read");
        assertThat(asked).hasValue(2);
        stored.clear();
        now = now.minusSeconds(7200);
        assertThatThrownBy(() -> keys.authenticate("Bearer " + token.reveal(), "read"))
                .isInstanceOf(ProblemException.class);
    }
}
