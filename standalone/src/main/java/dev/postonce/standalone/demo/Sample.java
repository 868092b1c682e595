package dev.postonce.standalone.demo;

import dev.postonce.standalone.submit.LineForm;
import dev.postonce.standalone.submit.LineSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The project's own articles, in Chinese and English, and groups in many spellings. */
final class Sample {

    static final List<String> PLATFORMS = List.of("wordpress", "webhook");

    private static final String GROUP_CODE = "brand_official";

    private final List<String> articles = lines("articles.jsonl");
    private final List<String> groups = lines("groups.jsonl");

    int articles() {
        return articles.size();
    }

    int articlesIn(String language) {
        return (int) articles.stream()
                .filter(line -> line.contains("\"language\": \"" + language + "\""))
                .count();
    }

    int groupSpellings() {
        return groups.size();
    }

    LineSource open() {
        String all = String.join("\n", articles) + "\n" + String.join("\n", groups) + "\n";
        return new LineSource(new ByteArrayInputStream(all.getBytes(StandardCharsets.UTF_8)));
    }

    LineForm form(String sandboxUrl) {
        return new LineForm(null, PLATFORMS, GROUP_CODE, sandboxUrl + "/callbacks/demo");
    }

    private static List<String> lines(String resource) {
        try (InputStream in = Sample.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
