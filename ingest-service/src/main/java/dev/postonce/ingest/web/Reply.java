package dev.postonce.ingest.web;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is answered to a write that was accepted, whatever face it came over.
 *
 * @param status as over HTTP
 * @param version of the resource; over HTTP its {@code ETag}
 * @param location of what was created; null where nothing was
 */
public record Reply(int status, ObjectNode body, long version, @Nullable String location) {}
