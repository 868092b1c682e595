package dev.postonce.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlGuardTest {

    private static final OutgoingPolicy STRICT = OutgoingPolicy.strict(Duration.ofSeconds(1), 100);
    private static final OutgoingPolicy LOOPBACK = OutgoingPolicy.loopbackToo(Duration.ofSeconds(1), 100);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com/",
                "HTTP://example.com/",
                "ftp://example.com/",
                "file:///etc/passwd",
                "jar:https://example.com/a.jar!/",
                "gopher://example.com/",
                "mailto:a@example.com",
                "javascript:alert(1)",
                "//example.com/path",
                "example.com",
                "/path",
                "",
                "https:///path",
                "https://?q",
                "https://user@example.com/",
                "https://user:password@example.com/",
                "https://@example.com/",
                "https://example.com@127.0.0.1/",
                "https://example.com:80/",
                "https://example.com:8443/",
                "https://example.com:0/",
                "https://example.com:22/",
                "https://example.com:65536/",
                "https://localhost/",
                "https://LOCALHOST/",
                "https://localhost./",
                "https://app.localhost/",
                "https://printer.local/",
                "https://metadata.google.internal/",
                "https://METADATA.GOOGLE.INTERNAL./",
                "https://router.home.arpa/",
                "https://kubernetes/",
                "https://postgres/",
                "https://127.0.0.1/",
                "https://127.1/",
                "https://127.0.0.1./",
                "https://2130706433/",
                "https://0x7f000001/",
                "https://0x7f.0.0.1/",
                "https://0177.0.0.1/",
                "https://017700000001/",
                "https://0/",
                "https://0.0.0.0/",
                "https://10.0.0.1/",
                "https://169.254.169.254/latest/meta-data/",
                "https://192.168.1.1/",
                "https://8.8.8.8/",
                "https://[::1]/",
                "https://[::]/",
                "https://[::ffff:127.0.0.1]/",
                "https://[fe80::1%25eth0]/",
                "https://[2606:4700::1111]/",
                "https://[fd00::1]/",
                "https://under_score.example.com/",
                "https://双11.example.com/",
                "https://ｅxample.com/",
                "https://127。0。0。1/",
                "https://①②⑦.0.0.1/",
                "https://exa%6dple.com/",
            })
    void a_bad_url_is_refused(String url) throws URISyntaxException {
        assertThat(UrlGuard.refusalOf(new URI(url), STRICT)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.com",
                "https://example.com:443/a?b=c#d",
                "HTTPS://Example.COM/",
                "https://hooks.example.cn/postonce/回调",
                "https://xn--11-9j5a.example.com/",
                "https://1password.example/",
                "https://example.com./"
            })
    void a_public_url_may_be_tried(String url) throws URISyntaxException {
        assertThat(UrlGuard.refusalOf(new URI(url), STRICT)).isEmpty();
    }

    @Test
    void the_switch_for_loopback_opens_loopback_and_no_other_address() {
        assertThat(UrlGuard.refusalOf(URI.create("http://127.0.0.1:8090/hook"), LOOPBACK))
                .isEmpty();
        assertThat(UrlGuard.refusalOf(URI.create("http://localhost:1/"), LOOPBACK))
                .isEmpty();
        assertThat(UrlGuard.refusalOf(URI.create("http://[::1]:8090/"), LOOPBACK))
                .isEmpty();
        assertThat(UrlGuard.refusalOf(URI.create("http://10.0.0.1/"), LOOPBACK)).isPresent();
        assertThat(UrlGuard.refusalOf(URI.create("http://169.254.169.254/"), LOOPBACK))
                .isPresent();
        assertThat(UrlGuard.refusalOf(URI.create("http://example.com:8090/"), LOOPBACK))
                .isPresent();
        assertThat(UrlGuard.refusalOf(URI.create("http://user@127.0.0.1/"), LOOPBACK))
                .isPresent();
        assertThat(UrlGuard.refusalOf(URI.create("file://localhost/etc/passwd"), LOOPBACK))
                .isPresent();
    }

    @Test
    void a_url_has_a_limit_of_length() {
        assertThat(UrlGuard.refusalOf(URI.create("https://example.com/" + "a".repeat(2028)), STRICT))
                .isEmpty();
        assertThat(UrlGuard.refusalOf(URI.create("https://example.com/" + "a".repeat(2029)), STRICT))
                .isPresent();
    }
}
