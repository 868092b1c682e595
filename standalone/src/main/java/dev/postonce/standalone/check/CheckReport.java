package dev.postonce.standalone.check;

import dev.postonce.contract.EventJson;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What was found in each line. */
final class CheckReport {

    private static final int FINDINGS_SHOWN_MAX = 200;

    /**
     * @param code such as {@code slug_form}; {@code not_readable} and {@code not_checked} are the command's own
     * @param level {@code error} or {@code warning}
     */
    record Entry(
            long line,
            @Nullable String externalId,
            String code,
            String level,
            String pointer,
            String detail,
            String detailZh) {}

    private final List<Entry> entries = new ArrayList<>();
    private long lines;
    private boolean unanswered;

    void line() {
        lines++;
    }

    void add(long line, JsonNode answer) {
        for (JsonNode finding : answer.path("findings")) {
            entries.add(new Entry(
                    line,
                    answer.path("external_id").asString(null),
                    finding.path("code").asString(),
                    finding.path("level").asString(),
                    finding.path("pointer").asString(),
                    finding.path("detail").asString(),
                    finding.path("detail_zh").asString()));
        }
    }

    /** The line itself cannot be read, or is refused as a whole. */
    void faulty(long line, String reason) {
        entries.add(new Entry(line, null, "not_readable", "error", "", reason, reason));
    }

    void notChecked(long line, String reason) {
        unanswered = true;
        entries.add(new Entry(line, null, "not_checked", "error", "", reason, reason));
    }

    boolean isUnanswered() {
        return unanswered;
    }

    long count(String level) {
        return entries.stream().filter(entry -> entry.level().equals(level)).count();
    }

    String json() {
        ObjectNode json = EventJson.mapper()
                .createObjectNode()
                .put("lines", lines)
                .put("errors", count("error"))
                .put("warnings", count("warning"));
        ArrayNode list = json.putArray("findings");
        for (Entry entry : entries) {
            list.addObject()
                    .put("line", entry.line())
                    .put("external_id", entry.externalId())
                    .put("code", entry.code())
                    .put("level", entry.level())
                    .put("pointer", entry.pointer())
                    .put("detail", entry.detail())
                    .put("detail_zh", entry.detailZh());
        }
        return json.toPrettyString();
    }

    void text(PrintWriter out) {
        entries.stream().limit(FINDINGS_SHOWN_MAX).forEach(entry -> {
            String name = entry.externalId() == null ? "" : " " + entry.externalId();
            String zh = entry.detailZh().equals(entry.detail()) ? "" : " " + entry.detailZh();
            out.printf(
                    "line %d%s: %s %s %s: %s%s%n",
                    entry.line(), name, entry.level(), entry.code(), entry.pointer(), entry.detail(), zh);
        });
        if (entries.size() > FINDINGS_SHOWN_MAX) {
            out.printf("… and %d more; --json lists all%n", entries.size() - FINDINGS_SHOWN_MAX);
        }
        out.printf(
                "%d checked 已检查, %d errors 错误, %d warnings 警告; nothing was submitted 未提交%n",
                lines, count("error"), count("warning"));
    }
}
