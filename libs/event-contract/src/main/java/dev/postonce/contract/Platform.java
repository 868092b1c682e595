package dev.postonce.contract;

import java.util.Locale;
import java.util.Optional;

/** The platforms that a task can name in {@code target_platforms}; wire names are lower case. */
public enum Platform {
    TOUTIAO,
    WECHAT_MP,
    BAIJIAHAO,
    ZHIHU,
    WORDPRESS,
    MASTODON,
    TELEGRAM,
    TELEGRAPH,
    GHOST,
    DEV,
    WEBHOOK,
    BAIDU,
    INDEXNOW,
    BING;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Platform> of(String wireName) {
        for (Platform platform : values()) {
            if (platform.wireName().equals(wireName)) {
                return Optional.of(platform);
            }
        }
        return Optional.empty();
    }
}
