package dev.postonce.ingest.tenant;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a tenant chose where there is a choice.
 *
 * @param duplicates what becomes of content that went to the same account under another external id
 * @param content what becomes of a submission whose external id was accepted with other content
 * @param checkLevels by the code of a finding of the pre-publish check; a finding that is not named has its own level
 */
public record TenantPolicy(DuplicatePolicy duplicates, ContentPolicy content, Map<String, CheckLevel> checkLevels) {

    /** Of a tenant that chose nothing. */
    public static final TenantPolicy DEFAULT = new TenantPolicy(DuplicatePolicy.ACCEPT, ContentPolicy.REPLAY, Map.of());

    public TenantPolicy {
        checkLevels = Map.copyOf(checkLevels);
    }

    public boolean refusesDuplicates() {
        return duplicates == DuplicatePolicy.REFUSE;
    }

    public boolean refusesOtherContent() {
        return content == ContentPolicy.REFUSE;
    }

    /** Content that went to the same account under another external id. */
    public enum DuplicatePolicy {
        /** It is accepted, and named as {@code possible_duplicate_of}. */
        ACCEPT,
        /** 409 {@code possible_duplicate}. */
        REFUSE;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** An external id that was accepted with other content. */
    public enum ContentPolicy {
        /** 200, nothing changes, {@code content_differs} names the fields. */
        REPLAY,
        /** 409 {@code content_conflict}. */
        REFUSE;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How much a finding of the pre-publish check weighs. */
    public enum CheckLevel {
        ERROR,
        WARNING,
        OFF;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Optional<CheckLevel> of(String wireName) {
            for (CheckLevel level : values()) {
                if (level.wireName().equals(wireName)) {
                    return Optional.of(level);
                }
            }
            return Optional.empty();
        }
    }
}
