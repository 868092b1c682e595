package dev.postonce.standalone.verify;

import com.sun.net.httpserver.HttpServer;
import dev.postonce.contract.Digests;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.Platform;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TargetMarker;
import dev.postonce.messaging.KafkaEventCodec;
import dev.postonce.messaging.TopicAdmin;
import dev.postonce.runtime.Secret;
import dev.postonce.standalone.Part;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A system that was written by hand: tables, topics, a replica and a sandbox, to be broken in places. */
final class WrittenSystem implements AutoCloseable {

    static final Instant BEFORE = Instant.now().minusSeconds(600);

    private static final String TABLES =
            """
            create table ingest.task (tenant_id text, external_id text, task_id uuid, version bigint, status text,
              deleted boolean, site text, slug text, content_digest text, article_digest text,
              target_platforms text[] not null default '{}', callback_url text,
              primary key (tenant_id, external_id));
            create table ingest.audit (tenant_id text, external_id text, group_ref text, outcome text,
              resource_version bigint, status_code int, route text, at timestamptz,
              id bigint generated always as identity);
            create table ingest.idempotency_record (tenant_id text, resource_kind text, resource_ref text,
              resource_id uuid);
            create table ingest.callback (tenant_id text, external_id text, platform text, sequence bigint,
              dispatch_version bigint, status text, body text, state text, last_outcome text,
              settled_at timestamptz);
            create table ingest.group_entry (tenant_id text, operation text, normalized_group_id text, id uuid,
              version bigint, deleted boolean, content_digest text);
            create table ingest.target (tenant_id text, external_id text, platform text, state text, task_version bigint,
              shown_task_version bigint, dispatch_version bigint, platform_url text, observed_at timestamptz,
              error_code text, updated_at timestamptz);
            create table ingest.outbox_event (seq bigint generated always as identity primary key, event_id uuid,
              xid xid8 not null default pg_current_xact_id(), topic text, record_key text, event_type text, source text,
              subject text, aggregate_version bigint, occurred_at timestamptz, traceparent text, data text);
            create table dispatch.outbox_event (like ingest.outbox_event including all);
            create table relay.parked_event (source text, event_id uuid, topic text, record_key text,
              aggregate_version bigint, reason_code text, reason text, parked_at timestamptz, settled_at timestamptz,
              settled_how text);
            create table "index".parked_record (id bigint generated always as identity primary key, consumer text,
              topic text, partition_number int, record_offset bigint, record_key text, event_id text, headers text,
              value bytea, reason_code text, reason text, parked_at timestamptz, settled_at timestamptz,
              settled_how text);
            create table dispatch.parked_record (like "index".parked_record including all);
            create table ingest.parked_record (like "index".parked_record including all);
            create table "index".entry (record_key text, kind text, tenant_id text, version bigint, deleted boolean,
              content_digest text, document text, updated_at timestamptz, primary key (kind, record_key));
            create table dispatch.target (tenant_id text, external_id text, platform text, account text, version bigint,
              desired_task_version bigint, shown_task_version bigint, state text, platform_post_id text,
              platform_url text, observed_at timestamptz, error_code text, marker text, content_digest text,
              updated_at timestamptz);
            create table dispatch.attempt (attempt_id uuid, tenant_id text, external_id text, platform text, account text,
              task_version bigint, marker text, platform_key text, request_digest text, owner text, token text,
              started_at timestamptz, outcome text, outcome_at timestamptz, settled_at timestamptz, settled_as text,
              resend_of uuid);
            grant select on all tables in schema ingest, relay, "index", dispatch to postonce_verify;
            """;

    private final TestDatabase database = TestInfra.newDatabase();
    private final KafkaProducer<byte[], byte[]> producer;
    private final HttpServer http;
    private final Map<String, String> posts = new ConcurrentHashMap<>();
    private final Map<String, String> replica = new ConcurrentHashMap<>();
    private volatile String meters = "";

