package dev.postonce.dispatch.wordpress;

import dev.postonce.contract.TaskState;
import dev.postonce.dispatch.account.WordPressAccount;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.target.Desired;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes the requests; the same bytes for the same effect. */
final class WordPressRequests {

    private static final String JSON = "application/json";
    private static final int SLUG_BYTES_MAX = 180;
    private static final int MARKER_SLUG_CHARACTERS = 20;

    private WordPressRequests() {}

    static FrozenRequest of(Effect effect, WordPressAccount account) {
        return switch (effect.action()) {
            case CREATE -> create(effect, account);
            case UPDATE -> update(effect, account);
            case WITHDRAW -> withdraw(effect, account);
        };
    }

    private static FrozenRequest create(Effect effect, WordPressAccount account) {
        String slug = slugOf(effect);
        ObjectNode body = article(effect);
        body.put("slug", slug);
        return new FrozenRequest(
                "POST",
                WordPressSite.postsUrl(account.baseUrl()),
                JSON,
                bytes(body),
                null,
                new FrozenRequest.Claim(placeOf(account), slug));
    }

    /** The slug is left alone: readers have the address. */
    private static FrozenRequest update(Effect effect, WordPressAccount account) {
        return new FrozenRequest("POST", existing(effect, account), JSON, bytes(article(effect)), null, null);
    }

    private static FrozenRequest withdraw(Effect effect, WordPressAccount account) {
        if (Desired.of(effect.task()).status().equals(Desired.DRAFT)) {
            return new FrozenRequest("POST", existing(effect, account), JSON, draft(), null, null);
        }
        return new FrozenRequest("DELETE", existing(effect, account), null, null, null, null);
    }

    static byte[] draft() {
        return bytes(JsonNodeFactory.instance.objectNode().put("status", WordPressPost.DRAFT));
    }

    private static URI existing(Effect effect, WordPressAccount account) {
        return WordPressSite.postUrl(account.baseUrl(), Objects.requireNonNull(effect.postId(), "no post to change"));
    }

    private static ObjectNode article(Effect effect) {
        TaskState task = effect.task();
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("title", task.title());
        body.put("content", task.contentHtml() + "\n" + WordPressPost.commentOf(effect.marker(), task.version()));
        if (task.summary() != null) {
            body.put("excerpt", task.summary());
        }
        body.put("status", WordPressPost.PUBLISH);
        return body;
    }

    private static byte[] bytes(ObjectNode body) {
        return JsonMapper.shared().writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The task's slug. One that WordPress would cut, or a task without one, gets a slug by its marker, so that what
     * is sent is what can be looked up.
     */
    static String slugOf(Effect effect) {
        String own = effect.marker().substring(0, MARKER_SLUG_CHARACTERS);
        String slug = effect.task().slug();
        if (slug == null || slug.isBlank()) {
            return own;
        }
        String lower = slug.toLowerCase(Locale.ROOT);
        boolean plain = lower.matches("[a-z0-9_-]+");
        if (plain && lower.length() <= SLUG_BYTES_MAX) {
            return lower;
        }
        return plain ? lower.substring(0, SLUG_BYTES_MAX - own.length() - 1) + "-" + own : own;
    }

    /** Two accounts of one site share its slugs, whoever's they are. */
    static String placeOf(WordPressAccount account) {
        URI url = URI.create(account.baseUrl());
        String host = url.getAuthority() == null ? "" : url.getAuthority().toLowerCase(Locale.ROOT);
        return "wordpress:" + host + (url.getPath() == null ? "" : url.getPath());
    }
}
