package dev.postonce.ingest.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentTasksTest {

    @Test
    void what_was_noted_is_hinted_at_for_its_tenant_alone() {
        RecentTasks recent = new RecentTasks();
        assertThat(recent.mayHave("alpha", "a_v1")).isFalse();
        recent.note("alpha", "a_v1");
        assertThat(recent.mayHave("alpha", "a_v1")).isTrue();
        assertThat(recent.mayHave("beta", "a_v1")).isFalse();
        assertThat(recent.mayHave("alpha", "a_v2")).isFalse();
    }

    @Test
    void ids_that_rise_are_spread_over_all_places() {
        RecentTasks recent = new RecentTasks();
        int ids = 20_000;
        for (int i = 0; i < ids; i++) {
            recent.note("alpha", "campaign_" + i + "_v1");
        }
        int kept = 0;
        for (int i = 0; i < ids; i++) {
            kept += recent.mayHave("alpha", "campaign_" + i + "_v1") ? 1 : 0;
        }
        assertThat(kept).isGreaterThan(ids * 8 / 10);
    }
}
