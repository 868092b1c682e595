package dev.postonce.standalone.verify;

import dev.postonce.contract.EventJson;
import dev.postonce.invariants.CheckResult;
import dev.postonce.invariants.Violation;
import dev.postonce.invariants.ViolationKind;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How a verdict looks to a person, and to a machine. */
public final class VerdictOutput {

    private static final int VIOLATIONS_SHOWN = 40;
    private static final String ROW = "%-4s %-30s %8s %8s %6s %6s %8s %6s %10s %10s%n";

    private VerdictOutput() {}

    public static void text(Verdict verdict, PrintWriter out) {
        out.printf(
                "Read at %s, grace %d s%s: %s%n%n",
                verdict.readAt(),
                verdict.grace().toSeconds(),
                verdict.prefix().isEmpty() ? "" : ", ids that begin with " + verdict.prefix(),
                verdict.counts().entrySet().stream()
                        .map(count -> count.getValue() + " " + count.getKey().replace('_', ' '))
                        .collect(Collectors.joining(", ")));
        out.printf(
                ROW,
                "",
                "invariant",
                "checked",
                "missing",
                "extra",
                "stale",
                "doubled",
                "other",
                "in flight",
                "explained");
        verdict.results().forEach(result -> row(result, out));
        out.println();
        verdict.notRead().forEach(missing -> out.println("not read 未读取: " + missing));
        violations(verdict.violations(), out);
        out.println(
                verdict.isClean()
                        ? "Clean: every invariant that was checked holds. 一致：所检查的不变量全部成立。"
                        : "Not clean: see above. 不一致：见上。");
    }

    private static void row(CheckResult result, PrintWriter out) {
        long other = result.count(ViolationKind.OUT_OF_ORDER) + result.count(ViolationKind.UNTRUE);
        out.printf(
                ROW,
                result.invariant(),
                result.invariant().title(),
                result.checkedKeys(),
                result.count(ViolationKind.MISSING),
                result.count(ViolationKind.EXTRA),
                result.count(ViolationKind.STALE),
                result.count(ViolationKind.DOUBLED),
                other,
                result.inFlight(),
                result.explained());
    }

    private static void violations(List<Violation> violations, PrintWriter out) {
        violations.stream()
                .limit(VIOLATIONS_SHOWN)
                .forEach(violation -> out.printf(
                        "%s %s  %s%n    %s%n    → %s%n",
                        violation.invariant(),
                        violation.kind().wireName().toUpperCase(Locale.ROOT),
                        violation.key(),
                        violation.explanation(),
                        violation.remedy()));
        if (violations.size() > VIOLATIONS_SHOWN) {
            out.printf("… and %d more; --export FILE writes them all%n", violations.size() - VIOLATIONS_SHOWN);
        }
    }

    public static ObjectNode json(Verdict verdict) {
        ObjectNode json = EventJson.mapper().createObjectNode();
        json.put("ok", verdict.isClean());
        json.put("read_at", verdict.readAt().toString());
        json.put("grace_s", verdict.grace().toSeconds());
        json.put("prefix", verdict.prefix());
        ObjectNode counts = json.putObject("counts");
        verdict.counts().forEach(counts::put);
        ArrayNode invariants = json.putArray("invariants");
        for (CheckResult result : verdict.results()) {
            ObjectNode one = invariants.addObject();
            one.put("id", result.invariant().name());
            one.put("title", result.invariant().title());
            one.put("sentence", result.invariant().english());
            one.put("sentence_zh", result.invariant().chinese());
            one.put("checked", result.checkedKeys());
            for (ViolationKind kind : ViolationKind.values()) {
                one.put(kind.wireName(), result.count(kind));
            }
            one.put("in_flight", result.inFlight());
            one.put("explained", result.explained());
        }
        ArrayNode violations = json.putArray("violations");
        for (Violation violation : verdict.violations()) {
            ObjectNode one = violations.addObject();
            one.put("invariant", violation.invariant().name());
            one.put("kind", violation.kind().wireName());
            one.put("key", violation.key());
            one.put("explanation", violation.explanation());
            one.put("remedy", violation.remedy());
        }
        ArrayNode notRead = json.putArray("not_read");
        verdict.notRead().forEach(notRead::add);
        return json;
    }
}
