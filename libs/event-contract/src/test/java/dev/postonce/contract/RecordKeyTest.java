package dev.postonce.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordKeyTest {

    @Test
    void the_first_colon_divides_tenant_and_aggregate() {
        RecordKey key = RecordKey.parse("dev:submit_index/u:java_beijing");
        assertThat(key.tenantId()).isEqualTo("dev");
        assertThat(key.aggregateId()).isEqualTo("submit_index/u:java_beijing");
        assertThat(key).isEqualTo(RecordKey.ofGroup("dev", "submit_index", "u:java_beijing"));
        assertThat(RecordKey.parse(key.toString())).isEqualTo(key);
    }

    @Test
    void a_target_is_named_by_task_and_platform() {
        assertThat(RecordKey.ofTarget("mall", "kv_v2", Platform.WECHAT_MP)).hasToString("mall:kv_v2/wechat_mp");
        assertThat(RecordKey.ofTask("mall", "kv_v2")).hasToString("mall:kv_v2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "dev",
                ":a",
                "dev:",
                "Dev:a",
                "-dev:a",
                "a b:c",
                "租户:a",
                "dev\n:a",
                "a23456789012345678901234567890123:a"
            })
    void what_is_not_tenant_and_aggregate_is_refused(String text) {
        assertThatThrownBy(() -> RecordKey.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
