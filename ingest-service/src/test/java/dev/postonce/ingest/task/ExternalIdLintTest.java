package dev.postonce.ingest.task;

import static dev.postonce.ingest.task.ExternalIdLint.Finding.CLOCK_PART;
import static dev.postonce.ingest.task.ExternalIdLint.Finding.NO_BUSINESS_PART;
import static dev.postonce.ingest.task.ExternalIdLint.Finding.NO_VERSION_PART;
import static dev.postonce.ingest.task.ExternalIdLint.Finding.RANDOM_UUID;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalIdLintTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "campaign_98231_v1",
                "double11_kv_20261111_v2",
                "CMS-98231-r3",
                "promo_rev12",
                "blog_zh_1111_version2",
                "facade_v1",
                "br_cms_98231",
                "brh_0123456789abcdef0123456789abcdef0123456789abcdef01234567",
                "fp_0123456789abcdef0123456789abcdef0123456789abcdef01234567"
            })
    void ids_that_a_retry_finds_again_have_no_finding(String id) {
        assertThat(ExternalIdLint.of(id)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "promo_8e03978e-40d5-43dd-bc93-6894a57f9324_v1",
                "promo_8e03978e40d543ddbc936894a57f9324_v1",
                "promo_8E03978E_40D5_43DD_BC93_6894A57F9324_v1",
                "promo_01893c3a-0000-7000-8000-000000000001_v1",
                "promo_01ARZ3NDEKTSV4RRFFQ69G5FAV_v1"
            })
    void random_identifiers_are_found_in_every_spelling(String id) {
        assertThat(ExternalIdLint.of(id)).containsExactly(RANDOM_UUID);
    }

    @Test
    void a_bare_uuid_says_neither_version_nor_business() {
        assertThat(ExternalIdLint.of("8e03978e-40d5-43dd-bc93-6894a57f9324"))
                .containsExactly(RANDOM_UUID, NO_VERSION_PART, NO_BUSINESS_PART);
    }

    @Test
    void a_uuid_that_is_a_digest_of_a_name_is_not_random() {
        assertThat(ExternalIdLint.of("promo_74738ff5-5367-5958-9aee-98fffdcd1876_v1"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"promo_1762819200_v1", "promo_1762819200123_v1", "promo-20261111000000-v1"})
    void a_point_in_time_is_found_and_a_date_is_not(String id) {
        assertThat(ExternalIdLint.of(id)).containsExactly(CLOCK_PART);
        assertThat(ExternalIdLint.of("promo_20261111_v1")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"promo_98231", "promov1", "promo_v", "vlog_98231"})
    void an_id_without_a_version_part_is_found(String id) {
        assertThat(ExternalIdLint.of(id)).containsExactly(NO_VERSION_PART);
    }

    @ParameterizedTest
    @ValueSource(strings = {"98231_v1", "task_98231_v1", "TEST-1-v1", "x_98231_v1", "0f3a99bd_v1", "_-_v1"})
    void an_id_that_does_not_say_what_it_is_about_is_found(String id) {
        assertThat(ExternalIdLint.of(id)).containsExactly(NO_BUSINESS_PART);
    }

    @Test
    void each_finding_is_told_in_both_languages() {
        for (ExternalIdLint.Finding finding : ExternalIdLint.Finding.values()) {
            assertThat(finding.code()).matches("[a-z_]+");
            assertThat(finding.message()).isNotBlank();
            assertThat(finding.messageZh()).isNotBlank();
        }
    }
}
