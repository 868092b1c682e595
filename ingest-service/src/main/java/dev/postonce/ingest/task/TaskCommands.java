package dev.postonce.ingest.task;

import dev.postonce.ingest.web.Command;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.ingest.web.Reply;

/** Everything that changes tasks, for every face: read, do, show. Each method throws a {@link Refusal} for the rest. */
public final class TaskCommands {

    private final SubmissionReader reader;
    private final TaskIntake intake;
    private final IntakeMetrics metrics;

    public TaskCommands(SubmissionReader reader, TaskIntake intake, IntakeMetrics metrics) {
        this.reader = reader;
        this.intake = intake;
        this.metrics = metrics;
    }

    /** {@code POST /v1/tasks}. */
    public Reply submit(Command command) {
        command.exchange().enters(TaskIntake.ROUTE);
        TaskSubmission submission = metrics.timed("read", () -> reader.read(command.json()));
        command.exchange().concernsTask(submission.externalId(), submission.slug(), submission.language());
        return TaskView.reply(command.exchange(), intake.submit(command.exchange(), command.caller(), submission));
    }
}
