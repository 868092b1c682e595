package dev.postonce.systemtests.harness;

/**
 * What a proxy does to the bytes of a link, in each direction.
 *
 * @param mode what happens to connections
 * @param delayMsMin a chunk waits at least so long
 * @param delayMsMax and at most so long
 * @param bytesPerSecond 0 for no limit
 */
public record LinkFault(Mode mode, int delayMsMin, int delayMsMax, long bytesPerSecond) {

    public enum Mode {
        /** Bytes pass, perhaps late. */
        PASS,
        /** Every connection, old or new, is reset. */
        RESET,
        /** About one chunk in twenty is answered by a reset in the middle of it. */
        RESET_MIDWAY,
        /** Requests pass; what the server says is thrown away. Such a connection is reset when the link heals. */
        SWALLOW_ANSWERS,
        /** Nothing passes from the client to the server; what was sent comes late, once the link heals. */
        HOLD_REQUESTS,
        /** Nothing passes from the server to the client; what was sent comes late, once the link heals. */
        HOLD_ANSWERS,
        /** Nothing passes at all until the link heals; new connections are taken and never served. */
        PARTITION
    }

    public static final LinkFault NONE = of(Mode.PASS);

    public static LinkFault of(Mode mode) {
        return new LinkFault(mode, 0, 0, 0);
    }

    public static LinkFault delay(int msMin, int msMax) {
        return new LinkFault(Mode.PASS, msMin, msMax, 0);
    }

    public static LinkFault bandwidth(long bytesPerSecond) {
        return new LinkFault(Mode.PASS, 0, 0, bytesPerSecond);
    }

    boolean holds(boolean fromClient) {
        return switch (mode) {
            case PARTITION -> true;
            case HOLD_REQUESTS -> fromClient;
            case HOLD_ANSWERS -> !fromClient;
            default -> false;
        };
    }

    @Override
    public String toString() {
        String what = mode.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        if (delayMsMax > 0) {
            return "delay-" + delayMsMin + "-" + delayMsMax + "ms";
        }
        return bytesPerSecond > 0 ? "bandwidth-" + bytesPerSecond : what;
    }
}
