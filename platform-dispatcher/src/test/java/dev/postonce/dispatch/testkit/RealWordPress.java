package dev.postonce.dispatch.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real WordPress on loopback, made by the project's script on first use and stopped when the JVM ends. */
public final class RealWordPress {

    private static final String PREFIX = "postonce.counterpart.wordpress.";
    private static final long SCRIPT_TIMEOUT_MIN = 10;
    private static RealWordPress shared;

    private final Properties site;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Of one user of the site. */
    public record Login(String user, String password) {}

    private RealWordPress(Properties site) {
        this.site = site;
    }

    /** The one of this JVM; another that runs already is used where {@code postonce.counterpart.wordpress.url} names it. */
    public static synchronized RealWordPress shared() {
        if (shared == null) {
            shared = new RealWordPress(System.getProperty(PREFIX + "url") == null ? started() : named());
        }
        return shared;
    }

    private static Properties named() {
        Properties site = new Properties();
        site.setProperty("url", System.getProperty(PREFIX + "url").replaceAll("/+$", ""));
        for (String role : new String[] {"admin", "author"}) {
            site.setProperty(role + ".user", System.getProperty(PREFIX + role + ".user", role));
            site.setProperty(role + ".password", System.getProperty(PREFIX + role + ".password", ""));
        }
        return site;
    }

    private static Properties started() {
        Path script = Path.of(System.getProperty(PREFIX + "script", "../testing/counterparts/wordpress.sh"));
        Path directory = Path.of("target", "counterpart-wordpress").toAbsolutePath();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> run(script, "down", directory), "wordpress-down"));
        run(script, "up", directory);
        Properties site = new Properties();
        try (var in = Files.newBufferedReader(directory.resolve("wordpress.properties"))) {
            site.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return site;
    }

    private static void run(Path script, String command, Path directory) {
        try {
            Files.createDirectories(directory);
            Process process = new ProcessBuilder(script.toAbsolutePath().toString(), command, directory.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("script.log").toFile())
                    .start();
            boolean ended = process.waitFor(SCRIPT_TIMEOUT_MIN, TimeUnit.MINUTES);
            if (!ended || process.exitValue() != 0) {
                throw new IllegalStateException(
                        script + " " + command + " failed; " + Files.readString(directory.resolve("script.log")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Without a slash at its end. */
    public String url() {
        return site.getProperty("url");
    }

    public Login login(String role) {
        return new Login(site.getProperty(role + ".user"), site.getProperty(role + ".password"));
    }

    /** Each post that holds the text, whatever its status, the trash included; asked past the connector. */
    public List<JsonNode> postsWith(String text) {
        List<JsonNode> posts = new ArrayList<>();
        list("search", text).forEach(posts::add);
        return posts;
    }

    public List<JsonNode> postsOfSlug(String slug) {
        List<JsonNode> posts = new ArrayList<>();
        list("slug", slug).forEach(posts::add);
        return posts;
    }

    private JsonNode list(String parameter, String value) {
        Login admin = login("admin");
        String token = Base64.getEncoder()
                .encodeToString((admin.user() + ":" + admin.password()).getBytes(StandardCharsets.UTF_8));
        String query = "?per_page=100&context=edit&status=any,trash&" + parameter + "="
                + URLEncoder.encode(value, StandardCharsets.UTF_8);
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(url() + "/wp-json/wp/v2/posts" + query))
                            .header("authorization", "Basic " + token)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(answer.statusCode() + " " + answer.body());
            }
            return JsonMapper.shared().readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
