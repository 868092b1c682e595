package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.http.Answer;
import dev.postonce.sandbox.journal.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** WordPress' error body; thrown to end a request. */
final class RestError extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient ObjectNode body;
    private final int status;

    private RestError(int status, String code, String message, ObjectNode data) {
        super(code, null, false, false);
        this.status = status;
        this.body = Json.object();
        body.put("code", code);
        body.put("message", message);
        data.put("status", status);
        body.set("data", data);
    }

    static RestError of(int status, String code, String message) {
        return new RestError(status, code, message, Json.object());
    }

    /** A value that is not among those allowed. */
    static RestError notInEnum(String name, String message) {
        return invalidParameter(name, message, "rest_not_in_enum", null);
    }

    static RestError wrongType(String name, String member, String type) {
        ObjectNode inner = Json.object().put("param", member);
        return invalidParameter(name, member + " is not of type " + type + ".", "rest_invalid_type", inner);
    }

    /** A refusal of one parameter; the inner error is shown beside it. */
    static RestError invalidParameter(String name, String message, String innerCode, @Nullable ObjectNode innerData) {
        ObjectNode data = Json.object();
        data.put("status", 400);
        data.putObject("params").put(name, message);
        ObjectNode detail = data.putObject("details").putObject(name);
        detail.put("code", innerCode);
        detail.put("message", message);
        detail.set("data", innerData);
        return new RestError(400, "rest_invalid_param", "Invalid parameter(s): " + name, data);
    }

    static RestError invalidMeta() {
        ObjectNode data = Json.object();
        data.put("status", 400);
        data.putObject("params").put("meta", "Invalid parameter.");
        data.putArray("details");
        return new RestError(400, "rest_invalid_param", "Invalid parameter(s): meta", data);
    }

    static RestError invalidJson() {
        ObjectNode data = Json.object();
        data.put("status", 400);
        data.put("json_error_code", 4);
        data.put("json_error_message", "Syntax error");
        return new RestError(400, "rest_invalid_json", "Invalid JSON body passed.", data);
    }

    static RestError noSuchPost() {
        return of(404, "rest_post_invalid_id", "Invalid post ID.");
    }

    Answer toAnswer() {
        return Answer.json(status, body);
    }
}
