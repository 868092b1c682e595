package dev.postonce.testinfra.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A world in which nothing happens by itself: what may happen is put into a queue with its time, and happens one after
 * the other. What is due at the same moment happens in an order that the seed decides. Not for several threads.
 */
public final class Simulation {

    private static final Instant EPOCH = Instant.parse("2026-11-11T00:00:00Z");
    private static final int LINES_KEPT = 400;
    private static final int STEPS_MAX = 200_000;

    private record Line(long atMs, String text) {}

    private record Event(long atMs, long tie, long order, Runnable what) {}

    private final long seed;
    private final SplittableRandom random;
    private final PriorityQueue<Event> queue = new PriorityQueue<>(
            Comparator.comparingLong(Event::atMs).thenComparingLong(Event::tie).thenComparingLong(Event::order));
    private final Deque<Line> lines = new ArrayDeque<>();
    private long nowMs;
    private long order;
    private long digest;
    private int steps;
    private boolean calm;

    public Simulation(long seed) {
        this.seed = seed;
        // Neighbouring seeds would begin alike without the mixing.
        this.random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 0x632BE59BD9B4E019L);
    }

    public long seed() {
        return seed;
    }

    public long nowMs() {
        return nowMs;
    }

    public Instant now() {
        return EPOCH.plusMillis(nowMs);
    }

    /** The monotonic clock of every process; its zero is not that of the wall clock. */
    public long nanos() {
        return 7_000_000_000L + Duration.ofMillis(nowMs).toNanos();
    }

    public RandomGenerator random() {
        return random;
    }

    /** Whether the faults are over: from then on {@link #fault} says no. */
    public boolean isCalm() {
        return calm;
    }

    public void calmDown() {
        calm = true;
        note("calm");
    }

    /** True with this probability, while faults may still happen. */
    public boolean fault(double probability) {
        return random.nextDouble() < probability && !calm;
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    public <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** Mostly near the lower end, now and then far out: rare orders become common. */
    public long delayMs(long minMs, long maxMs) {
        double share = random.nextDouble();
        return minMs + (long) ((maxMs - minMs) * share * share * share);
    }

    public void after(long delayMs, Runnable what) {
        queue.add(new Event(nowMs + Math.max(0, delayMs), random.nextInt(1 << 16), order++, what));
    }

    /** Lets happen what is due up to that moment, and whatever that brings about. */
    public void runUntil(long untilMs) {
        while (!queue.isEmpty() && queue.peek().atMs <= untilMs) {
            step();
        }
        nowMs = Math.max(nowMs, untilMs);
    }

    /** Until nothing is left to happen. */
    public void runToEnd() {
        while (!queue.isEmpty()) {
            step();
        }
    }

    private void step() {
        if (++steps > STEPS_MAX) {
            throw new AssertionError("no end after " + STEPS_MAX + " steps");
        }
        Event next = queue.remove();
        nowMs = Math.max(nowMs, next.atMs);
        digest = digest * 31 + next.atMs * 17 + next.order;
        next.what.run();
    }

    /** A line of the story; only the last ones are kept. */
    public void note(String line) {
        digest = digest * 31 + line.hashCode();
        if (lines.size() == LINES_KEPT) {
            lines.removeFirst();
        }
        lines.addLast(new Line(nowMs, line));
    }

    public List<String> story() {
        return lines.stream()
                .map(line -> String.format("%9d ms  %s", line.atMs(), line.text()))
                .toList();
    }

    /** Two runs with equal digests did the same things in the same order. */
    public long digest() {
        return digest;
    }

    /** For a rule that was broken. */
    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** The same where the text takes longer than the rule. */
    public static void require(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise.get());
        }
    }
}
