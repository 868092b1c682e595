package dev.postonce.ingest.check;

import dev.postonce.ingest.tenant.TenantPolicy;
import dev.postonce.ingest.tenant.TenantPolicy.CheckLevel;
import java.util.Locale;
import java.util.Objects;

/** Everything that the check looks for, with the level that it has where the tenant's policy names no other. */
public enum FindingKind {
    MALFORMED(CheckLevel.ERROR, "%s", "字段格式错误：%s"),
    TITLE_SHORT(CheckLevel.WARNING, "the title has only %s characters", "标题过短：仅 %s 个字符"),
    TITLE_LONG(
            CheckLevel.WARNING,
            "the title has %s characters; several platforms cut or refuse more than 60",
            "标题过长：%s 个字符，多个平台会截断或拒绝超过 60 个字符的标题"),
    SUMMARY_MISSING(
            CheckLevel.WARNING, "there is no summary; platforms then show the first lines instead", "缺少摘要；平台会改用正文开头"),
    SUMMARY_SHORT(CheckLevel.WARNING, "the summary has only %s characters", "摘要过短：仅 %s 个字符"),
    SUMMARY_LONG(CheckLevel.WARNING, "the summary has %s characters; more than 200 are cut", "摘要过长：%s 个字符，超过 200 会被截断"),
    SUMMARY_IS_TITLE(CheckLevel.WARNING, "the summary repeats the title", "摘要与标题相同"),
    CATEGORY_MISSING(CheckLevel.WARNING, "there is no category", "缺少分类"),
    TAGS_MISSING(CheckLevel.WARNING, "there are no tags", "缺少标签"),
    TAGS_MANY(
            CheckLevel.WARNING,
            "there are %s tags; more than 10 are ignored by several platforms",
            "标签过多：%s 个，多个平台会忽略超过 10 个的部分"),
    TAG_LONG(
            CheckLevel.WARNING,
            "the tag has %s characters; several platforms take at most 20",
            "标签过长：%s 个字符，多个平台最多 20 个"),
    SLUG_MISSING(CheckLevel.ERROR, "an article of a site needs a slug, or it has no address", "站点文章必须有 slug，否则没有公开地址"),
    SLUG_FORM(
            CheckLevel.WARNING,
            "the slug should be lower-case letters a-z, digits and single hyphens, begin and end with one of the first two, not be"
                    + " a number, and have at most 80 characters",
            "slug 应由小写字母、数字和单个连字符组成，首尾不为连字符，不能全是数字，且不超过 80 个字符"),
    SLUG_TAKEN(
            CheckLevel.ERROR, "the slug is that of task %s; a submission would be refused", "该 slug 已属于任务 %s，提交会被拒绝"),
    SLUG_SHARED_BY_TRANSLATION(
            CheckLevel.ERROR,
            "translations share the translation_key, never the slug; task %s has this slug in another language",
            "译文共享 translation_key，但不能共享 slug；任务 %s 以另一种语言占用了该 slug"),
    SITE_UNKNOWN(
            CheckLevel.ERROR, "the tenant has no such site, so the article would have no address", "租户没有该站点，文章不会有公开地址"),
    LANGUAGE_MISSING(CheckLevel.WARNING, "an article of a site should name its language", "站点文章应注明语言"),
    TRANSLATION_KEY_MISSING(
            CheckLevel.WARNING,
            "without a translation_key no other language can be its alternate",
            "缺少 translation_key，无法与其他语言版本对应"),
    TRANSLATION_DOUBLED(
            CheckLevel.ERROR,
            "task %s is this translation_key in the same language already",
            "任务 %s 已是该 translation_key 的同语言版本"),
    BODY_SHORT(CheckLevel.WARNING, "the text has only %s visible characters; is it complete?", "正文仅 %s 个可见字符，是否完整？"),
    BODY_UNFINISHED(
            CheckLevel.ERROR,
            "a code block is opened and never closed; the text may have been cut off",
            "代码块未闭合，正文可能被截断"),
    BODY_PLACEHOLDER(CheckLevel.WARNING, "the text still holds a placeholder (%s)", "正文仍含占位符（%s）"),
    LINK_RELATIVE(
            CheckLevel.WARNING,
            "the link %s has no host; it breaks on every platform but the site",
            "链接 %s 为相对地址，在站点以外的平台会失效"),
    LINK_DEAD(
            CheckLevel.WARNING,
            "the link %s names an article of the site that is not public, or not here",
            "站内链接 %s 指向的文章未公开或不存在"),
    LINK_PRIVATE(CheckLevel.ERROR, "the link %s leads to an address that readers cannot reach", "链接 %s 指向读者无法访问的地址"),
    LINKS_MISSING(CheckLevel.WARNING, "the text links to no other article of the site", "正文没有指向本站其他文章的链接"),
    STATUS_UNKNOWN(
            CheckLevel.ERROR,
            "a status is active (or published), draft or archived",
            "status 只能是 active（published）、draft 或 archived"),
    STATUS_NOT_PUBLIC(
            CheckLevel.ERROR,
            "the status is %s, but every submission is published; leave it out until it is ready",
            "status 为 %s，而提交即发布；未就绪的文章不要提交"),
    WITHDRAWN(
            CheckLevel.WARNING,
            "the task is withdrawn (%s); a submission is answered as a replay, only restore revives it",
            "该任务已撤回（%s）；再次提交只会返回重放，需要 restore 才能恢复"),
    EXTERNAL_ID_DERIVED(
            CheckLevel.WARNING,
            "there is no external_id; one is derived from the content, so that a corrected text becomes a second post",
            "缺少 external_id；系统将由内容推导，修改正文后会被当作另一篇"),
    RANDOM_UUID(CheckLevel.WARNING, "%s", "%s"),
    CLOCK_PART(CheckLevel.WARNING, "%s", "%s"),
    NO_VERSION_PART(CheckLevel.WARNING, "%s", "%s"),
    NO_BUSINESS_PART(CheckLevel.WARNING, "%s", "%s");

    private final CheckLevel level;
    private final String detail;
    private final String detailZh;

    FindingKind(CheckLevel level, String detail, String detailZh) {
        this.level = level;
        this.detail = detail;
        this.detailZh = detailZh;
    }

    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    public CheckLevel level() {
        return level;
    }

    /** What a tenant's policy makes of it. What the intake refuses stays an error, whatever a policy says. */
    CheckLevel levelBy(TenantPolicy policy) {
        return this == MALFORMED
                ? CheckLevel.ERROR
                : Objects.requireNonNullElse(policy.checkLevels().get(code()), level);
    }

    /** @param pointer JSON pointer to what it speaks of */
    Finding at(String pointer) {
        return new Finding(this, pointer, detail, detailZh);
    }

    Finding at(String pointer, Object value) {
        return at(pointer, value, value);
    }

    Finding at(String pointer, Object value, Object valueZh) {
        return new Finding(this, pointer, detail.formatted(value), detailZh.formatted(valueZh));
    }
}
