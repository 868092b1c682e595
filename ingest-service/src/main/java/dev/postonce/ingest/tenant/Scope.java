package dev.postonce.ingest.tenant;

import java.util.Locale;

/** What an API key may do. */
public enum Scope {
    SUBMIT,
    READ,
    OPS;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
