package dev.postonce.ingest.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.ingest.tenant.TenantPolicy.CheckLevel;
import dev.postonce.ingest.tenant.TenantPolicy.ContentPolicy;
import dev.postonce.ingest.tenant.TenantPolicy.DuplicatePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantPolicyFileTest {

    @TempDir
    private Path directory;

    private TenantPolicy policyOf(String member) throws IOException {
        Path file = directory.resolve("bootstrap.json");
        Files.writeString(
                file,
                "{\"tenants\":[{\"tenant_id\":\"dev\",\"name\":\"Dev\",\"environment\":\"dev\",\"keys\":[]" + member
                        + "}]}");
        return BootstrapFile.read(file).tenants().get(0).policy();
    }

    @Test
    void a_tenants_choices_are_read_and_what_it_leaves_open_has_its_default() throws IOException {
        assertThat(policyOf("")).isNull();
        assertThat(policyOf(",\"policy\":{}")).isEqualTo(TenantPolicy.DEFAULT);
        assertThat(policyOf(
                        ",\"policy\":{\"duplicate_policy\":\"refuse\",\"check_levels\":{\"random_uuid\":\"error\"}}"))
                .isEqualTo(new TenantPolicy(
                        DuplicatePolicy.REFUSE, ContentPolicy.REPLAY, Map.of("random_uuid", CheckLevel.ERROR)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"duplicate_policy\":\"no\" | tenants/0/policy/duplicate_policy must be accept or refuse",
                "\"content_policy\":7 | tenants/0/policy/content_policy must be replay or refuse",
                "\"check_levels\":{\"x\":\"loud\"} | tenants/0/policy/check_levels/x must be error, warning or off"
            })
    void an_unknown_choice_is_named_with_its_place(String member, String message) {
        assertThatThrownBy(() -> policyOf(",\"policy\":{" + member + "}")).hasMessageContaining(message);
    }
}
