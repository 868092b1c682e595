package dev.postonce.ingest.review;

import java.util.Locale;

/** What is asked each week, and what is to be done about what is found. */
enum Question {
    DOUBLED_SLUGS(
            "slugs that several articles of a site share, letters' case aside",
            "同一站点多篇文章共用的 slug（不区分大小写）",
            "Withdraw all but one, or give the others a slug of their own."),
    OPEN_AUDITS(
            "failed and conflicting requests that nobody has followed up",
            "失败或冲突且无人跟进的请求",
            "Decide each one, then note what came of it: postonce audit resolve."),
    OPEN_SEARCH_SUBMISSIONS(
            "search engines that were not told for an hour and longer",
            "超过一小时仍未提交的搜索引擎",
            "Look at error_code: a missing credential is yours to configure, the rest is tried again."),
    OPEN_TARGETS(
            "posts that failed, or wait for a person",
            "失败或等待人工处理的发布",
            "Mend the cause that error_code names and submit again, or settle it: postonce in-doubt."),
    INCOMPLETE_TRANSLATIONS(
            "translation keys that are public in one language only, on sites that have several",
            "多语言站点中只有一种语言公开的 translation_key",
            "Submit the other language under the same translation_key and a slug of its own, or restore it."),
    MISSING_FROM_SITEMAP(
            "active articles of a site that its sitemap cannot list",
            "站点中有效但无法进入 sitemap 的文章",
            "Give the article what is missing (slug, language), or make the site known."),
    BLIND_RETRIES(
            "requests that were refused for good and came again unchanged, three times or more",
            "被最终拒绝后仍原样重试三次以上的请求",
            "Mend the client: it must obey 'retryable': false and stop at 400, 401, 403, 409, 412, 413, 415 and 422.");

    private final String text;
    private final String textZh;
    private final String next;

    Question(String text, String textZh, String next) {
        this.text = text;
        this.textZh = textZh;
        this.next = next;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    String text() {
        return text;
    }

    String textZh() {
        return textZh;
    }

    String next() {
        return next;
    }
}
