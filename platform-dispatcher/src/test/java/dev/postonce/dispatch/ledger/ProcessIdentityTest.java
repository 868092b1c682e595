package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {

    private final ProcessIdentity self = ProcessIdentity.ofThisProcess();

    @Test
    void a_living_process_may_still_send() {
        assertThat(self.isCertainlyGone(self)).isFalse();
        assertThat(ProcessIdentity.ofThisProcess()).isEqualTo(self);
    }

    @Test
    void a_process_that_ended_is_gone() throws Exception {
        Process child = new ProcessBuilder("true").start();
        long pid = child.pid();
        assertThat(child.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(new ProcessIdentity(self.hostIdentity(), pid, "ticks:1").isCertainlyGone(self))
                .isTrue();
    }

    @Test
    void a_number_that_was_given_again_is_another_process() {
        assertThat(new ProcessIdentity(self.hostIdentity(), self.pid(), "ticks:1").isCertainlyGone(self))
                .isTrue();
    }

    @Test
    void nothing_is_proved_about_another_host_or_without_a_start_time() {
        assertThat(new ProcessIdentity("elsewhere", 999_999_999, "ticks:1").isCertainlyGone(self))
                .isFalse();
        assertThat(new ProcessIdentity(self.hostIdentity(), self.pid(), "unknown").isCertainlyGone(self))
                .isFalse();
    }
}
