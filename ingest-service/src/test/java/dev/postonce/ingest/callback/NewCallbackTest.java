package dev.postonce.ingest.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class NewCallbackTest {

    private static NewCallback callback(String tenant, long dispatchVersion) {
        return new NewCallback(
                tenant,
                "mall_promo_1111_kv_v2",
                "双11-活动",
                "wordpress",
                "published",
                "https://blog.example.com/p/1",
                null,
                2,
                dispatchVersion,
                Instant.parse("2026-11-11T00:00:01.5Z"));
    }

    @Test
    void the_body_holds_every_member_in_a_fixed_order() {
        assertThat(callback("mall", 3).body(7))
                .isEqualTo("{\"external_id\":\"mall_promo_1111_kv_v2\",\"business_ref_id\":\"双11-活动\","
                        + "\"platform\":\"wordpress\",\"status\":\"published\","
                        + "\"platform_url\":\"https://blog.example.com/p/1\",\"error_code\":null,\"sequence\":7,"
                        + "\"task_version\":2,\"occurred_at\":\"2026-11-11T00:00:01.500Z\"}");
    }

    @Test
    void the_id_is_the_same_whenever_it_is_made_and_another_for_each_version_and_tenant() {
        assertThat(callback("mall", 3).webhookId())
                .isEqualTo(callback("mall", 3).webhookId())
                .matches("msg_[0-9a-f]{32}")
                .isNotEqualTo(callback("mall", 4).webhookId())
                .isNotEqualTo(callback("dev", 3).webhookId());
    }
}
