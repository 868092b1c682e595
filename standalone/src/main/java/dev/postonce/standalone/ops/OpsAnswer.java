package dev.postonce.standalone.ops;

import tools.jackson.databind.JsonNode;

/**
 * What ingest-service answered.
 *
 * @param body an answer or a problem document
 */
record OpsAnswer(int status, JsonNode body) {

    private static final int HTTP_CLIENT_ERROR = 400;

    boolean accepted() {
        return status < HTTP_CLIENT_ERROR && body.path("ok").asBoolean(false);
    }

    /** In one line, for a person. */
    String problem() {
        String detail = body.path("detail").asString("");
        String next = body.path("next").asString("");
        return status + " " + body.path("error_code").asString("not a Postonce answer")
                + (detail.isEmpty() ? "" : ": " + detail)
                + (next.isEmpty() ? "" : "\n" + next);
    }
}
