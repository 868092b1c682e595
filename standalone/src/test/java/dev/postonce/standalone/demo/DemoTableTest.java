package dev.postonce.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.invariants.CheckResult;
import dev.postonce.invariants.InvariantId;
import dev.postonce.invariants.Violation;
import dev.postonce.invariants.ViolationKind;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.submit.SubmitReport;
import dev.postonce.standalone.verify.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DemoTableTest {

    private static final Map<String, Integer> NONE = Map.of();
    private static final Map<String, Integer> ALL = Map.of("wordpress", 25, "webhook", 25);

    @Test
    void a_first_run_says_that_the_world_saw_each_post_once() {
        DemoReport report = report(NONE, ALL, 0, verdict(List.of()));
        assertThat(report.isGood()).isTrue();
        assertThat(printed(report))
                .contains("new in this run")
                .contains("20 → 6")
                .contains("relay ×1, dispatcher ×2")
                .contains("the world saw each post once")
                .contains("drain 排空")
                .contains("4.5 s");
    }

    @Test
    void a_second_run_says_that_nothing_new_was_posted() {
        DemoReport report = report(ALL, ALL, 0, verdict(List.of()));
        assertThat(report.isGood()).isTrue();
        assertThat(printed(report)).contains("Nothing new was posted");
    }

    @Test
    void a_double_is_no_success() {
        assertThat(report(NONE, Map.of("wordpress", 26, "webhook", 25), 1, verdict(List.of()))
                        .isGood())
                .isFalse();
    }

    @Test
    void what_verify_found_is_told_in_full() {
        Violation double7 = new Violation(
                InvariantId.I7, ViolationKind.DOUBLED, "target dev:x/wordpress", "made 2 times: wordpress/main post 1");
        DemoReport report = report(NONE, ALL, 0, verdict(List.of(double7)));
        assertThat(report.isGood()).isFalse();
        assertThat(printed(report)).contains("NOT CLEAN").contains("target dev:x/wordpress");
    }

    @Test
    void machines_get_the_same() {
        JsonNode json =
                DemoTable.json(report(NONE, ALL, 0, verdict(List.of())), Map.of("drain 排空", Duration.ofMillis(7)));
        assertThat(json.path("ok").asBoolean()).isTrue();
        assertThat(json.path("new_posts").asInt()).isEqualTo(50);
        assertThat(json.path("phases_ms").path("drain").asInt()).isEqualTo(7);
        assertThat(json.path("kills")).hasSize(3);
    }

    private static String printed(DemoReport report) {
        StringWriter text = new StringWriter();
        DemoTable table = new DemoTable(report, new PrintWriter(text, true));
        table.print();
        table.times(Map.of("drain 排空", Duration.ofMillis(4_500)));
        return text.toString();
    }

    private static Verdict verdict(List<Violation> violations) {
        Map<ViolationKind, Long> counts = violations.isEmpty() ? Map.of() : Map.of(ViolationKind.DOUBLED, 1L);
        return new Verdict(
                Instant.EPOCH,
                Duration.ZERO,
                "",
                Map.of("tasks", 25L),
                List.of(new CheckResult(InvariantId.I7, 50, 0, 0, counts, violations)),
                List.of());
    }

    private static DemoReport report(
            Map<String, Integer> before, Map<String, Integer> after, int doubles, Verdict verdict) {
        return new DemoReport(
                1111,
                new Sample(),
                25,
                6,
                new SubmitReport(45, 135, 31, 104, 0, 0, 0, 0, 0, List.of(), null, Duration.ofSeconds(3)),
                List.of(
                        new Kills.Kill(Part.DISPATCHER, 11, "early"),
                        new Kills.Kill(Part.RELAY, 12, "later"),
                        new Kills.Kill(Part.DISPATCHER, 13, "while posting")),
                Map.of("wordpress", 3L),
                before,
                after,
                doubles,
                new Sandbox.Callbacks(55, 50),
                31,
                List.of("11.11 主会场预热"),
                Map.of("published", 50L),
                verdict);
    }
}
