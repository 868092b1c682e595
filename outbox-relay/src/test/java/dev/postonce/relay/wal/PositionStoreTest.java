package dev.postonce.relay.wal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.relay.outbox.Lsn;
import org.junit.jupiter.api.Test;

class PositionStoreTest {

    @Test
    void the_last_commit_is_the_position_and_the_last_change_only_before_any_commit() {
        assertThat(PositionStore.confirmable("{\"lsn_proc\":30,\"lsn_commit\":20,\"lsn\":40}"))
                .isEqualTo(20);
        assertThat(PositionStore.confirmable("{\"lsn_proc\":30,\"lsn_commit\":null,\"lsn\":40}"))
                .isEqualTo(30);
        assertThat(PositionStore.confirmable("{\"lsn\":40}")).isNull();
    }

    @Test
    void log_positions_survive_being_written_and_read() {
        for (long lsn : new long[] {0, 1, 0x1_0000_0000L, 0x16B3748L, 0xFFFF_FFFF_FFFF_FFFFL}) {
            assertThat(Lsn.parse(Lsn.format(lsn))).isEqualTo(lsn);
        }
        assertThat(Lsn.format(0x2_016B_3748L)).isEqualTo("2/16B3748");
    }
}
