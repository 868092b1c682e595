package dev.postonce.ingest.group;

import dev.postonce.contract.GroupState;
import dev.postonce.ingest.group.GroupReading.Named;
import dev.postonce.ingest.group.GroupReading.Unreadable;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IdempotencyKey;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.JsonBody.Parsed;
import dev.postonce.ingest.web.Queries;
import dev.postonce.ingest.web.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** Groups over HTTP. */
@RestController
public final class GroupController {

    private static final Pattern RESOURCE_ID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private final GroupIntake intake;
    private final JdbcGroups groups;
    private final JsonBody bodies;

    public GroupController(GroupIntake intake, JdbcGroups groups, JsonBody bodies) {
        this.intake = intake;
        this.groups = groups;
        this.bodies = bodies;
    }

    @PostMapping("/v1/groups")
    ResponseEntity<byte[]> submit(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(GroupIntake.ROUTE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        Parsed body = bodies.read(request);
        GroupSubmission submission = GroupSubmission.of(body.json());
        exchange.concernsGroup(submission.ref());
        exchange.brings(IdempotencyKey.of(request), body.digest(request));
        GroupIntake.Acceptance acceptance = intake.submit(exchange, caller, submission);
        HttpHeaders headers = etag(acceptance.group());
        if (acceptance.created()) {
            headers.setLocation(URI.create(self(acceptance.group())));
        }
        return Answers.of(acceptance.created() ? 201 : 200, view(exchange, acceptance), headers);
    }

    /** By its resource id, or by any spelling of its name, percent-encoded or not. */
    @GetMapping("/v1/groups/{*id}")
    ResponseEntity<byte[]> one(HttpServletRequest request, @PathVariable String id) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/groups/{id}");
        Principal caller = exchange.caller(Scope.READ);
        Map<String, String> query = Queries.of(request, Set.of("operation"));
        return answer(exchange, find(caller, id.substring(1), query.get("operation")));
    }

    /** For spellings that do not survive in a path. */
    @GetMapping("/v1/groups")
    ResponseEntity<byte[]> byQuery(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/groups");
        Principal caller = exchange.caller(Scope.READ);
        Map<String, String> query = Queries.of(request, Set.of("operation", "group_id"));
        @Nullable String groupId = query.get("group_id");
        if (groupId == null) {
            throw Refusal.badPayload("query:group_id", "is required");
        }
        return answer(exchange, find(caller, groupId, query.get("operation")));
    }

    private static ResponseEntity<byte[]> answer(Exchange exchange, KnownGroup group) {
        exchange.concernsGroup(group.ref());
        ObjectNode body = Answers.begin(exchange);
        put(body, group);
        return Answers.of(200, body, etag(group));
    }

    private KnownGroup find(Principal caller, String id, @Nullable String operation) {
        if (operation != null && !GroupSubmission.OPERATION.matcher(operation).matches()) {
            throw Refusal.badPayload("query:operation", "must be 1 to 32 of a-z 0-9 _, beginning with a letter");
        }
        Optional<KnownGroup> group;
        if (RESOURCE_ID.matcher(id).matches()) {
            group = groups.byId(caller.tenantId(), UUID.fromString(id));
        } else {
            group = groups.byName(
                    caller.tenantId(), operation == null ? GroupSubmission.DEFAULT_OPERATION : operation, keyOf(id));
        }
        return group.orElseThrow(
                () -> Refusal.of(ErrorCode.NOT_FOUND, "there is no entry of this group and operation"));
    }

    private static String keyOf(String id) {
        if (id.length() > GroupSubmission.GROUP_ID_CHARACTERS_MAX) {
            throw Refusal.badPayload("path", "is too long for a group");
        }
        GroupReading reading = GroupIds.read(id);
        if (reading instanceof Named named) {
            return named.key();
        }
        String reason = reading instanceof Unreadable unreadable ? unreadable.reason() : "";
        throw Refusal.badPayload("path", "cannot be normalised: " + reason);
    }

    private static ObjectNode view(Exchange exchange, GroupIntake.Acceptance acceptance) {
        ObjectNode body = Answers.begin(exchange);
        put(body, acceptance.group());
        body.put("idempotent_replay", !acceptance.created());
        List<String> differs = acceptance.contentDiffers();
        ObjectNode links = body.putObject("links").put("self", self(acceptance.group()));
        if (!differs.isEmpty()) {
            differs.forEach(body.putArray("content_differs")::add);
            links.put("update", self(acceptance.group()));
            body.put(
                    "next",
                    "The stored entry stays as it is. To change it, send it whole by PUT to links.update with If-Match.");
        }
        if (acceptance.group().state().deleted()) {
            links.put("restore", self(acceptance.group()) + "/restore");
        }
        return body;
    }

    private static void put(ObjectNode body, KnownGroup group) {
        GroupState state = group.state();
        body.put("id", state.id())
                .put("group_id", state.groupId())
                .put("normalized_group_id", state.normalizedGroupId())
                .put("operation", state.operation())
                .put("status", state.deleted() ? "removed" : "active")
                .put("version", state.version())
                .put("name", state.name())
                .put("description", state.description())
                .put("category", state.category())
                .put("language", state.language())
                .put("submitter_id", state.submitterId())
                .put("accepted_at", group.acceptedAt().toString())
                .put("updated_at", group.updatedAt().toString());
        state.tags().forEach(body.putArray("tags")::add);
    }

    private static String self(KnownGroup group) {
        return "/v1/groups/" + group.state().id();
    }

    private static HttpHeaders etag(KnownGroup group) {
        HttpHeaders headers = new HttpHeaders();
        headers.setETag("\"" + group.state().version() + "\"");
        return headers;
    }
}
