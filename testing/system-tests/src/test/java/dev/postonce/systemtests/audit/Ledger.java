package dev.postonce.systemtests.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** One line for each run: what was tried, on which commit, under which seed, and what came of it. */
public final class Ledger {

    private static final String HEAD =
            "at,commit,tier,run,seed,faults,hits,seconds,operations,accepted,violations,quiet_s,verdict\n";

    private final Path file;

    private Ledger(Path file) {
        this.file = file;
    }

    /** The repository's where {@code postonce.ledger=repository} says so; else one beside the build's output. */
    public static Ledger open() {
        boolean kept = System.getProperty("postonce.ledger", "").equals("repository");
        return new Ledger(kept ? root().resolve("docs/reliability/ledger.csv") : Path.of("target/ledger.csv"));
    }

    /**
     * @param faults what was done, in the order in which it was done
     * @param hits how many connections, requests or processes suffered
     */
    public record Line(
            String tier, String run, long seed, List<String> faults, long hits, double seconds, Audit.Report report) {}

    public synchronized void add(Line line) {
        Audit.Report report = line.report();
        String text = String.format(
                Locale.ROOT,
                "%s,%s,%s,%s,%d,%s,%d,%.0f,%d,%d,%d,%.1f,%s%n",
                Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS),
                commit(),
                line.tier(),
                line.run(),
                line.seed(),
                String.join(" ", line.faults()).replace(',', ';'),
                line.hits(),
                line.seconds(),
                report.operations(),
                report.accepted(),
                report.findings().size(),
                report.seconds(),
                report.isClean() ? "clean" : "violated");
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            if (!Files.exists(file)) {
                Files.writeString(file, HEAD);
            }
            Files.writeString(file, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=10")
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? answer : "unknown";
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("ingest-service/pom.xml"))) {
            here = here.getParent();
        }
        return here;
    }
}
