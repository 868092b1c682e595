package dev.postonce.ingest;

import dev.postonce.testinfra.TestDatabase;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** One running instance of the service on a test's own database, on a port of its own. */
public final class TestIngest implements AutoCloseable {

    public static final String PEPPER = "a pepper for tests only";
    /** Base64 of 32 bytes. */
    public static final String SECRETS_KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

    private final ConfigurableApplicationContext context;

    private TestIngest(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** @param settings POSTONCE_ variables or Spring properties that differ from the test defaults */
    public static TestIngest start(TestDatabase database, Map<String, Object> settings) {
        return new TestIngest(new SpringApplicationBuilder(IngestService.class).run(arguments(database, settings)));
    }

    /** The command line of an instance, for one in a process of its own. */
    static String[] arguments(TestDatabase database, Map<String, Object> settings) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("POSTONCE_DB_URL", database.url());
        all.put("POSTONCE_DB_PASSWORD", database.password());
        all.put("POSTONCE_HTTP_PORT", "0");
        all.put("POSTONCE_KEY_PEPPER", PEPPER);
        all.put("POSTONCE_SECRETS_KEY", SECRETS_KEY);
        all.put("POSTONCE_ALLOW_LOOPBACK", "true");
        all.put("POSTONCE_KAFKA_BOOTSTRAP", "127.0.0.1:1");
        all.putAll(settings);
        // The embedded broker of other tests sets a system property of this name, which would win.
        all.put("spring.kafka.bootstrap-servers", all.get("POSTONCE_KAFKA_BOOTSTRAP"));
        return all.entrySet().stream()
                .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);
    }

    public String url() {
        return "http://127.0.0.1:"
                + ((ServletWebServerApplicationContext) context).getWebServer().getPort();
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    @Override
    public void close() {
        context.close();
    }
}
