package dev.postonce.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SubmitSignatureTest {

    private static final String SECRET = "pis_c2FtcGxlLWludGFrZS1zZWNyZXQtZm9yLXRlc3Rz";
    private static final byte[] VALUE = "{\"title\":\"双11\"}".getBytes(StandardCharsets.UTF_8);
    private static final String TYPE = SubmitType.TASK_SUBMIT.ceType();

    @Test
    void the_signature_is_what_other_languages_compute() {
        // python3: hmac.new(secret, b"id-1\n" + type + b"\n" + value, "sha256").hexdigest()
        assertThat(SubmitSignature.of(SECRET, "id-1", TYPE, VALUE))
                .isEqualTo("v1=af53e8f7b615bb180a387b7165916bb5129f16ebfda156336a16e1c7a30a17d7");
    }

    @Test
    void another_id_type_value_or_secret_does_not_match() {
        String signature = SubmitSignature.of(SECRET, "id-1", TYPE, VALUE);
        String other = SubmitType.TASK_WITHDRAW.ceType();

        assertThat(SubmitSignature.matches(signature, SECRET, "id-1", TYPE, VALUE))
                .isTrue();
        assertThat(SubmitSignature.matches(signature, SECRET, "id-2", TYPE, VALUE))
                .isFalse();
        assertThat(SubmitSignature.matches(signature, SECRET, "id-1", other, VALUE))
                .isFalse();
        assertThat(SubmitSignature.matches(signature, SECRET, "id-1", TYPE, new byte[] {1}))
                .isFalse();
        assertThat(SubmitSignature.matches(signature, "pis_another", "id-1", TYPE, VALUE))
                .isFalse();
        assertThat(SubmitSignature.matches("", SECRET, "id-1", TYPE, VALUE)).isFalse();
    }
}
