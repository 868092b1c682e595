package dev.postonce.standalone.process;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * @param pid 0 while it is down
 * @param lastExit how it ended last; absent if it never did
 */
public record ChildStatus(String name, long pid, Instant startedAt, int restarts, @Nullable Integer lastExit) {}
