package dev.postonce.dispatch.target;

import java.util.Locale;

/** What an attempt does at the platform. */
public enum Action {
    CREATE,
    UPDATE,
    WITHDRAW;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Action of(String wireName) {
        return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
}
