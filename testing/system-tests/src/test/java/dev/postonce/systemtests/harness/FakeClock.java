package dev.postonce.systemtests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/**
 * The wall clock of one service process, by libfaketime (Debian's package of that name). Waiting goes by the monotonic
 * clock, which stays true, as it would if an operator or NTP set the time.
 */
public final class FakeClock {

    private static final Path LIBRARY = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");
    private static final DateTimeFormatter ABSOLUTE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final Duration WRONG_FROM = Duration.ofMinutes(30);
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final ServiceNode node;
    private final Path file;
    private final Map<String, String> environment;

    /** Holds from the service's next start on. */
    public FakeClock(ServiceNode node, Path directory) {
        this.node = node;
        this.file = directory.resolve(node.name() + ".clock").toAbsolutePath();
        this.environment = Map.of(
                "LD_PRELOAD", LIBRARY.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // Else each timed wait of the JVM returns at once, and its threads do nothing but wait again.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "DONT_FAKE_MONOTONIC", "1",
                // Times of files stay true: the JVM compares its class archive with them.
                "NO_FAKE_STAT", "1");
        mend();
        environment.forEach(node::environment);
    }

    public static boolean isThere() {
        return Files.exists(LIBRARY);
    }

    public void shift(Duration by) {
        write((by.isNegative() ? "-" : "+") + by.abs().toSeconds());
    }

    /** It shows the time of now until it is mended. */
    public void freeze() {
        write(ABSOLUTE.format(LocalDateTime.now(Clock.system(ZoneId.systemDefault()))));
    }

    public void mend() {
        write("+0");
    }

    /** From the next start on; until then the process has the true time by its file. */
    public void remove() {
        mend();
        environment.keySet().forEach(name -> node.environment(name, null));
    }

    /** What the process itself believes, by the Date of its answers; it may be busy with its new time for a while. */
    public boolean isWrong() {
        return Patience.until(ANSWERS_WITHIN, () -> error().compareTo(WRONG_FROM) > 0);
    }

    /** How far from the true time; zero where it does not answer. */
    private Duration error() {
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.url() + "/actuator/health"))
                .timeout(ASK_TIMEOUT)
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding())
                    .headers()
                    .firstValue("Date")
                    .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME))
                    .map(believed -> Duration.between(Clock.systemUTC().instant(), believed)
                            .abs())
                    .orElse(Duration.ZERO);
        } catch (IOException e) {
            return Duration.ZERO;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Duration.ZERO;
        }
    }

    /** Whole or not at all, since the process may read at any moment. */
    private void write(String what) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.writeString(next, what + "\n");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
