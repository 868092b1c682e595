package dev.postonce.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads the source tree as a person would, and holds it to what the project says of itself. */
class TidyTest {

    private static final int FILE_LINES_MAX = 400;
    /** A module's own; a package may be called target too. */
    private static final Pattern BUILD_FOLDER = Pattern.compile("[^/]+(/[^/]+)?/target/");

    private static final Path ROOT = root();
    private static List<Path> javaFiles = List.of();
    private static List<Path> allFiles = List.of();

    @BeforeAll
    static void read_the_tree() throws IOException {
        try (Stream<Path> paths = Files.walk(ROOT)) {
            allFiles = paths.filter(Files::isRegularFile)
                    .filter(path -> {
                        String name = ROOT.relativize(path).toString();
                        return !BUILD_FOLDER.matcher(name).lookingAt()
                                && !name.startsWith(".git/")
                                && !name.startsWith("data")
                                && !name.contains("node_modules/");
                    })
                    .toList();
        }
        javaFiles = allFiles.stream()
                .filter(path -> path.toString().endsWith(".java"))
                .toList();
        assertThat(javaFiles).hasSizeGreaterThan(100);
    }

    @Test
    void no_java_file_is_longer_than_400_lines() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : javaFiles) {
            int lines = Files.readAllLines(file).size();
            if (lines > FILE_LINES_MAX) {
                tooLong.add(ROOT.relativize(file) + " has " + lines);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void every_main_package_is_null_marked() throws IOException {
        List<String> unmarked = new ArrayList<>();
        for (Path file : javaFiles) {
            if (file.toString().contains("/src/main/") && !Files.exists(file.resolveSibling("package-info.java"))) {
                unmarked.add(ROOT.relativize(file.getParent()).toString());
            }
        }
        assertThat(new TreeSet<>(unmarked)).isEmpty();
    }

    @Test
    void nothing_is_left_to_do_in_the_code() throws IOException {
        Pattern leftover = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b");
        List<String> found = new ArrayList<>();
        for (Path file : javaFiles) {
            if (leftover.matcher(Files.readString(file)).find()) {
                found.add(ROOT.relativize(file).toString());
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void migrations_are_named_by_their_minute() {
        List<String> names = allFiles.stream()
                .filter(path -> path.toString().contains("src/main/resources/db/migration/"))
                .map(path -> path.getFileName().toString())
                .toList();
        assertThat(names).isNotEmpty().allMatch(name -> name.matches("V\\d{12}__[a-z0-9_]+\\.sql"));
    }

    @Test
    void the_catalogue_of_fail_points_and_the_code_name_the_same_points() throws IOException {
        TreeSet<String> inCode = new TreeSet<>();
        Pattern hit = Pattern.compile("FailPoint\\s*\\.hit\\(\\s*\"([^\"]+)\"");
        for (Path file : javaFiles) {
            if (file.toString().contains("/src/main/")) {
                Matcher match = hit.matcher(Files.readString(file));
                while (match.find()) {
                    inCode.add(match.group(1));
                }
            }
        }
        TreeSet<String> inCatalogue =
                named("(?m)^\\| `([a-z-]+\\.[a-z0-9-]+)` \\|", "docs/reliability/crash-points.md");
        // The Javadoc of FailPoint names one as its example.
        assertThat(inCatalogue).isEqualTo(inCode);
    }

    @Test
    void the_page_of_shared_classes_and_the_code_name_the_same_classes() throws IOException {
        Pattern shared = Pattern.compile("\\b(synchronized|volatile|Atomic(Boolean|Integer|Long|Reference)(Array)?"
                + "|Concurrent(HashMap|LinkedQueue|LinkedDeque)|CopyOnWriteArrayList|ReentrantLock)\\b");
        TreeSet<String> inCode = new TreeSet<>();
        for (Path file : javaFiles) {
            boolean main = file.toString().contains("/src/main/")
                    && !file.toString().contains("/testing/benchmarks/")
                    && !file.toString().contains("/testing/test-infra/");
            if (main
                    && Files.readAllLines(file).stream()
                            .map(String::strip)
                            .filter(line ->
                                    !line.startsWith("import ") && !line.startsWith("*") && !line.startsWith("/"))
                            .anyMatch(line -> shared.matcher(line).find())) {
                inCode.add(file.getFileName().toString().replace(".java", ""));
            }
        }
        TreeSet<String> onPage = named("`([A-Z][A-Za-z]+)`", "docs/reliability/threads.md");
        onPage.removeIf(name -> name.endsWith("IT"));
        assertThat(onPage).isEqualTo(inCode);
    }

    @Test
    void each_proof_that_the_guarantees_name_exists() throws IOException {
        TreeSet<String> named = named("`([A-Z][A-Za-z]+(?:Test|IT))`", "docs/guarantees.md");
        TreeSet<String> missing = new TreeSet<>();
        for (String proof : named) {
            String file = proof + ".java";
            if (javaFiles.stream()
                    .noneMatch(path -> path.getFileName().toString().equals(file))) {
                missing.add(file);
            }
        }
        assertThat(named).isNotEmpty();
        assertThat(missing).isEmpty();
    }

    /** What a page names: the first group of each match. */
    private static TreeSet<String> named(String pattern, String page) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        Matcher match = Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(page)));
        while (match.find()) {
            names.add(match.group(1));
        }
        return names;
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("ingest-service/pom.xml"))) {
            here = here.getParent();
        }
        return here;
    }
}
