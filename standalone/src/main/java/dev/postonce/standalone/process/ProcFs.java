package dev.postonce.standalone.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/** What {@code /proc} tells of a process. A process that is gone, or is a zombie, is told as absent. */
public final class ProcFs {

    private static final Path PROC = Path.of("/proc");
    private static final int STATE_FIELD = 0;
    private static final int THREADS_FIELD = 17;
    private static final int START_FIELD = 19;

    private ProcFs() {}

    public static boolean isAvailable() {
        return Files.isReadable(PROC.resolve("self/stat"));
    }

    /** Alive and not a zombie: a zombie holds no file, no lock and no port, but may stay for ever under a lazy init. */
    public static boolean isAlive(long pid) {
        return startTicks(pid).isPresent();
    }

    /** When it started, in clock ticks since boot: with the pid, the identity of a process until the next boot. */
    public static Optional<Long> startTicks(long pid) {
        return read(pid, "stat").flatMap(stat -> {
            // The name in parentheses may hold anything, so fields are counted from its end.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            // The first thread of a process may be dead while others still hold its files, locks and ports.
            boolean gone = fields.length <= START_FIELD
                    || fields[STATE_FIELD].equals("X")
                    || (fields[STATE_FIELD].equals("Z") && Integer.parseInt(fields[THREADS_FIELD]) <= 1);
            return gone ? Optional.empty() : Optional.of(Long.parseLong(fields[START_FIELD]));
        });
    }

    public static List<String> arguments(long pid) {
        return read(pid, "cmdline").map(line -> List.of(line.split("\0", -1))).orElse(List.of());
    }

    /** Resident set in KiB; 0 if the process is gone. */
    public static long residentKib(long pid) {
        return read(pid, "status").stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("\\D", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }

    /** Its share of the memory, in KiB: pages that several processes map are divided among them. */
    public static long proportionalKib(long pid) {
        return read(pid, "smaps_rollup").stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("Pss:"))
                .map(line -> line.replaceAll("\\D", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }

    public static Optional<Path> workingDirectory(long pid) {
        try {
            return Optional.of(Files.readSymbolicLink(PROC.resolve(pid + "/cwd")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Tells one boot from the next, since both count ticks from zero. */
    public static String bootId() {
        try {
            return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    public static List<Long> find(LongPredicate wanted) {
        try (Stream<Path> entries = Files.list(PROC)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.isEmpty() && name.chars().allMatch(Character::isDigit))
                    .map(Long::valueOf)
                    .filter(wanted::test)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Optional<String> read(long pid, String name) {
        try {
            return Optional.of(Files.readString(PROC.resolve(pid + "/" + name), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
