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
import java.util.Properties;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What a submission costs on the wire: the tenant's setting must not cost a round trip of its own. */
class RoundTripsIT {

    @Test
    void a_first_submission_is_one_round_trip_with_the_tenants_setting_in_it() throws IOException, SQLException {
        // Starts the service, which makes the tables.
        Intake.sql();
        TestDatabase database = Intake.database();
        try (RoundTrips wire = new RoundTrips(database.host(), database.port());
                Connection connection = connect(database, wire.port())) {
            TenantDataSource tenants = new TenantDataSource(new SingleConnectionDataSource(connection, true));
            TaskIntake intake = TenantCostBench.intake(JdbcClient.create(tenants));
            IntSupplier submission = counting(wire, intake);
            // Statements are prepared at their first use.
            submission.getAsInt();

            for (int i = 0; i < 5; i++) {
                assertThat(submission.getAsInt()).as("round trips").isEqualTo(1);
            }
        }
        assertThat(Intake.count("ingest.task where tenant_id = 'alpha' and external_id like 'trips-%'"))
                .isEqualTo(6);
    }

    private static IntSupplier counting(RoundTrips wire, TaskIntake intake) {
        int[] number = new int[1];
        return () -> {
            int before = wire.count();
            try (TenantScope scope = TenantScope.enter("alpha")) {
                TenantCostBench.submit(intake, "trips-" + number[0]++);
            }
            return wire.count() - before;
        };
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
