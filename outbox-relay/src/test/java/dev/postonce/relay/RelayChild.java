package dev.postonce.relay;

import com.zaxxer.hikari.HikariDataSource;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** The relay of a fixture as a process of its own, to be ended without warning. */
final class RelayChild {

    private RelayChild() {}

    public static void main(String[] args) throws InterruptedException {
        TestDatabase database = new TestDatabase(args[0], Integer.parseInt(args[1]), args[2], "unused", args[3]);
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database.as("postonce_relay"));
        pool.setMaximumPoolSize(4);
        OutboxSource source = new OutboxSource("ingest", "ingest", args[4], args[5], List.of(args[6], args[7]));
        new TestRelay(source, database, pool, args[8], Map.of()).start();
        new CountDownLatch(1).await();
    }

    static Process start(OutboxFixture outbox, String failpoints, File log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx200m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dpostonce.failpoints=" + failpoints,
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                RelayChild.class.getName()));
        TestDatabase database = outbox.database;
        command.addAll(List.of(
                database.host(),
                Integer.toString(database.port()),
                database.name(),
                database.password(),
                outbox.source.slot(),
                outbox.source.publication(),
                outbox.topic,
                outbox.otherTopic,
                TestInfra.kafkaBootstrap()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }
}
