package dev.postonce.dispatch;

import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.intake.JdbcStartOffsets;
import dev.postonce.dispatch.intake.TaskConsumer;
import dev.postonce.dispatch.ledger.Dispatcher;
import dev.postonce.dispatch.ledger.LedgerSample;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down while the topic is not read. What waits for a person is told, and takes nothing down. */
final class DispatchHealth implements HealthIndicator {

    private final Dispatcher dispatcher;
    private final TaskConsumer consumer;
    private final JdbcStartOffsets offsets;

    DispatchHealth(Dispatcher dispatcher, TaskConsumer consumer, JdbcStartOffsets offsets) {
        this.dispatcher = dispatcher;
        this.consumer = consumer;
        this.offsets = offsets;
    }

    @Override
    public Health health() {
        LedgerSample sample = dispatcher.sample();
        Health.Builder health = consumer.isRunning()
                ? Health.up()
                : Health.down().withDetail("reason", "the task topic is not there yet, or Kafka does not answer");
        return health.withDetail("instance", dispatcher.instanceId().toString())
                .withDetail("in_doubt", sample.inDoubt())
                .withDetail("in_doubt_oldest_ms", sample.inDoubtOldest().toMillis())
                .withDetail("awaiting_operator", sample.targets().getOrDefault(TargetState.AWAITING_OPERATOR, 0L))
                .withDetail("parked_records", sample.parkedRecords())
                .withDetail("offset_incidents", offsets.incidents())
                .build();
    }
}
