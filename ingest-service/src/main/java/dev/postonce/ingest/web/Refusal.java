package dev.postonce.ingest.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request is not accepted. Carries what the problem document says; never a body, a secret or SQL. */
public final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final transient List<FieldError> errors;
    private final transient Map<String, Object> members;
    private final long retryAfterSeconds;

    private Refusal(
            ErrorCode code, String detail, List<FieldError> errors, Map<String, Object> members, long retryAfter) {
        // An answer, not an accident: no stack trace.
        super(detail, null, false, false);
        this.code = code;
        this.errors = errors;
        this.members = members;
        this.retryAfterSeconds = retryAfter;
    }

    public static Refusal of(ErrorCode code, String detail) {
        return new Refusal(code, detail, List.of(), Map.of(), 1);
    }

    public static Refusal badPayload(List<FieldError> errors) {
        FieldError first = errors.get(0);
        String more = errors.size() == 1 ? "" : " (and " + (errors.size() - 1) + " more)";
        return new Refusal(
                ErrorCode.BAD_PAYLOAD,
                first.pointer() + ": " + first.detail() + more,
                List.copyOf(errors),
                Map.of(),
                1);
    }

    public static Refusal badPayload(String pointer, String detail) {
        return badPayload(List.of(new FieldError(pointer, detail)));
    }

    /** The same with another member in the problem document. */
    public Refusal with(String member, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(member, value);
        return new Refusal(code, detail(), errors, more, retryAfterSeconds);
    }

    /** The same, to be tried again not earlier than then. */
    public Refusal after(long seconds) {
        return new Refusal(code, detail(), errors, members, seconds);
    }

    /** For {@code Retry-After}, where the code is retryable. */
    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    public ErrorCode code() {
        return code;
    }

    public String detail() {
        @Nullable String message = getMessage();
        return message == null ? "" : message;
    }

    public List<FieldError> errors() {
        return errors;
    }

    public Map<String, Object> members() {
        return members;
    }
}
