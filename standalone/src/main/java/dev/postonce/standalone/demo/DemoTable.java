package dev.postonce.standalone.demo;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.verify.VerdictOutput;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The demo's result for a person, and for a machine. */
final class DemoTable {

    private static final int WIDTH = 46;

    private final DemoReport report;
    private final PrintWriter out;

    DemoTable(DemoReport report, PrintWriter out) {
        this.report = report;
        this.out = out;
    }

    void print() {
        Sample sample = report.sample();
        out.println();
        row(
                "articles 文章",
                "%d (%d zh 中文, %d en 英文)",
                report.articles(),
                sample.articles() - sample.articlesIn("en"),
                sample.articlesIn("en"));
        row("group spellings → groups 群组写法 → 群组", "%d → %d", sample.groupSpellings(), report.groups());
        row(
                "submissions 提交次数",
                "%d (each three times, by four clients at once)",
                report.submissions().sent());
        row("  created 新建", "%d", report.submissions().created());
        row("  replayed 重放", "%d", report.submissions().replayed());
        row(
                "  refused, given up 拒绝、放弃",
                "%d",
                report.submissions().refused() + report.submissions().gaveUp());
        row("killed with SIGKILL 强杀进程", "%s", killed());
        row("answers swallowed 被吞掉的应答", "%s", joined(report.swallowed()));
        out.println();
        row("posts 帖子", "%s of %d", joined(report.posts()), report.postsExpected());
        row("  new in this run 本次新增", "%d", report.newPosts());
        row("posted more than once 重复", "%d", report.doubles());
        row(
                "callbacks received, distinct 回调收到、去重后",
                "%d, %d of %d",
                report.callbacks().received(),
                report.callbacks().distinct(),
                report.postsExpected());
        row("index entries 索引条目", "%d of %d", report.indexed(), report.articles() + report.groups());
        row(
                "search for 搜索 " + DemoReport.SEARCHED,
                "%d found 命中",
                report.found().size());
        row("verify 核对", "%s", report.verdict().isClean() ? "clean 一致" : "NOT CLEAN 不一致");
        out.println();
        if (!report.verdict().isClean()) {
            VerdictOutput.text(report.verdict(), out);
        }
        sentence();
    }

    void times(Map<String, Duration> phases) {
        out.println();
        phases.forEach((name, took) -> row(name, "%.1f s", took.toMillis() / 1000.0));
        row(
                "in all 总计",
                "%.1f s",
                phases.values().stream().mapToLong(Duration::toMillis).sum() / 1000.0);
    }

    private void sentence() {
        if (!report.isGood()) {
            out.println(
                    "Something did not come out as it should: see above; targets " + report.states() + ". 结果不符合预期，见上。");
        } else if (report.newPosts() == 0) {
            out.println("Nothing new was posted: all of it had been submitted before. 没有新帖：全部提交过。");
        } else {
            out.println("Submitted three times over, through kills and lost answers; the world saw each post once."
                    + " 提交三遍，进程被杀、应答丢失，每篇只发布一次。");
        }
    }

    private String killed() {
        Map<Part, Long> byPart = new TreeMap<>(
                report.kills().stream().collect(Collectors.groupingBy(Kills.Kill::part, Collectors.counting())));
        return byPart.entrySet().stream()
                .map(entry -> entry.getKey().label() + " ×" + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String joined(Map<String, ? extends Number> counts) {
        return counts.isEmpty()
                ? "0"
                : counts.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", "));
    }

    private void row(String label, String format, Object... values) {
        // A Chinese character is two columns wide on a terminal.
        int columns = label.codePoints().map(point -> point > 0x2E80 ? 2 : 1).sum();
        out.println(label + " ".repeat(Math.max(1, WIDTH - columns)) + String.format(Locale.ROOT, format, values));
    }

    static ObjectNode json(DemoReport report, Map<String, Duration> phases) {
        ObjectNode json = EventJson.mapper().createObjectNode();
        json.put("ok", report.isGood());
        json.put("seed", report.seed());
        json.put("articles", report.articles());
        json.put("group_spellings", report.sample().groupSpellings());
        json.put("groups", report.groups());
        json.put("submissions", report.submissions().sent());
        json.put("created", report.submissions().created());
        json.put("replayed", report.submissions().replayed());
        json.put("refused", report.submissions().refused());
        json.put("gave_up", report.submissions().gaveUp());
        ArrayNode kills = json.putArray("kills");
        for (Kills.Kill kill : report.kills()) {
            kills.addObject()
                    .put("part", kill.part().label())
                    .put("pid", kill.pid())
                    .put("when", kill.when());
        }
        ObjectNode swallowed = json.putObject("answers_swallowed");
        report.swallowed().forEach(swallowed::put);
        ObjectNode posts = json.putObject("posts");
        report.posts().forEach(posts::put);
        json.put("posts_expected", report.postsExpected());
        json.put("new_posts", report.newPosts());
        json.put("doubles", report.doubles());
        json.put("callbacks_received", report.callbacks().received());
        json.put("callbacks_distinct", report.callbacks().distinct());
        json.put("index_entries", report.indexed());
        json.put("search_hits", report.found().size());
        ObjectNode states = json.putObject("target_states");
        report.states().forEach(states::put);
        json.set("verify", VerdictOutput.json(report.verdict()));
        ObjectNode times = json.putObject("phases_ms");
        phases.forEach((name, took) -> times.put(name.split(" ")[0], took.toMillis()));
        return json;
    }
}
