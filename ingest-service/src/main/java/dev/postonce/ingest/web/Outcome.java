package dev.postonce.ingest.web;

import java.util.Locale;

/** The one vocabulary for log, audit and metrics; {@link #READ} is in no audit row. */
public enum Outcome {
    CREATED,
    REPLAY,
    UPDATED,
    CONFLICT,
    REFUSED,
    WITHDRAWN,
    FAILED,
    READ;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
