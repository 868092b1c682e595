package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.DispatchState;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.account.AccountsFile;
import dev.postonce.dispatch.account.CredentialReader;
import dev.postonce.dispatch.testkit.Node;
import dev.postonce.dispatch.testkit.Sandbox;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A ledger on a real PostgreSQL, and nodes that share it, against the sandbox. */
abstract class LedgerOnPostgres {

    static final String WORDPRESS = "wordpress";
    static final String WEBHOOK = "webhook";
    static TestDatabase database;
    static Sandbox sandbox;

    final List<Node> nodes = new ArrayList<>();

    @BeforeAll
    static void prepare() {
        database = TestInfra.newDatabase();
        Node.migrate(database);
        sandbox = new Sandbox();
    }

    @AfterAll
    static void end() {
        sandbox.close();
    }

    @BeforeEach
    void clean() {
        sandbox.platforms().reset();
        database.execute("truncate dispatch.task, dispatch.target, dispatch.attempt, dispatch.slug_reservation,"
                + " dispatch.instance, dispatch.inbox_event, dispatch.watermark, dispatch.parked_record,"
                + " dispatch.outbox_event");
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
    }

    Node node(String accounts) {
        Node node = new Node(database, accounts);
        nodes.add(node);
        return node;
    }

    Node node() {
        return node(sandbox.accounts());
    }

    Node node(Node.ConnectorPlan plan) {
        Node node = new Node(
                database, AccountsFile.parse(sandbox.accounts(), new CredentialReader(name -> null, true)), plan);
        nodes.add(node);
        return node;
    }

    static void await(Node node, String externalId, String platform, TargetState state) {
        Awaitility.await(externalId + " " + state)
                .atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(
                        () -> assertThat(node.state(externalId, platform)).isEqualTo(state));
    }

    static List<DispatchState> events(Node node, String subject) {
        return node.jdbc.query(
                "select data from dispatch.outbox_event where subject = ? order by seq",
                (row, number) -> EventJson.read(row.getString(1), DispatchState.class),
                subject);
    }

    static boolean awaitLatch(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
