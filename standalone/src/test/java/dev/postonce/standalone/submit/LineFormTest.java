package dev.postonce.standalone.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.standalone.submit.LineForm.Outcome.Faulty;
import dev.postonce.standalone.submit.LineForm.Outcome.Ready;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineFormTest {

    @Test
    void a_line_with_a_group_id_is_a_group_and_any_other_a_task() {
        assertThat(ready("{\"group_id\":\"@x\"}").kind()).isEqualTo(Submission.Kind.GROUP);
        assertThat(ready("{\"title\":\"x\"}").kind()).isEqualTo(Submission.Kind.TASK);
    }

    @Test
    void a_line_without_an_external_id_leaves_its_identity_to_the_service() {
        assertThat(ready("{\"title\":\"x\",\"slug\":\"y\"}").named()).isFalse();
        assertThat(ready("{\"title\":\"x\",\"external_id\":\"y\"}").named()).isTrue();
        assertThat(ready("{\"group_id\":\"@x\"}").named()).isTrue();
    }

    @Test
    void options_fill_what_is_absent_and_overrule_nothing() {
        LineForm form = new LineForm(null, List.of("wordpress", "webhook"), "brand_official", "http://127.0.0.1/cb");
        assertThat(ready(form, "{\"title\":\"x\"}").body())
                .isEqualTo("{\"title\":\"x\",\"target_platforms\":[\"wordpress\",\"webhook\"],"
                        + "\"group_code\":\"brand_official\",\"callback_url\":\"http://127.0.0.1/cb\"}");
        String own = "{\"target_platforms\":[\"zhihu\"],\"group_code\":\"g\",\"callback_url\":\"u\"}";
        assertThat(ready(form, own).body()).isEqualTo(own);
        assertThat(ready(form, "{\"group_id\":\"@x\"}").body()).isEqualTo("{\"group_id\":\"@x\"}");
    }

    @Test
    void fields_that_the_api_does_not_know_are_named() {
        assertThat(faulty("{\"title\":\"x\",\"contentmd\":\"y\",\"author\":\"z\"}"))
                .isEqualTo("has fields that the API does not know: contentmd, author");
        assertThat(faulty("{\"group_id\":\"@x\",\"slug\":\"y\"}")).contains("slug");
    }

    @Test
    void what_is_not_one_json_object_is_told() {
        assertThat(faulty("{\"title\":")).startsWith("is not JSON");
        assertThat(faulty("{} {}")).startsWith("is not JSON");
        assertThat(faulty("{\"title\":\"a\",\"title\":\"b\"}")).startsWith("is not JSON");
        assertThat(faulty("[1]")).isEqualTo("is not a JSON object");
    }

    @Test
    void blank_lines_are_counted_but_not_read_and_a_byte_order_mark_is_nothing() {
        LineSource lines = source("\uFEFF{\"title\":\"中文\"}\r\n\n  \n{\"title\":\"b\"}");
        LineSource.Line first = lines.next();
        assertThat(first).isNotNull();
        assertThat(first.text().strip()).isEqualTo("{\"title\":\"中文\"}");
        LineSource.Line second = lines.next();
        assertThat(second).isNotNull();
        assertThat(second.number()).isEqualTo(4);
        assertThat(lines.next()).isNull();
    }

    @Test
    void a_line_that_is_too_long_is_skipped_to_its_end() {
        LineSource lines = source("x".repeat(LineSource.LINE_CHARACTERS_MAX + 10) + "\n{}");
        LineSource.Line first = lines.next();
        assertThat(first).isNotNull();
        assertThat(first.tooLong()).isTrue();
        assertThat(LineForm.plain().read(first)).isInstanceOf(Faulty.class);
        LineSource.Line second = lines.next();
        assertThat(second).isNotNull();
        assertThat(second.text()).isEqualTo("{}");
    }

    @Test
    void bytes_that_are_no_utf8_stop_the_reading() {
        LineSource lines = new LineSource(new ByteArrayInputStream(new byte[] {'{', (byte) 0xC3, '}', '\n'}));
        assertThatThrownBy(lines::next).isInstanceOf(UncheckedIOException.class).hasMessageContaining("line 1");
    }

    static LineSource source(String text) {
        return new LineSource(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Submission ready(String text) {
        return ready(LineForm.plain(), text);
    }

    private static Submission ready(LineForm form, String text) {
        return ((Ready) form.read(new LineSource.Line(1, text, false))).submission();
    }

    private static String faulty(String text) {
        return ((Faulty) LineForm.plain().read(new LineSource.Line(1, text, false))).reason();
    }
}
