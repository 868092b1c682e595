package dev.postonce.ingest.callback;

/**
 * A lane that a worker has claimed.
 *
 * @param token fences it: once another worker has claimed the lane, this one's results are not written
 */
record Lane(String tenantId, String externalId, long token) {}
