package dev.postonce.dispatch.target;

/** A task's identity. */
public record TaskKey(String tenantId, String externalId) {}
