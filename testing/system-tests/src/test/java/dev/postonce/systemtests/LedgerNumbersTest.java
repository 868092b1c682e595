package dev.postonce.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.invariants.InvariantId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/guarantees.md claims no more runs than docs/reliability/ledger.csv has, and hides none that found something. */
class LedgerNumbersTest {

    private static final Path ROOT = root();
    private static final Pattern ROW = Pattern.compile("^\\| (I\\d+) \\| (.+) \\| (\\d+) \\| (\\d+) \\| .+ \\|$");

    /** One line of the table: which checkers, how many clean runs in a row, how many that found something. */
    private record Claim(String checkers, long clean, long found) {}

    @Test
    void the_guarantees_claim_no_more_than_the_ledger_has() throws IOException, InterruptedException {
        Map<String, Claim> claimed = claims(Files.readString(ROOT.resolve("docs/guarantees.md")));
        Map<String, Claim> counted = claims(counted());
        assertThat(claimed.keySet())
                .containsExactlyElementsOf(
                        Arrays.stream(InvariantId.values()).map(Enum::name).toList());
        claimed.forEach((id, claim) -> {
            String refresh = id + ": run docs/reliability/numbers.sh --write";
            assertThat(claim.clean())
                    .as(refresh)
                    .isLessThanOrEqualTo(counted.get(id).clean());
            assertThat(claim.found()).as(refresh).isEqualTo(counted.get(id).found());
        });
    }

    @Test
    void each_checker_that_they_name_exists() throws IOException {
        List<String> files;
        try (Stream<Path> paths = Files.walk(ROOT.resolve("libs/invariants/src/main"));
                Stream<Path> audits =
                        Files.walk(ROOT.resolve("testing/system-tests/src/test/java/dev/postonce/systemtests/audit"))) {
            files = Stream.concat(paths, audits)
                    .map(path -> path.getFileName().toString())
                    .toList();
        }
        Matcher name = Pattern.compile("`(\\w+)`")
                .matcher(claims(Files.readString(ROOT.resolve("docs/guarantees.md"))).values().stream()
                        .map(Claim::checkers)
                        .reduce("", String::concat));
        while (name.find()) {
            assertThat(files).contains(name.group(1) + ".java");
        }
    }

    private static Map<String, Claim> claims(String text) {
        Map<String, Claim> claims = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                claims.put(
                        row.group(1),
                        new Claim(row.group(2), Long.parseLong(row.group(3)), Long.parseLong(row.group(4))));
            }
        });
        return claims;
    }

    private static String counted() throws IOException, InterruptedException {
        Process script = new ProcessBuilder(
                        ROOT.resolve("docs/reliability/numbers.sh").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String text = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor()).isZero();
        return text;
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("ingest-service/pom.xml"))) {
            here = here.getParent();
        }
        return here;
    }
}
