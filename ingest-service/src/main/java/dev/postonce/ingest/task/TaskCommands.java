package dev.postonce.ingest.task;

import dev.postonce.ingest.web.Command;
import dev.postonce.ingest.web.EntityTag;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.ingest.web.Reply;

/** Everything that changes tasks, for every face: read, do, show. Each method throws a {@link Refusal} for the rest. */
public final class TaskCommands {

    private final SubmissionReader reader;
    private final TaskIntake intake;
    private final TaskUpdates updates;
    private final TaskWithdrawals withdrawals;
    private final IntakeMetrics metrics;

    public TaskCommands(
            SubmissionReader reader,
            TaskIntake intake,
            TaskUpdates updates,
            TaskWithdrawals withdrawals,
            IntakeMetrics metrics) {
        this.reader = reader;
        this.intake = intake;
        this.updates = updates;
        this.withdrawals = withdrawals;
        this.metrics = metrics;
    }

    /** {@code POST /v1/tasks}. */
    public Reply submit(Command command) {
        command.exchange().enters(TaskIntake.ROUTE);
        TaskSubmission submission = metrics.timed("read", () -> reader.read(command.json()));
        command.exchange().concernsTask(submission.externalId(), submission.slug(), submission.language());
        return TaskView.reply(command.exchange(), intake.submit(command.exchange(), command.caller(), submission));
    }

    /** {@code PUT /v1/tasks/{external_id}}: the whole article anew, for the version that {@code If-Match} names. */
    public Reply update(Command command, String externalId) {
        enter(command, TaskUpdates.ROUTE, externalId);
        long version = EntityTag.required(command.ifMatch());
        TaskUpdate update = reader.readUpdate(command.json(), externalId, version);
        return TaskView.reply(
                command.exchange(),
                metrics.timed("update", () -> updates.update(command.exchange(), command.caller(), update)));
    }

    /** {@code POST /v1/tasks/{external_id}/withdraw}. */
    public Reply withdraw(Command command, String externalId) {
        enter(command, TaskWithdrawals.WITHDRAW, externalId);
        return set(command, externalId, StatusChange.ofWithdrawal(command.json(), EntityTag.ifAny(command.ifMatch())));
    }

    /** {@code POST /v1/tasks/{external_id}/restore}. */
    public Reply restore(Command command, String externalId) {
        enter(command, TaskWithdrawals.RESTORE, externalId);
        return set(command, externalId, StatusChange.ofRestoration(command.json(), EntityTag.ifAny(command.ifMatch())));
    }

    private Reply set(Command command, String externalId, StatusChange change) {
        return TaskView.reply(
                command.exchange(),
                metrics.timed(
                        "status", () -> withdrawals.change(command.exchange(), command.caller(), externalId, change)));
    }

    private static void enter(Command command, String route, String externalId) {
        command.exchange().enters(route);
        if (!ExternalIds.FORM.matcher(externalId).matches()) {
            throw UpdateRules.unknown();
        }
        command.exchange().concernsTask(externalId, null, null);
    }
}
