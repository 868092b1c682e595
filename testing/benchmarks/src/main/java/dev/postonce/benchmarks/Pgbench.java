package dev.postonce.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Debian's pgbench with a script, prepared, in the role of the service's requests. */
final class Pgbench {

    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+) \\(without initial connection time\\)");
    private static final Pattern FAILED = Pattern.compile("number of failed transactions: ([1-9][0-9]*)");
    private static final long IDS_A_RUN = 10_000_000_000L;

    private final Server server;
    private final Path script;
    private final PgbenchScript content;
    // Ids of the runs must not meet: each run begins where none has been.
    private final AtomicLong base = new AtomicLong(IDS_A_RUN);

    Pgbench(Server server, Path work, PgbenchScript content) throws IOException {
        this.server = server;
        this.content = content;
        this.script = work.resolve("submission.sql");
        Files.writeString(script, content.text());
    }

    static boolean isThere() {
        try {
            Process process = new ProcessBuilder("pgbench", "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** @return transactions a second */
    double run(String database, int clients, long seconds) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "pgbench",
                "--no-vacuum",
                "--protocol=prepared",
                "--client=" + clients,
                "--jobs=" + Math.min(2, clients)));
        command.addAll(List.of("--time=" + seconds, "--file=" + script, "--define=n=0"));
        command.add("--define=base=" + base.getAndAdd(IDS_A_RUN));
        content.variables().forEach((name, value) -> command.add("--define=" + name + "=" + value));
        command.addAll(List.of("--host=127.0.0.1", "--port=" + server.port(), "--username=postonce_ingest", database));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PGPASSWORD", server.password().reveal());
        builder.environment()
                .put("PGOPTIONS", "-c role=postonce_ingest_request -c lock_timeout=3000 -c statement_timeout=10000");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher rate = RATE.matcher(output);
        if (process.waitFor() != 0 || !rate.find() || FAILED.matcher(output).find()) {
            throw new IllegalStateException("pgbench failed: " + output);
        }
        return Double.parseDouble(rate.group(1));
    }
}
