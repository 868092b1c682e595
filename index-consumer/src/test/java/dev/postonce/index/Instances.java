package dev.postonce.index;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.Topics;
import dev.postonce.messaging.TopicAdmin;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

/** One database, one Kafka, and as many instances of the service as a test starts. */
final class Instances implements AutoCloseable {

    private static final List<String> READ = List.of(Topics.TASK, Topics.GROUP, Topics.KEY);

    final TestDatabase database = TestInfra.newDatabase();
    final JdbcTemplate jdbc = new JdbcTemplate(database.as("postonce_index"));
    final Admin admin = Admin.create(Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()));
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", TestInfra.kafkaBootstrap(), "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    private final HttpClient http = HttpClient.newHttpClient();

    static final class Instance implements AutoCloseable {
        final ConfigurableApplicationContext context;
        final int port;

        private Instance(ConfigurableApplicationContext context) {
            this.context = context;
            this.port = Integer.parseInt(String.valueOf(context.getEnvironment().getProperty("local.server.port")));
        }

        <T> T bean(Class<T> type) {
            return context.getBean(type);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    record Answer(int status, JsonNode body, HttpResponse<String> response) {}

    Instance start(String name, Path directory, String... more) {
        SpringApplicationBuilder builder = new SpringApplicationBuilder(IndexConsumer.class)
                .properties(Map.of(
                        "POSTONCE_DB_URL",
                        database.url(),
                        "POSTONCE_DB_PASSWORD",
                        database.password(),
                        "POSTONCE_KAFKA_BOOTSTRAP",
                        TestInfra.kafkaBootstrap(),
                        "POSTONCE_HTTP_PORT",
                        "0",
                        "POSTONCE_INSTANCE",
                        name,
                        "POSTONCE_INDEX_DIR",
                        directory.toString(),
                        "POSTONCE_KEY_PEPPER",
                        Samples.PEPPER.reveal(),
                        "POSTONCE_LOG_FORMAT",
                        "text",
                        "logging.level.root",
                        "ERROR",
                        "postonce.index.key-remembered",
                        "100ms"));
        return new Instance(builder.run(more));
    }

    void createTopics() throws InterruptedException {
        TopicAdmin.ensureTopics(admin, (short) 1);
    }

    void send(EventEnvelope... events) {
        for (EventEnvelope event : events) {
            producer.send(Samples.record(event));
        }
        producer.flush();
    }

    void sendRaw(List<ProducerRecord<byte[], byte[]>> records) {
        records.forEach(producer::send);
        producer.flush();
    }

    Answer get(Instance instance, String path, @Nullable String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + instance.port + path));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            boolean json =
                    response.headers().firstValue("content-type").orElse("").contains("json");
            String body = json ? response.body() : "{}";
            return new Answer(response.statusCode(), EventJson.mapper().readTree(body), response);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    Answer search(Instance instance, String question, String token) {
        return get(instance, "/v1/search?limit=100&q=" + URLEncoder.encode(question, StandardCharsets.UTF_8), token);
    }

    List<String> found(Instance instance, String question, String token) {
        Answer answer = search(instance, question, token);
        return answer.body()
                .path("hits")
                .valueStream()
                .map(hit -> hit.has("external_id")
                        ? hit.path("external_id").asString()
                        : hit.path("normalized_group_id").asString())
                .sorted()
                .toList();
    }

    /** What an instance's replica holds of the token's tenant. */
    Map<String, String> replica(Instance instance, String token) {
        Map<String, String> result = new TreeMap<>();
        String after = "";
        do {
            Answer page = get(
                    instance,
                    "/v1/replica/entries?limit=100&after=" + URLEncoder.encode(after, StandardCharsets.UTF_8),
                    token);
            for (JsonNode line : page.body().path("entries")) {
                String key = line.path("kind").asString() + "/"
                        + line.path("record_key").asString();
                result.put(key, line.path("version") + " " + line.path("deleted") + " " + line.path("content_digest"));
            }
            after = page.body().path("next").asString("");
        } while (!after.isEmpty());
        return result;
    }

    /** What the entries hold of a tenant, in the same words. */
    Map<String, String> entries(String tenant) {
        Map<String, String> result = new TreeMap<>();
        jdbc.query(
                "select kind, record_key, version, deleted, content_digest from \"index\".entry where tenant_id = ?",
                row -> {
                    result.put(
                            row.getString(1) + "/" + row.getString(2),
                            row.getLong(3) + " " + row.getBoolean(4) + " \"" + row.getString(5) + "\"");
                },
                tenant);
        return result;
    }

    /** The ends of all partitions that the service reads. */
    Map<TopicPartition, Long> ends() throws Exception {
        Map<TopicPartition, OffsetSpec> question = new HashMap<>();
        for (Topics.Spec topic : Topics.all()) {
            for (int i = 0; i < topic.partitions() && READ.contains(topic.name()); i++) {
                question.put(new TopicPartition(topic.name(), i), OffsetSpec.latest());
            }
        }
        Map<TopicPartition, Long> result = new HashMap<>();
        admin.listOffsets(question)
                .all()
                .get(10, TimeUnit.SECONDS)
                .forEach((partition, info) -> result.put(partition, info.offset()));
        return result;
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}
