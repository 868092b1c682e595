package dev.postonce.ingest.batch;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.READ_ONLY;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.platforms;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.together;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.postonce.contract.Digests;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.TaskState;
import dev.postonce.ingest.Intake;
import dev.postonce.ingest.Intake.Answer;
import dev.postonce.ingest.Logged;
import dev.postonce.ingest.batch.Batches.Answered;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class BatchIT {

    private static ObjectNode small(String id) {
        ObjectNode body = Intake.JSON
                .createObjectNode()
                .put("external_id", id)
                .put("title", "t " + id)
                .put("content_html", "<p>" + id + "</p>");
        return platforms(body, "webhook");
    }

    @Test
    void each_line_is_answered_by_its_number_and_one_bad_line_harms_no_other() {
        post(ALPHA, "/v1/tasks", small("bt-old"), "Idempotency-Key", "bt-old-key");
        List<Object> lines = List.of(
                small("bt-1").put("idempotency_key", "bt-key-1"),
                "",
                "{\"title\":",
                small("bt-1"),
                small("bt-2").put("nonsense", 1),
                small("bt-old"),
                small("bt-3").put("idempotency_key", "bt-old-key"),
                small("bt-4").put("title", "x".repeat(400)),
                "[1]",
                platforms(small("bt-old"), "webhook", "wordpress"),
                small("bt-5").put("idempotency_key", 7),
                small("bt-6").put("content_html", "<script>x</script>"),
                small("bt-7"));

        Answered answered = Batches.send(ALPHA, lines, "X-Request-Id", "bt-request");

        assertThat(answered.answers().stream().map(answer -> answer.path("line").asInt()))
                .containsExactly(1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
        assertThat(answered.statuses()).containsExactly(201, 400, 200, 400, 200, 422, 400, 400, 200, 400, 400, 201);
        assertThat(answered.line(1).path("idempotency_key").asString()).isEqualTo("bt-key-1");
        assertThat(answered.line(4).path("id")).isEqualTo(answered.line(1).path("id"));
        assertThat(answered.line(4).path("idempotent_replay").asBoolean()).isTrue();
        assertThat(answered.line(5).path("errors").get(0).path("pointer").asString())
                .isEqualTo("/nonsense");
        assertThat(answered.line(7).path("error_code").asString()).isEqualTo("idempotency_key_reused");
        assertThat(answered.line(10).path("added_platforms").get(0).asString()).isEqualTo("wordpress");
        assertThat(answered.line(13).path("request_id").asString()).isEqualTo("bt-request:13");
        JsonNode summary = answered.summary();
        assertThat(summary.path("complete").asBoolean()).isTrue();
        assertThat(summary.path("created").asInt()).isEqualTo(2);
        assertThat(summary.path("replayed").asInt()).isEqualTo(2);
        assertThat(summary.path("updated").asInt()).isEqualTo(1);
        assertThat(summary.path("refused").asInt()).isEqualTo(7);
        assertThat(count("ingest.audit where request_id like 'bt-request:%'")).isEqualTo(12);
        assertThat(count("ingest.task where external_id in ('bt-2', 'bt-3', 'bt-4', 'bt-5', 'bt-6')"))
                .isZero();
    }

    @Test
    void a_line_leaves_what_a_single_submission_leaves() {
        ObjectNode whole = article("bt-whole", "zh", "正文 \"quoted\" \\ back")
                .put("external_id", "bt-whole")
                .put("publish_at", "2026-12-01T00:00:00Z")
                .put("callback_url", "https://cms.example.com/callback");
        whole.putArray("tags").add("双\"11").add("a\\b").add("{,}");
        Answered answered = Batches.send(
                ALPHA, List.of(small("bt-beside"), whole.deepCopy().put("idempotency_key", "bt-whole-key")));

        Answer single = post(ALPHA, "/v1/tasks", whole, "Idempotency-Key", "bt-whole-key");

        assertThat(answered.statuses()).containsExactly(201, 201);
        assertThat(single.status()).as(single.text()).isEqualTo(200);
        ObjectNode expected = ((ObjectNode) answered.line(2).deepCopy()).put("idempotent_replay", true);
        expected.remove(List.of("line", "status_code", "idempotency_key"));
        expected.put("request_id", single.at("request_id"));
        assertThat(single.body()).isEqualTo(expected);
        TaskState state = EventJson.read(
                Intake.sql()
                        .sql("select data from ingest.outbox_event where record_key = 'alpha:bt-whole'")
                        .query(String.class)
                        .single(),
                TaskState.class);
        assertThat(state.contentDigest()).isEqualTo(Digests.ofState(state));
        assertThat(state.tags()).containsExactly("双\"11", "a\\b", "{,}");
        assertThat(count("ingest.task where external_id = 'bt-whole' and content_digest = ?", state.contentDigest()))
                .isEqualTo(1);
        assertThat(
                        count(
                                "ingest.task_content where external_id = 'bt-whole' and raw_content like '%\"quoted\" \\\\ back'"))
                .isEqualTo(1);
        assertThat(count("ingest.target where external_id = 'bt-whole'")).isEqualTo(2);
        assertThat(get(ALPHA, "/v1/tasks/bt-whole").strings("tags")).containsExactly("双\"11", "a\\b", "{,}");
    }

    @Test
    void a_header_gives_each_line_a_key_of_its_own_whatever_its_place() {
        List<ObjectNode> lines = List.of(small("bk-1"), small("bk-2"), small("bk-3"));
        Answered first = Batches.send(ALPHA, lines, "Idempotency-Key", "bk-batch");
        Answered again = Batches.send(ALPHA, List.of(lines.get(2), lines.get(0)), "Idempotency-Key", "bk-batch");

        String key = first.line(3).path("idempotency_key").asString();
        assertThat(key).startsWith("bk-batch:");
        assertThat(again.line(1).path("idempotency_key").asString()).isEqualTo(key);
        assertThat(again.statuses()).containsExactly(200, 200);
        assertThat(get(ALPHA, "/v1/requests/" + key)
                        .body()
                        .path("requests")
                        .get(0)
                        .path("external_id")
                        .asString())
                .isEqualTo("bk-3");
    }

    @Test
    void the_lines_up_to_the_limit_are_answered_to_a_client_that_reads_only_afterwards_and_the_next_one_is_not_taken() {
        List<String> lines = new ArrayList<>();
        for (int i = 1; i <= 10_001; i++) {
            // Blank lines count.
            lines.add(i % 50 == 0 || i == 10_001 ? small("big-" + i).toString() : "");
        }
        Answered answered = Batches.send(BETA, lines);

        assertThat(answered.statuses()).hasSize(200).containsOnly(201);
        assertThat(answered.summary().path("complete").asBoolean(true)).isFalse();
        assertThat(answered.summary().path("ended_by").asString()).isEqualTo("too_many_lines");
        assertThat(count("ingest.task where external_id = 'big-10001'")).isZero();
        assertThat(count("ingest.outbox_event where record_key like 'beta:big-%'"))
                .isEqualTo(200);
    }

    @Test
    void what_cannot_be_stored_yet_is_not_read_into_memory() throws Exception {
        post(ALPHA, "/v1/tasks", small("flood-like"));
        String text = "<p>" + "flood ".repeat(8_000) + "</p>";
        long offered = 60_000_000;
        try (Connection other = Intake.database().asSuperuser().getConnection();
                Wire wire = new Wire()) {
            other.setAutoCommit(false);
            // The first line waits for this row, and the batch with it.
            other.createStatement()
                    .execute("insert into ingest.task select (jsonb_populate_record(t,"
                            + " jsonb_build_object('external_id', 'flood-0', 'task_id', gen_random_uuid()))).*"
                            + " from ingest.task t where external_id = 'flood-like'");

            long taken =
                    wire.sendUntilItStalls(number -> small("flood-" + number).put("content_html", text), offered, 700);

            // What is in hand, and what both ends' sockets hold.
            assertThat(taken).isLessThan(14_000_000);
            wire.cut();
            other.rollback();
        }
    }

    @Test
    void more_batches_at_once_than_the_process_takes_are_refused_until_one_ends() throws Exception {
        List<Wire> open = new ArrayList<>();
        try {
            // Those of other tests may still be on their way out.
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                Wire wire = new Wire();
                wire.send(small("crowd"));
                if (wire.answer().has("line")) {
                    open.add(wire);
                } else {
                    wire.close();
                }
                return open.size() == 4;
            });
            Answer refused = Batches.raw(ALPHA, BodyPublishers.ofString(small("crowd") + "\n"));
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.at("error_code")).isEqualTo("rate_limited");
            assertThat(refused.body().path("retryable").asBoolean()).isTrue();
            assertThat(refused.header("Retry-After")).isNotEmpty();

            open.get(0).end();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> Batches.raw(ALPHA, BodyPublishers.ofString(small("crowd") + "\n"))
                                    .status()
                            == 200);
        } finally {
            for (Wire wire : open) {
                wire.close();
            }
        }
    }

    @Test
    void opposite_orders_of_tasks_slugs_and_keys_do_not_deadlock() {
        List<ObjectNode> lines = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            lines.add(article("cross-slug-" + (i * 37 % 120), "en", "Text " + i)
                    .put("external_id", "cross-batch-" + i)
                    .put("idempotency_key", "cross-batch-key-" + (i * 53 % 120)));
        }
        List<ObjectNode> turned = new ArrayList<>(lines);
        Collections.reverse(turned);
        List<Callable<Answered>> work = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            List<ObjectNode> one = i % 2 == 0 ? lines : turned;
            work.add(() -> Batches.send(ALPHA, one));
        }

        List<Answered> answered = together(work);

        assertThat(answered.stream().flatMap(one -> one.statuses().stream()))
                .allMatch(status -> status == 200 || status == 201)
                .hasSize(480);
        assertThat(answered.stream().flatMap(one -> one.statuses().stream()).filter(status -> status == 201))
                .hasSize(120);
        assertThat(Intake.sql()
                        .sql("select deadlocks from pg_stat_database where datname = current_database()")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void a_line_is_answered_while_the_next_one_is_not_sent_yet() throws IOException {
        try (Wire wire = new Wire()) {
            wire.send(small("wire-1"));
            assertThat(wire.answer().path("external_id").asString()).isEqualTo("wire-1");
            wire.send(small("wire-2"));
            assertThat(wire.answer().path("line").asInt()).isEqualTo(2);
            wire.end();
            assertThat(wire.answer().path("summary").path("complete").asBoolean())
                    .isTrue();
        }
    }

    @Test
    void what_was_committed_when_the_client_went_away_stays_and_a_repeat_is_a_replay() throws IOException {
        List<ObjectNode> lines = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            lines.add(small("left-" + i));
        }
        try (Logged log = new Logged("ROOT")) {
            try (Wire wire = new Wire()) {
                for (ObjectNode line : lines.subList(0, 40)) {
                    wire.send(line);
                }
                wire.answer();
                wire.cut();
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> log.events().stream()
                    .anyMatch(event -> event.getLoggerName().equals("dev.postonce.ingest.request")
                            && event.getKeyValuePairs().toString().contains("tasks:batch")));
            // One line a batch; other batches may be on their way out, too.
            assertThat(log.events().stream()
                            .map(event -> event.getFormattedMessage())
                            .filter(message -> message.contains("lost its client"))
                            .map(message -> message.split(" ", -1)[1]))
                    .isNotEmpty()
                    .doesNotHaveDuplicates();
            assertThat(log.events()).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.ERROR));
        }
        assertThat(count("ingest.task where external_id like 'left-%'")).isPositive();

        Answered answered = Batches.send(ALPHA, lines);

        assertThat(answered.statuses()).hasSize(300).allMatch(status -> status == 200 || status == 201);
        assertThat(answered.line(1).path("status_code").asInt()).isEqualTo(200);
        assertThat(count("ingest.task where external_id like 'left-%'")).isEqualTo(300);
        assertThat(count("ingest.outbox_event where record_key like 'alpha:left-%'"))
                .isEqualTo(300);
    }

    @Test
    void lines_and_requests_that_break_a_limit_are_told_so() {
        String tooLong =
                small("limit-1").put("content_html", "x".repeat(1_100_000)).toString();
        byte[] notUtf8 = (small("limit-2") + "\n").getBytes(StandardCharsets.UTF_8);
        notUtf8[15] = (byte) 0xff;
        Answered answered = Batches.send(ALPHA, List.of(tooLong, small("limit-3")));
        Answered broken = Batches.parse(Batches.raw(ALPHA, BodyPublishers.ofByteArray(notUtf8)));

        assertThat(answered.statuses()).containsExactly(413, 201);
        assertThat(answered.line(1).path("limit_bytes").asInt()).isEqualTo(1_048_576);
        assertThat(broken.statuses()).containsExactly(400);
        assertThat(Batches.raw(READ_ONLY, BodyPublishers.ofString("{}\n")).status())
                .isEqualTo(403);
        assertThat(Batches.raw("pk_wrong", BodyPublishers.ofString("{}\n")).status())
                .isEqualTo(401);
        assertThat(post(ALPHA, "/v1/tasks:batch", "{}").status()).isEqualTo(415);
        assertThat(Batches.raw(ALPHA, BodyPublishers.ofString("{}\n"), "Idempotency-Key", "k".repeat(120))
                        .status())
                .isEqualTo(400);
        assertThat(Batches.parse(Batches.raw(ALPHA, BodyPublishers.noBody()))
                        .summary()
                        .path("lines")
                        .asInt(-1))
                .isZero();
    }
}
