package dev.postonce.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The action grammar of fail points, after the one of FreeBSD's fail(9) and tikv's fail-rs:
 * {@code name=[N*]action[(argument)][->[N*]action…]}.
 *
 * <p>Steps are taken in their order; {@code N*} says for how many hits a step holds, without it for ever. Actions:
 * {@code off}; {@code halt(code)} ends the process without shutdown hooks; {@code pause(file)} waits until the file
 * exists; {@code sleep(ms)}; {@code throw(message)} throws {@link FailPointException}. A hit that acts is written to
 * the file {@code postonce.failpoints.log}, where that property is set, before the action is taken.
 *
 * <p>Where {@code postonce.failpoints.control} names a file, that file says what happens instead, and may be replaced
 * while the process runs: a supervisor arms one point after the other without starting anything anew. Steps are then
 * counted from the replacement on. An empty or absent file arms nothing.
 */
final class FailPointActions {

    private static final Pattern STEP = Pattern.compile("(?:(\\d+)\\*)?(off|halt|pause|sleep|throw)(?:\\(([^)]*)\\))?");
    private static final long PAUSE_POLL_MS = 20;

    private record Step(long holdsForHits, String action, String argument) {

        Step {
            boolean fits =
                    switch (action) {
                        case "sleep" -> argument.matches("[0-9]{1,9}");
                        case "halt" -> argument.matches("[0-9]{0,3}");
                        case "pause" -> !argument.isBlank();
                        default -> true;
                    };
            if (!fits) {
                throw new IllegalArgumentException("the fail point action " + action + " takes no '" + argument + "'");
            }
        }
    }

    /** What is armed, the hits since then, and the state of the control file that said so. */
    private record Armed(Map<String, List<Step>> steps, Map<String, AtomicLong> hits, String seen) {}

    private final boolean enabled;
    private final @Nullable Path control;
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private volatile Armed armed;

    private FailPointActions(boolean enabled, Map<String, List<Step>> steps, @Nullable Path control) {
        this.enabled = enabled;
        this.control = control;
        this.armed = new Armed(steps, new ConcurrentHashMap<>(), "");
    }

    static FailPointActions parse(@Nullable String setting) {
        return setting == null
                ? new FailPointActions(false, Map.of(), null)
                : new FailPointActions(true, parsePairs(setting), null);
    }

    /** @param control the file that says what is armed; need not exist */
    static FailPointActions controlledBy(Path control) {
        return new FailPointActions(true, Map.of(), control);
    }

    private static Map<String, List<Step>> parsePairs(String setting) {
        Map<String, List<Step>> steps = new TreeMap<>();
        for (String pair : setting.split(";")) {
            if (pair.isBlank()) {
                continue;
            }
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("a fail point is name=action, was: " + pair);
            }
            steps.put(pair.substring(0, equals).trim(), parseSteps(pair.substring(equals + 1)));
        }
        return Map.copyOf(steps);
    }

    private static List<Step> parseSteps(String text) {
        List<Step> result = new ArrayList<>();
        for (String part : text.split("->", -1)) {
            Matcher match = STEP.matcher(part.trim());
            if (!match.matches()) {
                throw new IllegalArgumentException("not a fail point action: " + part);
            }
            long hits = match.group(1) == null ? Long.MAX_VALUE : Long.parseLong(match.group(1));
            result.add(new Step(hits, match.group(2), match.group(3) == null ? "" : match.group(3)));
        }
        return List.copyOf(result);
    }

    boolean enabled() {
        return enabled;
    }

    Map<String, Long> counts() {
        Map<String, Long> result = new TreeMap<>();
        counts.forEach((name, count) -> result.put(name, count.get()));
        return result;
    }

    void hit(String name) {
        counts.computeIfAbsent(name, key -> new AtomicLong()).incrementAndGet();
        Armed now = control == null ? armed : newest(control);
        long hit = now.hits.computeIfAbsent(name, key -> new AtomicLong()).incrementAndGet();
        long before = 0;
        for (Step step : now.steps.getOrDefault(name, List.of())) {
            if (hit - before <= step.holdsForHits) {
                act(name, hit, step);
                return;
            }
            before += step.holdsForHits;
        }
    }

    /** The file is replaced as a whole, so that its identity and time tell one content from the next. */
    private Armed newest(Path file) {
        String seen = stateOf(file);
        if (!seen.equals(armed.seen)) {
            synchronized (this) {
                if (!seen.equals(armed.seen)) {
                    armed = new Armed(read(file), new ConcurrentHashMap<>(), seen);
                }
            }
        }
        return armed;
    }

    private static String stateOf(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.fileKey() + " " + attributes.lastModifiedTime();
        } catch (IOException e) {
            return "";
        }
    }

    private static Map<String, List<Step>> read(Path file) {
        try {
            return parsePairs(Files.readString(file).strip());
        } catch (NoSuchFileException e) {
            return Map.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void act(String name, long hit, Step step) {
        if (step.action.equals("off")) {
            return;
        }
        log(name, hit, step);
        switch (step.action) {
            case "halt" -> Runtime.getRuntime().halt(step.argument.isEmpty() ? 137 : Integer.parseInt(step.argument));
            case "pause" -> pauseUntilExists(Path.of(step.argument));
            case "sleep" -> sleep(Long.parseLong(step.argument));
            case "throw" -> throw new FailPointException(name + ": " + step.argument);
            default -> throw new IllegalStateException("unknown action " + step.action);
        }
    }

    private static void log(String name, long hit, Step step) {
        String file = System.getProperty(FailPoint.PROPERTY + ".log");
        if (file == null) {
            return;
        }
        String line = name + " " + hit + " " + step.action + "\n";
        try {
            Files.write(
                    Path.of(file),
                    line.getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pauseUntilExists(Path file) {
        while (!Files.exists(file)) {
            sleep(PAUSE_POLL_MS);
        }
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailPointException("interrupted at a fail point");
        }
    }
}
