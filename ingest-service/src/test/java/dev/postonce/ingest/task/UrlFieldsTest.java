package dev.postonce.ingest.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postonce.ingest.web.FieldError;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.http.OutgoingPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** URLs that an upstream may not make Postonce, or a platform, call; in each field that takes one. */
class UrlFieldsTest {

    private static final List<String> FIELDS = List.of("callback_url", "cover_url", "canonical_url");

    private static final SubmissionReader READER =
            new SubmissionReader(OutgoingPolicy.strict(Duration.ofSeconds(1), 100), 1_000);

    static final List<String> BAD = List.of(
            // Not https, or no URL at all.
            "http://example.com/",
            "HTTP://EXAMPLE.COM/",
            "ftp://example.com/",
            "ftps://example.com/",
            "file:///etc/passwd",
            "file://localhost/etc/passwd",
            "gopher://example.com:70/_x",
            "dict://example.com:11211/stat",
            "ldap://example.com/",
            "jar:https://example.com/a.jar!/",
            "data:text/html,x",
            "javascript:alert(1)",
            "mailto:a@example.com",
            "ws://example.com/",
            "//example.com/",
            "/path",
            "example.com",
            "https:example.com",
            "https:/example.com",
            "https:///example.com",
            "https://",
            "https://?q",
            "https://#f",
            "https://exa mple.com/",
            "https://example.com/a b",
            "https://example.com\\@127.0.0.1/",
            "https://example.com/%zz",
            // Somebody else's credentials, and hosts that hide behind them.
            "https://user@example.com/",
            "https://user:password@example.com/",
            "https://@example.com/",
            "https://example.com@127.0.0.1/",
            "https://127.0.0.1#@example.com/",
            // Other ports.
            "https://example.com:22/",
            "https://example.com:80/",
            "https://example.com:6379/",
            "https://example.com:8443/",
            "https://example.com:0/",
            "https://example.com:65536/",
            "https://example.com:-1/",
            "https://example.com:443:22/",
            // This machine.
            "https://localhost/",
            "https://LocalHost./",
            "https://a.localhost/",
            "https://127.0.0.1/",
            "https://127.1/",
            "https://127.0.0.1./",
            "https://127.127.127.127/",
            "https://0/",
            "https://0.0.0.0/",
            "https://2130706433/",
            "https://017700000001/",
            "https://0177.0.0.1/",
            "https://0x7f000001/",
            "https://0x7f.1/",
            "https://[::1]/",
            "https://[::]/",
            "https://[0:0:0:0:0:ffff:127.0.0.1]/",
            "https://[::ffff:7f00:1]/",
            // The own network, and clouds' metadata.
            "https://10.0.0.1/",
            "https://172.16.0.1/",
            "https://192.168.0.1/",
            "https://100.64.0.1/",
            "https://169.254.169.254/latest/meta-data/",
            "https://[fd00:ec2::254]/",
            "https://[fe80::1]/",
            "https://[64:ff9b::7f00:1]/",
            "https://metadata.google.internal/computeMetadata/v1/",
            "https://printer.local/",
            "https://router.home.arpa/",
            "https://kubernetes/",
            "https://postgres:443/",
            // Addresses of strangers are no names of receivers either.
            "https://8.8.8.8/",
            "https://[2606:4700:4700::1111]/",
            // Spellings that a resolver reads otherwise than a person.
            "https://１２７.0.0.1/",
            "https://127。0。0。1/",
            "https://ⓔxample.com/",
            "https://exa\u00ADmple.com/",
            "https://under_score.example.com/",
            "https://example..com/",
            "https://-example.com:x/",
            "https://%6c%6f%63alhost/");

    @ParameterizedTest
    @FieldSource("BAD")
    void a_bad_url_is_refused_in_each_field_that_takes_one(String url) {
        for (String field : FIELDS) {
            Refusal refusal = catchThrowableOfType(Refusal.class, () -> READER.read(task(field, url)));
            assertThat(refusal).as("%s %s", field, url).isNotNull();
            assertThat(refusal.errors()).extracting(FieldError::pointer).containsExactly("/" + field);
            assertThat(refusal.errors().get(0).detail())
                    .as("quotes nothing of it")
                    .doesNotContain("passwd", "password");
        }
    }

    @Test
    void there_are_enough_of_them() {
        assertThat(BAD).hasSizeGreaterThanOrEqualTo(60).doesNotHaveDuplicates();
    }

    @Test
    void a_public_url_is_taken_in_its_ascii_form() {
        for (String field : FIELDS) {
            READER.read(task(field, "https://hooks.example.com/postonce?a=b#c"));
            READER.read(task(field, "https://hooks.example.com:443/回调"));
        }
        assertThat(READER.read(task("callback_url", "https://hooks.example.com/回调"))
                        .callbackUrl())
                .isEqualTo("https://hooks.example.com/%E5%9B%9E%E8%B0%83");
    }

    private static ObjectNode task(String field, String url) {
        ObjectNode body = JsonMapper.builder().build().createObjectNode();
        body.put("title", "t").put("content_html", "<p>x</p>").put(field, url);
        body.putArray("target_platforms").add("webhook");
        return body;
    }
}
