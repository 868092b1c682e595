package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.BETA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Whatever is sent, the answer is no accident: never a 5xx, always a body of the one form. */
class FuzzIT {

    private static final int REQUESTS = 5_000;
    private static final int THREADS = 8;
    private static final String[] NAMES = {
        "external_id",
        "business_ref_id",
        "group_code",
        "title",
        "content_html",
        "content_md",
        "cover_url",
        "summary",
        "tags",
        "category",
        "target_platforms",
        "callback_url",
        "canonical_url",
        "publish_at",
        "site",
        "slug",
        "language",
        "translation_key",
        "group_id",
        "operation",
        "nonsense",
        "\\u0000",
        "\\ud83d"
    };
    private static final String[] VALUES = {
        "null",
        "true",
        "-0",
        "1e999",
        "[]",
        "{}",
        "\"\"",
        "\"x\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"双11\"",
        "\"a b\"",
        "\"fuzz-1\"",
        "\"fuzz-2\"",
        "\"2026-11-11T00:00:00Z\"",
        "\"+999999999-12-31T23:59:59Z\"",
        "\"https://example.com/\"",
        "\"https://[::1\"",
        "\"http://%zz\"",
        "\"javascript:1\"",
        "[\"toutiao\"]",
        "[\"webhook\",\"webhook\"]",
        "[[[[1]]]]",
        "[null]",
        "\"<p>x</p>\"",
        "\"<div><![CDATA[x]]>\"",
        "\"'; drop table\"",
        "\"t.me/%e4%b8\"",
        "\"@name_ok\"",
        "\"-1001234567890\"",
        "\"\\u202e\"",
        "\"..\"",
        "\"%00\"",
        "\"\\n\"",
        "1",
        "\"\uD83D\uDE00\"",
        "\"&#0;<p>&#xD800;x\""
    };

    @Test
    void five_thousand_random_requests_give_no_5xx() {
        long seed = Long.getLong("postonce.fuzz.seed", 4711L);
        System.out.println("seed " + seed);
        List<Callable<List<String>>> work = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random(seed + thread);
            work.add(() -> requests(random, REQUESTS / THREADS));
        }

        assertThat(Intake.together(work))
                .allSatisfy(failures -> assertThat(failures).isEmpty());
        assertThat(Intake.count("ingest.task where external_id like 'fuzz-%' and tenant_id = 'beta'"))
                .isPositive();
    }

    private static List<String> requests(Random random, int count) {
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String path = random.nextInt(5) == 0 ? "/v1/groups" : "/v1/tasks";
            String body = body(random);
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create(Intake.service().url() + path))
                    .header("Authorization", "Bearer " + BETA)
                    .header("Content-Type", "application/json");
            if (random.nextInt(4) == 0) {
                request.header("Idempotency-Key", "\"fuzz " + random.nextInt(20) + "\"");
            }
            if (random.nextInt(20) == 0) {
                request = request.uri(URI.create(Intake.service().url() + path + "/"
                        + (random.nextBoolean() ? "%25zz%00" : "%E4%B8%AD%2F..%3F")));
                request.GET();
            } else {
                request.POST(BodyPublishers.ofString(body));
            }
            Answer answer = Intake.send(request.build());
            boolean formed = answer.body().has("ok") || answer.status() == 400;
            if (answer.status() >= 500 || !formed) {
                failures.add(answer.status() + " to " + path + " " + body + ": " + answer.text());
            }
        }
        return failures;
    }

    private static String body(Random random) {
        if (random.nextInt(25) == 0) {
            return new String[] {"", "{", "[]", "{\"a\":", "\u0000", "{}x", "[".repeat(2000)}[random.nextInt(7)];
        }
        StringBuilder body = new StringBuilder("{");
        boolean nearlyRight = random.nextInt(3) > 0;
        if (nearlyRight) {
            body.append("\"title\":\"t")
                    .append(random.nextInt(3))
                    .append("\",\"content_html\":\"<p>x")
                    .append(random.nextInt(3))
                    .append("</p>\",\"target_platforms\":[\"webhook\"],\"external_id\":\"fuzz-")
                    .append(random.nextInt(30))
                    .append('"');
        }
        for (int field = random.nextInt(nearlyRight ? 2 : 9); field > 0; field--) {
            if (body.length() > 1) {
                body.append(',');
            }
            body.append('"')
                    .append(NAMES[random.nextInt(NAMES.length)])
                    .append("\":")
                    .append(VALUES[random.nextInt(VALUES.length)]);
        }
        return body.append('}').toString();
    }
}
