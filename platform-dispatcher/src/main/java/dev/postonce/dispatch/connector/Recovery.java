package dev.postonce.dispatch.connector;

import java.time.Duration;

/** What a connector can do after an unknown outcome. */
public sealed interface Recovery {

    /** @param window for how long the platform knows a key, from the first attempt; a margin is taken off */
    record DedupesByKey(Duration window) implements Recovery {

        private static final int MARGIN_DIVISOR = 10;

        /** For how long a resend is safe: clocks differ, and a request may wait on its way. */
        public Duration safeWindow() {
            return window.minus(window.dividedBy(MARGIN_DIVISOR));
        }
    }

    /** @param settling how long after the last byte a platform may still act on a request */
    record CanBeAsked(Duration settling) implements Recovery {}

    record Neither() implements Recovery {}
}
