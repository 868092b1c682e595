package dev.postonce.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Submissions of about 3 KB, all different: an article as a campaign desk sends it, with an id of fixed width. */
final class Article {

    static final int ID_DIGITS = 12;
    private static final int PARAGRAPHS = 8;

    private static final String PARAGRAPH =
            """
            <h2>第 %d 步 Step %d</h2><p>电商运营做大促活动时最怕的不是发不出去，而是同一篇双 11 活动文被自动发布系统重复发了两次。\
            The same article must be seen <strong>once</strong>, whatever was sent twice; see \
            <a href="https://example.com/docs/%d">the docs</a>.</p><ul><li>预热</li><li>主会场 &amp; 分会场</li></ul>""";

    private Article() {}

    static String externalId(long number) {
        return "bench_" + digits(number);
    }

    static String digits(long number) {
        return String.format(Locale.ROOT, "%0" + ID_DIGITS + "d", number);
    }

    /** @param digits of the id; they stand in the external id and in the content */
    static String json(String digits) {
        StringBuilder html = new StringBuilder("<p>活动正文 ").append(digits).append("</p>");
        for (int i = 1; i <= PARAGRAPHS; i++) {
            html.append(PARAGRAPH.formatted(i, i, i));
        }
        return "{\"external_id\":\"bench_" + digits + "\",\"group_code\":\"brand_official\",\"title\":\"11.11 主会场预热\","
                + "\"content_html\":\"" + html.toString().replace("\"", "\\\"") + "\","
                + "\"cover_url\":\"https://cdn.example.com/promo_kv.jpg\",\"summary\":\"11.11 提前 3 天预热\","
                + "\"tags\":[\"双11\",\"促销\"],\"category\":\"电商\",\"target_platforms\":[\"wordpress\",\"webhook\"]}";
    }

    /** The article without braces around it: one line of a batch, with its key. */
    static int bytes() {
        return json(digits(0)).getBytes(StandardCharsets.UTF_8).length;
    }
}
