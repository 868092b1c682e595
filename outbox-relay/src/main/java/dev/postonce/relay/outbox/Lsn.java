package dev.postonce.relay.outbox;

/** Places in the write-ahead log: an unsigned number here, {@code 0/1A2B3C} in PostgreSQL's text. */
public final class Lsn {

    private Lsn() {}

    public static String format(long lsn) {
        return "%X/%X".formatted(lsn >>> 32, lsn & 0xFFFF_FFFFL);
    }

    public static long parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 1) {
            throw new IllegalArgumentException("not a log position: " + text);
        }
        return Long.parseUnsignedLong(text.substring(0, slash), 16) << 32
                | Long.parseUnsignedLong(text.substring(slash + 1), 16);
    }
}