    WrittenSystem() throws IOException, InterruptedException {
        database.execute(TABLES);
        String bootstrap = TestInfra.kafkaBootstrap();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            TopicAdmin.ensureTopics(admin, (short) 1);
        }
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArraySerializer(), new ByteArraySerializer());
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext(
                "/_sandbox/posts", exchange -> answer(exchange, "[" + String.join(",", posts.values()) + "]"));
        http.createContext(
                "/v1/replica/entries",
                exchange -> answer(exchange, "{\"ok\":true,\"entries\":[" + String.join(",", replica.values()) + "]}"));
        http.createContext("/actuator/prometheus", exchange -> write(exchange, meters));
        http.start();
    }

    VerifySources sources() {
        String url = "http://127.0.0.1:" + http.getAddress().getPort();
        return new VerifySources(
                database.url(),
                Secret.of(database.password()),
                TestInfra.kafkaBootstrap(),
                List.of(url),
                url,
                Secret.of("pk_dev_test"),
                "dev",
                List.of());
    }

    /** One address tells the meters of all services. */
    VerifySources metered() {
        VerifySources sources = sources();
        String url = "http://127.0.0.1:" + http.getAddress().getPort();
        return sources.withServices(List.of(
                new VerifySources.Service(Part.INGEST, url),
                new VerifySources.Service(Part.RELAY, url),
                new VerifySources.Service(Part.DISPATCHER, url)));
    }

    void meters(String text) {
        meters = text;
    }

    void execute(String sql) {
        database.execute(sql);
    }

    /** A task that has come all the way: row, event, record, entry, replica, and a WordPress post. */
    void wholeTask(String id) {
        String data = data(id, 1);
        taskRow(id);
        outbox("ingest", EventType.TASK_STATE, "dev:" + id, id, data, 1, BEFORE);
        publish(EventType.TASK_STATE, "dev:" + id, id, data, 1);
        entry(id, 1);
        replica(id, 1);
        dispatched(id);
        post(id, "1" + Math.abs(id.hashCode()));
    }

    void taskRow(String id) {
        execute("insert into ingest.task values ('dev','%s','%s',1,'active',false,'blog','%s','%s','a')"
                .formatted(id, UUID.randomUUID(), id, digest(id, 1)));
        execute("insert into ingest.audit values ('dev','%s',null,'created',1,201,'POST /v1/tasks','%s')"
                .formatted(id, BEFORE));
    }

    void outbox(String schema, EventType type, String key, String subject, String data, long version, Instant at) {
        execute(
                """
                insert into %s.outbox_event (event_id, topic, record_key, event_type, source, subject, aggregate_version,
                  occurred_at, data)
                values ('%s', '%s', '%s', '%s', '/postonce/%s', '%s', %d, '%s', '%s')
                """
                        .formatted(
                                schema,
                                eventId(key, version),
                                type.topic(),
                                key,
                                type.ceType(),
                                schema,
                                subject,
                                version,
                                at,
                                data));
    }

    void publish(EventType type, String key, String subject, String data, long version) {
        send(KafkaEventCodec.encode(
                type.topic(),
                new EventEnvelope(
                        eventId(key, version),
                        type.ceType(),
                        "/postonce/ingest",
                        subject,
                        BEFORE,
                        RecordKey.parse(key),
                        version,
                        null,
                        data)));
    }

    void send(ProducerRecord<byte[], byte[]> topicRecord) {
        producer.send(topicRecord);
        producer.flush();
    }

    void entry(String id, long version) {
        execute(("insert into \"index\".entry values ('dev:%s','task','dev',%d,false,'%s','{}',now())"
                        + " on conflict (kind, record_key) do update set version = excluded.version")
                .formatted(id, version, digest(id, version)));
    }

    void replica(String id, long version) {
        replica.put(
                id,
                "{\"kind\":\"task\",\"record_key\":\"dev:%s\",\"version\":%d,\"deleted\":false,\"content_digest\":\"%s\"}"
                        .formatted(id, version, digest(id, version)));
    }

    private void dispatched(String id) {
        execute("update ingest.task set target_platforms = '{wordpress}' where external_id = '%s'".formatted(id));
        execute("insert into ingest.target values ('dev','%s','wordpress','published',1,1,2,null,'%s',null,'%s')"
                .formatted(id, BEFORE, BEFORE));
        execute(("insert into dispatch.target values"
                        + " ('dev','%s','wordpress','main',2,1,1,'published','12',null,'%s',null,'m','d','%s')")
                .formatted(id, BEFORE, BEFORE));
        execute(("insert into dispatch.attempt values"
                        + " ('%s','dev','%s','wordpress','main',1,'m',null,'%s','o','t','%s','accepted','%s','%s','done')")
                .formatted(UUID.randomUUID(), id, digest(id, 1), BEFORE, BEFORE, BEFORE));
        String data = "{\"tenant_id\":\"dev\",\"content_digest\":\"%s\"}".formatted(digest(id + "/wordpress", 2));
        outbox("dispatch", EventType.DISPATCH_STATE, "dev:" + id + "/wordpress", id, data, 2, BEFORE);
        publish(EventType.DISPATCH_STATE, "dev:" + id + "/wordpress", id, data, 2);
    }

    void post(String id, String postId) {
        posts.put(
                postId,
                "{\"platform\":\"wordpress\",\"account\":\"main\",\"post_id\":\"%s\",\"marker\":\"%s\",\"task_version\":1,"
                                .formatted(postId, TargetMarker.of("dev", id, Platform.WORDPRESS))
                        + "\"status\":\"publish\",\"url\":\"http://127.0.0.1/x\"}");
    }

    static String data(String id, long version) {
        return "{\"external_id\":\"" + id + "\",\"tags\":[\"双11\"],\"tenant_id\":\"dev\",\"content_digest\":\""
                + digest(id, version) + "\"}";
    }

    static UUID eventId(String key, long version) {
        return UUID.nameUUIDFromBytes((key + version).getBytes(StandardCharsets.UTF_8));
    }

    private static String digest(String id, long version) {
        return Digests.sha256Hex(id + version);
    }

    private static void answer(com.sun.net.httpserver.HttpExchange exchange, String body) throws IOException {
        write(exchange, EventJson.mapper().readTree(body).toString());
    }

    private static void write(com.sun.net.httpserver.HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
        producer.close();
    }
}
