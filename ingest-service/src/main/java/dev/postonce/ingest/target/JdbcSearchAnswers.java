package dev.postonce.ingest.target;

import dev.postonce.contract.DispatchState;
import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetState;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Outcome;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.node.ObjectNode;

/** What search engines answered, in the audit of the task: they are asked once and tell nothing later. */
final class JdbcSearchAnswers {

    static final int ANSWER_CHARACTERS_MAX = 500;

    private static final String ROUTE = "EVENT postonce.dispatch.v1";
    private static final Set<String> SEARCH_ENGINES =
            Set.of(Platform.BAIDU.wireName(), Platform.INDEXNOW.wireName(), Platform.BING.wireName());

    // No request of an upstream, so no status: 0.
    private static final String INSERT =
            """
            insert into ingest.audit
              (at, tenant_id, request_id, route, outcome, status_code, error_code, external_id, resource_version, detail)
            values (?, ?, ?, ?, ?, 0, ?, ?, ?, ?)
            """;

    private final JdbcTemplate jdbc;

    JdbcSearchAnswers(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** In the transaction that moves the targets; each event comes here once. */
    void note(List<TargetEvent> events) {
        List<Object[]> rows = new ArrayList<>();
        events.stream().filter(JdbcSearchAnswers::isAnswer).forEach(event -> rows.add(row(event)));
        if (!rows.isEmpty()) {
            jdbc.batchUpdate(INSERT, rows);
        }
    }

    private static boolean isAnswer(TargetEvent event) {
        return SEARCH_ENGINES.contains(event.data().platform())
                && (event.state() == TargetState.SUBMITTED || event.state() == TargetState.FAILED);
    }

    private static @Nullable Object[] row(TargetEvent event) {
        DispatchState data = event.data();
        ObjectNode detail = Answers.mapper()
                .createObjectNode()
                .put("platform", data.platform())
                .put("state", data.state())
                .put("answer", cut(Objects.requireNonNullElse(data.errorDetail(), "")));
        boolean failed = event.state() == TargetState.FAILED;
        return new @Nullable Object[] {
            data.changedAt().atOffset(ZoneOffset.UTC),
            data.tenantId(),
            event.envelope().id().toString(),
            ROUTE,
            (failed ? Outcome.FAILED : Outcome.UPDATED).wireName(),
            data.errorCode(),
            data.externalId(),
            data.taskVersion(),
            Answers.mapper().writeValueAsString(detail)
        };
    }

    /** By code points: half a pair is no text. */
    private static String cut(String answer) {
        return answer.codePointCount(0, answer.length()) <= ANSWER_CHARACTERS_MAX
                ? answer
                : answer.substring(0, answer.offsetByCodePoints(0, ANSWER_CHARACTERS_MAX));
    }
}
