package dev.postonce.ingest.task;

import dev.postonce.contract.TaskState;
import java.util.UUID;

/** A first submission, complete before anything is asked of the database. */
record NewTask(UUID taskId, UUID eventId, TaskSubmission submission, Article article, TaskState state, String data) {}
