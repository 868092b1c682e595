package dev.postonce.benchmarks;

import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.standalone.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One ingest-service, as its container runs it, on one database; nothing else of the pipeline runs. */
final class Service implements AutoCloseable {

    static final String TENANT = "bench";
    private static final int START_S_MAX = 120;
    private static final int STOP_S_MAX = 30;

    private final Process process;
    private final int port;
    private final String apiKey;

    private Service(Process process, int port, String apiKey) {
        this.process = process;
        this.port = port;
        this.apiKey = apiKey;
    }

    /**
     * @param jar the runnable one
     * @param javaOptions the virtual machine's
     */
    static Service start(Path jar, Path work, Server server, String database, List<String> javaOptions)
            throws IOException, InterruptedException {
        String key = ApiKeyToken.generate("bench", database.replace("_", "") + "key", new SecureRandom())
                .reveal();
        Path bootstrap = work.resolve(database + "-tenants.json");
        PrivateFiles.write(
                bootstrap,
                """
                {"tenants":[{"tenant_id":"%s","name":"Benchmarks","environment":"bench","keys":[
                  {"client_id":"load","scopes":["submit","read"],"token":"%s"}]}]}
                """
                        .formatted(TENANT, key));
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of("-jar", jar.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(work.resolve(database + "-ingest.log").toFile())
                .redirectInput(new File("/dev/null"));
        builder.environment()
                .putAll(Map.of(
                        "POSTONCE_DB_URL", server.jdbcUrl(database),
                        "POSTONCE_DB_PASSWORD", server.password().reveal(),
                        "POSTONCE_HTTP_PORT", Integer.toString(port),
                        "POSTONCE_KEY_PEPPER", "a pepper for benchmarks",
                        "POSTONCE_SECRETS_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
                        "POSTONCE_BOOTSTRAP_FILE", bootstrap.toString(),
                        // Nothing listens there: no Kafka runs, and the consumer of results waits.
                        "POSTONCE_KAFKA_BOOTSTRAP", "127.0.0.1:1"));
        Service service = new Service(builder.start(), port, key);
        Waiting.until("ingest-service on " + database + " is ready", START_S_MAX, service::isReady);
        return service;
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    String apiKey() {
        return apiKey;
    }

    private boolean isReady() {
        if (!process.isAlive()) {
            throw new IllegalStateException("ingest-service ended; its log is in the work directory");
        }
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness")
                            .toURL()
                            .openConnection();
            connection.setConnectTimeout(1_000);
            connection.setReadTimeout(2_000);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_S_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
