package dev.postonce.standalone.process;

import java.time.Duration;
import java.time.Instant;

/** How long a part that died stays down: hardly at first, longer while it keeps dying, never for good. */
public record RestartPolicy(Duration first, Duration longest, Duration stableAfter) {

    public static final RestartPolicy STANDARD =
            new RestartPolicy(Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofSeconds(60));

    /**
     * @param deathsInARow how often it died without having lived for {@link #stableAfter}, this time included
     */
    public Duration delay(int deathsInARow) {
        int doublings = Math.min(Math.max(deathsInARow - 1, 0), 20);
        Duration delay = first.multipliedBy(1L << doublings);
        return delay.compareTo(longest) > 0 ? longest : delay;
    }

    /** Also when so much seems to be left that the clock must have been set back. */
    public boolean isOver(Instant notBefore, Instant now) {
        return !now.isBefore(notBefore) || now.isBefore(notBefore.minus(longest));
    }

    /** A part that lived long enough died of something new. */
    public int deathsInARow(int before, Duration lived) {
        return lived.compareTo(stableAfter) >= 0 ? 1 : before + 1;
    }
}
