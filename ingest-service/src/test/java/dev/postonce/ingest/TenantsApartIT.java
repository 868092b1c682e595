package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.ingest.storage.TenantScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The second line between tenants: a query that forgot its tenant shows and touches nothing of a stranger. */
class TenantsApartIT {

    private static final JdbcClient REQUESTS = Intake.service().bean(JdbcClient.class);
    private static final TransactionTemplate TRANSACTIONS = Intake.service().bean(TransactionTemplate.class);

    @BeforeAll
    static void both_tenants_have_rows_everywhere() {
        for (String key : new String[] {ALPHA, BETA}) {
            post(key, "/v1/tasks", campaign("apart-1"), "Idempotency-Key", "apart-1");
            post(key, "/v1/tasks", campaign("apart-1"));
            post(key, "/v1/tasks", "{}");
            post(key, "/v1/groups", "{\"group_id\":\"@apart_group\"}");
        }
        post(ALPHA, "/v1/tasks", article("apart-article", "en", "text"));
    }

    @Test
    void every_table_with_rows_of_tenants_is_guarded_for_its_owner_too() {
        Set<String> holding = new TreeSet<>(Intake.sql()
                .sql(
                        """
                        select c.table_name from information_schema.columns c
                        join information_schema.tables t using (table_schema, table_name)
                        where c.table_schema = 'ingest' and c.column_name = 'tenant_id' and t.table_type = 'BASE TABLE'
                        """)
                .query(String.class)
                .list());
        Set<String> guarded = new TreeSet<>(Intake.sql()
                .sql(
                        """
                        select c.relname from pg_class c join pg_policy p on p.polrelid = c.oid
                        where c.relnamespace = 'ingest'::regnamespace and c.relrowsecurity and c.relforcerowsecurity
                          and p.polname = 'own_tenant'
                        """)
                .query(String.class)
                .list());
        holding.add("outbox_event");

        assertThat(guarded).isEqualTo(holding).contains("task", "api_key", "audit", "callback");
        assertThat(Intake.sql()
                        .sql("select rolsuper or rolbypassrls from pg_roles where rolname like 'postonce_ingest%'")
                        .query(Boolean.class)
                        .list())
                .containsOnly(false);
    }

    @Test
    void a_query_without_its_filter_shows_one_tenants_rows() {
        for (String table : List.of("task", "target", "group_entry", "audit", "idempotency_record", "api_key")) {
            String planted = "select distinct tenant_id from ingest." + table;
            assertThat(TenantScope.within("beta", () -> texts(planted)))
                    .as(table)
                    .containsExactly("beta");
            assertThat(TenantScope.within("alpha", () -> texts(planted)))
                    .as(table)
                    .containsExactly("alpha");
            assertThat(inOneTransaction("beta", planted)).as(table).containsExactly("beta");
            assertThat(texts(planted)).as("%s, by nobody", table).isEmpty();
        }
        assertThat(TenantScope.within(
                        "beta", () -> texts("select distinct split_part(record_key, ':', 1) from ingest.outbox_event")))
                .containsExactly("beta");
    }

    @Test
    void a_change_without_its_filter_touches_one_tenants_rows() {
        String planted = "update ingest.target set error_detail = 'planted' where external_id = 'apart-1'";

        int changed = TenantScope.within("beta", () -> REQUESTS.sql(planted).update());

        assertThat(changed).isEqualTo(4);
        assertThat(Intake.sql()
                        .sql("select distinct tenant_id from ingest.target where error_detail = 'planted'")
                        .query(String.class)
                        .list())
                .containsExactly("beta");
        assertThat(TenantScope.within(
                        "beta", () -> REQUESTS.sql("delete from ingest.idempotency_record where tenant_id = 'alpha'")
                                .update()))
                .isZero();
    }

    @Test
    void a_row_for_a_stranger_is_not_taken() {
        String planted =
                """
                insert into ingest.audit (at, tenant_id, request_id, route, outcome, status_code)
                values (now(), 'alpha', 'planted', 'planted', 'created', 201)
                """;
        String event =
                """
                insert into ingest.outbox_event (event_id, topic, record_key, event_type, source, subject,
                  aggregate_version, occurred_at, data)
                values (gen_random_uuid(), 't', 'alpha:x', 'e', 's', 'x', 1, now(), '{}')
                """;
        for (String statement : new String[] {planted, event}) {
            assertThatThrownBy(() -> TenantScope.within(
                            "beta", () -> REQUESTS.sql(statement).update()))
                    .hasRootCauseMessage(rootMessageOf(statement));
        }
        assertThat(Intake.count("ingest.audit where request_id = 'planted'")).isZero();
    }

    private static String rootMessageOf(String statement) {
        String table = statement.contains("outbox_event") ? "outbox_event" : "audit";
        return "ERROR: new row violates row-level security policy for table \"" + table + "\"";
    }

    @Test
    void requests_cannot_change_the_guard_or_reach_what_is_not_of_tenants() {
        for (String statement : List.of(
                "alter table ingest.task disable row level security",
                "drop policy own_tenant on ingest.task",
                "select count(*) from ingest.parked_record",
                "select count(*) from ingest.inbox_event")) {
            assertThatThrownBy(() -> TenantScope.within(
                            "beta",
                            () -> Intake.service().bean(JdbcTemplate.class).queryForList(statement)))
                    .as(statement)
                    .hasStackTraceContaining("ERROR: ");
        }
    }

    @Test
    void nothing_of_a_tenant_is_left_on_a_connection_and_two_never_mix() {
        List<Callable<Boolean>> work = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            String tenant = thread % 2 == 0 ? "alpha" : "beta";
            work.add(() -> {
                boolean apart = true;
                for (int i = 0; i < 100; i++) {
                    String planted = "select distinct tenant_id from ingest.task";
                    apart &= TenantScope.within(tenant, () -> texts(planted)).equals(List.of(tenant));
                    apart &= texts(planted).isEmpty();
                }
                return apart;
            });
        }
        assertThat(Intake.together(work)).containsOnly(true);
        List<String> seen = new ArrayList<>();
        try (TenantScope alpha = TenantScope.enter("alpha")) {
            TRANSACTIONS.executeWithoutResult(status -> {
                String planted = "select distinct tenant_id from ingest.task";
                seen.addAll(texts(planted));
                seen.addAll(TenantScope.within("beta", () -> texts(planted)));
                seen.addAll(texts(planted));
            });
        }
        assertThat(seen).containsExactly("alpha", "beta", "alpha");
    }

    private static List<String> inOneTransaction(String tenant, String sql) {
        List<String> seen = new ArrayList<>();
        try (TenantScope scope = TenantScope.enter(tenant)) {
            TRANSACTIONS.executeWithoutResult(status -> seen.addAll(texts(sql)));
        }
        return seen;
    }

    private static List<String> texts(String sql) {
        return REQUESTS.sql(sql).query(String.class).list();
    }
}
