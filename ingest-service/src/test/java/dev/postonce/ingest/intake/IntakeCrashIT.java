package dev.postonce.ingest.intake;

import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.intake.Faces.audited;
import static dev.postonce.ingest.intake.Faces.is;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.SubmitType;
import dev.postonce.ingest.Doomed;
import dev.postonce.ingest.Intake;
import dev.postonce.ingest.TestIngest;
import dev.postonce.testinfra.TestInfra;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that dies around the commit of what it read: the record is read again, and is there once. */
@Tag("parts")
class IntakeCrashIT {

    /** The broker's least session, after which what the killed one read is the next one's. */
    private static final Map<String, Object> KAFKA = Map.of(
            "POSTONCE_KAFKA_BOOTSTRAP",
            TestInfra.kafkaBootstrap(),
            "POSTONCE_KAFKA_SESSION_MS",
            "6000",
            "POSTONCE_CLAIM_WAIT_MS",
            "500");

    @Test
    void the_offset_moves_after_the_commit_and_not_before() throws Exception {
        Intake.service();
        SubmitTopic.create();
        try (SubmitTopic topic = new SubmitTopic()) {
            String before = topic.send(SubmitType.TASK_SUBMIT, "dies-before", campaign("dies-before"));
            killed("ingest.two-same-keys-both-before-insert");
            assertThat(count("ingest.task where external_id = 'dies-before'")).isZero();
            assertThat(SubmitTopic.committedBehind(before)).isLessThanOrEqualTo(0);

            try (TestIngest mended = Intake.start(KAFKA)) {
                await().atMost(Duration.ofSeconds(90)).until(() -> SubmitTopic.committedBehind(before) > 0);
            }
            is(Faces.told(before), 201, "created");

            String after = topic.send(SubmitType.TASK_SUBMIT, "dies-after", campaign("dies-after"));
            killed("ingest.after-intake-commit-before-offset");
            is(Faces.told(after), 201, "created");
            assertThat(SubmitTopic.committedBehind(after)).isLessThanOrEqualTo(0);

            try (TestIngest mended = Intake.start(KAFKA)) {
                await().atMost(Duration.ofSeconds(90)).until(() -> SubmitTopic.committedBehind(after) > 0);
            }
            is(audited(after).orElseThrow(), 200, "replay");
            for (String id : List.of("dies-before", "dies-after")) {
                assertThat(count("ingest.task where external_id = ?", id)).isEqualTo(1);
                assertThat(count("ingest.outbox_event where record_key = ?", "alpha:" + id))
                        .isEqualTo(1);
            }
        }
    }

    private static void killed(String failPoint) throws Exception {
        try (Doomed doomed =
                new Doomed(List.of("-Xmx192m", "-Dpostonce.failpoints=" + failPoint + "=halt(137)"), KAFKA)) {
            doomed.dies();
        }
    }
}
