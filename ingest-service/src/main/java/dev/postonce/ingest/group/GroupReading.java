package dev.postonce.ingest.group;

/** How an identifier was read. */
public sealed interface GroupReading {

    /**
     * It names one chat.
     *
     * @param key {@code u:} and a username, {@code i:} and an invite hash, {@code c:} and a channel's number, or
     *     {@code g:} and a basic group's number; equal for all spellings of one name
     */
    record Named(String key) implements GroupReading {}

    /** It names no group, or leaves open which; the reason is for the upstream. */
    record Unreadable(String reason) implements GroupReading {}
}
