package dev.postonce.ingest.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake;
import dev.postonce.ingest.storage.TenantDataSource;
import dev.postonce.ingest.storage.TenantScope;
import dev.postonce.testinfra.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What a submission costs on the wire: the tenant's setting must not cost a round trip of its own. */
class RoundTripsIT {

    private interface Work {
        void on(TaskIntake intake);
    }

    @Test
    void a_first_submission_is_one_round_trip_with_the_tenants_setting_in_it() throws IOException, SQLException {
        int[] number = new int[1];
        // Statements are prepared at their first use.
        assertThat(roundTrips(6, intake -> TenantCostBench.submit(intake, "trips-" + number[0]++)))
                .endsWith(1, 1, 1, 1, 1);
        assertThat(Intake.count("ingest.task where tenant_id = 'alpha' and external_id like 'trips-%'"))
                .isEqualTo(6);
    }

    @Test
    void a_repetition_under_its_key_is_one_round_trip_and_leaves_its_audit_row() throws IOException, SQLException {
        // The first one creates, the second prepares its statement.
        assertThat(roundTrips(6, intake -> TenantCostBench.submit(intake, "again-1", "again-key")))
                .endsWith(1, 1, 1, 1);
        assertThat(Intake.count("ingest.audit where external_id = 'again-1' and outcome = 'replay'"
                        + " and resource_version = 1 and idempotency_key_prefix = 'again-key' and status_code = 200"))
                .isEqualTo(5);
    }

    private static List<Integer> roundTrips(int times, Work work) throws IOException, SQLException {
        // Starts the service, which makes the tables.
        Intake.sql();
        TestDatabase database = Intake.database();
        try (RoundTrips wire = new RoundTrips(database.host(), database.port());
                Connection connection = connect(database, wire.port())) {
            TenantDataSource tenants = new TenantDataSource(new SingleConnectionDataSource(connection, true));
            TaskIntake intake = TenantCostBench.intake(JdbcClient.create(tenants));
            List<Integer> counted = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                int before = wire.count();
                try (TenantScope scope = TenantScope.enter("alpha")) {
                    work.on(intake);
                }
                counted.add(wire.count() - before);
            }
            return counted;
        }
    }

    /** As the requests' pool connects. */
    private static Connection connect(TestDatabase database, int port) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", "postonce_ingest");
        properties.setProperty("password", database.password());
        properties.setProperty("sslmode", "disable");
        properties.setProperty("gssEncMode", "disable");
        properties.setProperty("prepareThreshold", "1");
        properties.setProperty("options", "-c role=postonce_ingest_request");
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + database.name(), properties);
    }
}
