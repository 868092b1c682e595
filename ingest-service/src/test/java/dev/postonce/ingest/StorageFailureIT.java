package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postonce.ingest.Intake.Answer;
import dev.postonce.testinfra.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that is slow, locked, full or away: a clear answer, nothing half-done, and back without a restart. */
class StorageFailureIT {

    @Test
    void a_locked_table_ends_in_storage_failed_that_may_be_retried() throws SQLException {
        post(ALPHA, "/v1/tasks", campaign("warm-1"));
        try (Connection other = Intake.database().asSuperuser().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table ingest.task in access exclusive mode");
            isStorageFailed(post(ALPHA, "/v1/tasks", campaign("locked-1"), "Idempotency-Key", "locked-1"));
            other.rollback();
        }
        assertThat(post(ALPHA, "/v1/tasks", campaign("locked-1"), "Idempotency-Key", "locked-1")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void a_first_request_that_runs_past_the_wait_is_in_progress_for_its_header() throws SQLException {
        post(ALPHA, "/v1/tasks", campaign("progress-0"));
        try (Connection other = Intake.database().asSuperuser().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement()
                    .execute(
                            "insert into ingest.task select tenant_id, 'progress-1', gen_random_uuid(), version, status,"
                                    + " deleted, business_ref_id, group_code, title, content_html, content_md, cover_url,"
                                    + " summary, tags, category, target_platforms, callback_url, canonical_url, publish_at,"
                                    + " site, slug, language, translation_key, content_digest, article_digest,"
                                    + " submitted_digest, html_digest, sanitizer_policy, accepted_at, updated_at"
                                    + " from ingest.task where external_id = 'progress-0'");

            // Both wait their whole time, so they wait together.
            List<Callable<Answer>> waiting = List.of(
                    () -> post(ALPHA, "/v1/tasks", campaign("progress-1"), "Idempotency-Key", "progress-key"),
                    () -> post(ALPHA, "/v1/tasks", campaign("progress-1")));
            List<Answer> answers = Intake.together(waiting);
            Answer answer = answers.get(0);

            assertThat(answer.status()).as(answer.text()).isEqualTo(409);
            assertThat(answer.at("error_code")).isEqualTo("request_in_progress");
            assertThat(answer.body().path("retryable").asBoolean()).isTrue();
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(answer.body().path("links").path("request").asString()).isEqualTo("/v1/requests/progress-key");
            Answer withoutKey = answers.get(1);
            assertThat(withoutKey.at("error_code")).isEqualTo("request_in_progress");
            assertThat(withoutKey.body().path("links").path("task").asString()).isEqualTo("/v1/tasks/progress-1");
            other.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"requestPool", "workerPool"})
    void no_connection_of_a_pool_keeps_what_was_set_for_migrations(String name) throws SQLException {
        HikariDataSource pool = Intake.service().bean(name, HikariDataSource.class);
        List<Connection> taken = new ArrayList<>();
        try {
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                taken.add(pool.getConnection());
            }
            for (Connection connection : taken) {
                try (ResultSet shown = connection
                        .createStatement()
                        .executeQuery(
                                "select current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')")) {
                    shown.next();
                    assertThat(shown.getString(1)).isEqualTo("3s 10s");
                }
            }
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }
    }

    @Test
    void an_error_in_the_middle_leaves_nothing_of_the_submission() {
        Intake.database()
                .execute(
                        """
                        create function public.refuse_event() returns trigger language plpgsql as
                          $$ begin raise exception 'planted'; end $$;
                        create trigger planted before insert on ingest.outbox_event for each row
                          when (new.record_key like 'alpha:planted-%') execute function public.refuse_event();
                        grant usage on schema public to postonce_ingest
                        """);
        try {
            Answer answer = post(ALPHA, "/v1/tasks", campaign("planted-1"), "Idempotency-Key", "planted-1");

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.at("error_code")).isEqualTo("internal_error");
            assertThat(answer.text()).doesNotContain("planted'", "insert into", "PSQL");
            for (String table : new String[] {"task", "task_content", "target"}) {
                assertThat(count("ingest." + table + " where external_id = 'planted-1'"))
                        .as(table)
                        .isZero();
            }
            assertThat(count("ingest.idempotency_record where resource_ref = 'planted-1'"))
                    .isZero();
            assertThat(count("ingest.audit where external_id = 'planted-1' and outcome = 'created'"))
                    .isZero();
        } finally {
            Intake.database().execute("drop trigger planted on ingest.outbox_event");
        }
        assertThat(post(ALPHA, "/v1/tasks", campaign("planted-1"), "Idempotency-Key", "planted-1")
                        .status())
                .isEqualTo(201);
    }

    /** On an instance of its own, which waits shorter for a connection. */
    @Test
    void an_exhausted_pool_and_a_database_that_is_away_are_storage_failed_and_pass() throws SQLException {
        post(ALPHA, "/v1/tasks", campaign("pool-0"));
        try (TestIngest instance = TestIngest.start(
                Intake.database(), Map.of("POSTONCE_DB_POOL_WAIT_MS", "500", "POSTONCE_DB_POOL_MAX", "4"))) {
            assertThat(post(instance, ALPHA, "/v1/tasks", campaign("pool-0")).status())
                    .isEqualTo(200);
            HikariDataSource pool = instance.bean("requestPool", HikariDataSource.class);
            List<Connection> taken = new ArrayList<>();
            try {
                for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                    taken.add(pool.getConnection());
                }
                isStorageFailed(post(instance, ALPHA, "/v1/tasks", campaign("pool-1")));
            } finally {
                for (Connection connection : taken) {
                    connection.close();
                }
            }
            assertThat(post(instance, ALPHA, "/v1/tasks", campaign("pool-1")).status())
                    .isEqualTo(201);
            goesAwayAndComesBack(instance);
        }
        // The instance that the other tests use lost its connections, too.
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> post(ALPHA, "/v1/tasks", campaign("away-1")).status() == 200);
    }

    private static void goesAwayAndComesBack(TestIngest instance) throws SQLException {
        TestDatabase database = Intake.database();
        String name = database.name();
        TestDatabase elsewhere = new TestDatabase(
                database.host(), database.port(), "postgres", database.superuser(), database.password());
        try (Connection outside = elsewhere.asSuperuser().getConnection()) {
            outside.createStatement().execute("alter database " + name + " allow_connections false");
            try {
                outside.createStatement()
                        .execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + name
                                + "' and pid <> pg_backend_pid()");
                isStorageFailed(post(instance, ALPHA, "/v1/tasks", campaign("away-1")));
            } finally {
                outside.createStatement().execute("alter database " + name + " allow_connections true");
            }
        }
        // Connections that were cut are found out one by one; a client that obeys Retry-After sees nothing of it.
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        post(instance, ALPHA, "/v1/tasks", campaign("away-1")).status() == 201);
        assertThat(count("ingest.task where external_id = 'away-1'")).isEqualTo(1);
    }

    private static void isStorageFailed(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.at("error_code")).isEqualTo("storage_failed");
        assertThat(answer.body().path("retryable").asBoolean()).isTrue();
        assertThat(answer.header("Retry-After")).isEqualTo("1");
    }
}
