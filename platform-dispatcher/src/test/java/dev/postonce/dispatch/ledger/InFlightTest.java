package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.target.TargetId;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InFlightTest {

    private static final UUID ATTEMPT = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final InFlight inFlight = new InFlight();
    private final Lease lease = lease(1);
    private final Lease another = lease(2);

    private static Lease lease(int token) {
        return new Lease(new TargetId("dev", "task", Platform.WORDPRESS), token, null, Instant.EPOCH, 0, 1_000);
    }

    @Test
    void an_attempt_may_be_sent_until_its_lease_ends() {
        inFlight.begin(lease);
        inFlight.mayStillSend(ATTEMPT, lease);
        assertThat(inFlight.sends(ATTEMPT)).isTrue();
        assertThat(inFlight.leases()).containsExactly(lease);
        inFlight.end(lease);
        assertThat(inFlight.sends(ATTEMPT)).isFalse();
        assertThat(inFlight.leases()).isEmpty();
        assertThat(inFlight.untold()).isEmpty();
    }

    @Test
    void what_could_not_be_written_is_kept_until_it_is_told() {
        inFlight.begin(lease);
        inFlight.mayStillSend(ATTEMPT, lease);
        inFlight.begin(another);
        inFlight.mayStillSend(OTHER, another);
        inFlight.endUntold(lease);
        assertThat(inFlight.untold()).containsExactly(ATTEMPT);
        assertThat(inFlight.sends(ATTEMPT)).isFalse();
        assertThat(inFlight.sends(OTHER)).isTrue();
        inFlight.told(Set.of(ATTEMPT));
        assertThat(inFlight.untold()).isEmpty();
    }
}
