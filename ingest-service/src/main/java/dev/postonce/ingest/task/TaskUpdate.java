package dev.postonce.ingest.task;

/**
 * A whole article that is to take the place of a task's present one.
 *
 * @param namesGroup whether the body named a group code; a task keeps its own
 * @param version that it is meant for
 */
record TaskUpdate(TaskSubmission article, boolean namesGroup, long version) {}
