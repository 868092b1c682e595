package dev.postonce.systemtests.workload;

/**
 * One request to be made, or one line of a batch.
 *
 * @param method of HTTP
 * @param body empty for none
 * @param idempotencyKey empty for none
 * @param ifMatch 0 for none
 * @param onTopic whether it goes as a record of the intake topic; asked for again, it goes by HTTP
 */
record Request(
        Operation.Kind kind,
        String method,
        String tenant,
        String path,
        String subject,
        String body,
        String idempotencyKey,
        long ifMatch,
        boolean onTopic) {

    /** A read where there is no body, else a submission. */
    Request(Operation.Kind kind, String tenant, String path, String subject, String body, String idempotencyKey) {
        this(kind, body.isEmpty() ? "GET" : "POST", tenant, path, subject, body, idempotencyKey, 0, false);
    }

    Request by(String otherMethod, long version) {
        return new Request(kind, otherMethod, tenant, path, subject, body, idempotencyKey, version, onTopic);
    }

    /** @param key where it has none, since each record needs one */
    Request onTopic(String key) {
        return new Request(
                kind, method, tenant, path, subject, body, idempotencyKey.isEmpty() ? key : idempotencyKey, 0, true);
    }
}
