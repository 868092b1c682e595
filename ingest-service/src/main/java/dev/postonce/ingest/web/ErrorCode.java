package dev.postonce.ingest.web;

import java.util.Locale;

/** Every reason for which a request is refused. Clients obey {@link #retryable}; people read the rest. */
public enum ErrorCode {
    UNAUTHORIZED(
            401,
            false,
            "No valid API key",
            "缺少有效的 API 密钥",
            "Nothing was stored. Send a valid key as 'Authorization: Bearer pk_…'; your Postonce administrator issues keys."),
    FORBIDDEN(
            403,
            false,
            "The key may not do this",
            "该密钥没有此权限",
            "Nothing was stored. Use a key with the scope that is named; your Postonce administrator grants scopes."),
    NOT_FOUND(
            404,
            false,
            "No such resource",
            "资源不存在",
            "Check the id; a resource of another tenant looks the same as none."),
    METHOD_NOT_ALLOWED(
            405, false, "Method not allowed", "不支持该请求方法", "Nothing was stored. Use one of the methods in 'Allow'."),
    NOT_ACCEPTABLE(406, false, "Only JSON is answered", "只提供 JSON 响应", "Nothing was stored. Accept application/json."),
    RATE_LIMITED(
            429,
            true,
            "Over the key's rate",
            "超过该密钥的请求速率",
            "Nothing was stored. Wait as 'Retry-After' says and send the same request again; your Postonce administrator sets"
                    + " the key's rate."),
    PAYLOAD_TOO_LARGE(
            413,
            false,
            "The payload is over the limit",
            "请求内容超过大小限制",
            "Nothing was stored. Make the article smaller than the limit that is given and send it again."),
    UNSUPPORTED_MEDIA_TYPE(
            415,
            false,
            "Wrong media type",
            "媒体类型不受支持",
            "Nothing was stored. Send 'Content-Type: application/json' in UTF-8, without content encoding."),
    BAD_PAYLOAD(
            400,
            false,
            "The request is malformed or incomplete",
            "请求格式错误或缺少字段",
            "Nothing was stored. The sender mends each field that 'errors' points at and sends it again."),
    IDEMPOTENCY_KEY_REUSED(
            422,
            false,
            "The Idempotency-Key was used for another payload",
            "Idempotency-Key 已用于其他请求内容",
            "Nothing was stored. The sender takes a new key for a new request, or repeats the first request unchanged."),
    REQUEST_IN_PROGRESS(
            409,
            true,
            "The first request with this key is still running",
            "使用该 Idempotency-Key 的首个请求仍在处理中",
            "Wait as 'Retry-After' says and send the same request again, or look the key up; nobody has to mend anything."),
    SLUG_CONFLICT(
            409,
            false,
            "The slug belongs to another article",
            "该 slug 已被另一篇文章占用",
            "Nothing was stored or overwritten. A person decides: update the existing article, or choose another slug."),
    GROUP_CONFLICT(
            409,
            false,
            "The task belongs to another group_code",
            "该任务属于另一个 group_code",
            "Nothing was stored. A person decides: use the task's own group_code, or a new external_id for the other accounts."),
    CONTENT_CONFLICT(
            409,
            false,
            "The task was accepted with other content",
            "该任务已以不同内容被接受",
            "Nothing was changed. To change the article, send it whole by PUT to links.update with If-Match."),
    POSSIBLE_DUPLICATE(
            409,
            false,
            "The same content went to the same account under another external_id",
            "相同内容已以另一个 external_id 提交到同一账号",
            "Nothing was stored. A retry must keep its external_id: use the existing task's; a person decides if it is to be"
                    + " published once more."),
    VERSION_CONFLICT(
            412,
            false,
            "The resource has another version",
            "资源版本已变化",
            "Nothing was changed. Read the resource, look at what changed, and send the change again with its current ETag in"
                    + " If-Match."),
    PRECONDITION_REQUIRED(
            428,
            false,
            "If-Match is missing",
            "缺少 If-Match",
            "Nothing was changed. Send the version that you mean to change in If-Match; it is the ETag of the last answer."),
    KEY_CONFLICT(
            409,
            false,
            "The keys do not allow it",
            "密钥状态不允许该操作",
            "Nothing was changed. An operator does first what 'detail' says."),
    STORAGE_FAILED(
            503,
            true,
            "Storage is down or too slow",
            "存储暂时不可用",
            "Send the same request again after 'Retry-After': with the same ids nothing is done twice. Operators are alerted by"
                    + " the metric postonce_intake_refusals_total{code=\"storage_failed\"}."),
    INTERNAL_ERROR(
            500,
            true,
            "Postonce failed at this request",
            "Postonce 内部错误",
            "Send the same request again later: with the same ids nothing is done twice. If it stays, give your Postonce"
                    + " administrator the request_id.");

    private final int status;
    private final boolean retryable;
    private final String title;
    private final String titleZh;
    private final String next;

    ErrorCode(int status, boolean retryable, String title, String titleZh, String next) {
        this.status = status;
        this.retryable = retryable;
        this.title = title;
        this.titleZh = titleZh;
        this.next = next;
    }

    public int status() {
        return status;
    }

    public boolean retryable() {
        return retryable;
    }

    public String title() {
        return title;
    }

    public String titleZh() {
        return titleZh;
    }

    /** What happens next and who mends it. */
    public String next() {
        return next;
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
