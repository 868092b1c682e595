package dev.postonce.ingest.group;

import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Command;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.Queries;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.ingest.web.Reply;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/**
 * Groups over HTTP. An entry is named by its resource id, or by any spelling of its group, percent-encoded or not; a
 * spelling goes with the parameter {@code operation}.
 */
@RestController
public final class GroupController {

    private static final String RESTORE = "/restore";
    private static final Set<String> OPERATION = Set.of("operation");

    private final GroupCommands commands;
    private final JsonBody bodies;

    public GroupController(GroupCommands commands, JsonBody bodies) {
        this.commands = commands;
        this.bodies = bodies;
    }

    @PostMapping("/v1/groups")
    ResponseEntity<byte[]> submit(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(GroupIntake.ROUTE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        return Answers.of(commands.submit(Command.of(request, exchange, caller, bodies.read(request))));
    }

    @PutMapping("/v1/groups/{*id}")
    ResponseEntity<byte[]> update(HttpServletRequest request, @PathVariable String id) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(GroupChange.Update.ROUTE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        Command command = Command.of(request, exchange, caller, bodies.read(request));
        return Answers.of(commands.update(command, named(id), operationOf(request)));
    }

    @DeleteMapping("/v1/groups/{*id}")
    ResponseEntity<byte[]> remove(HttpServletRequest request, @PathVariable String id) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(GroupChange.Removal.ROUTE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        Command command = Command.of(request, exchange, caller, bodies.readIfAny(request));
        return Answers.of(commands.remove(command, named(id), operationOf(request)));
    }

    /** A spelling may hold slashes, so the action is cut off its end. */
    @PostMapping("/v1/groups/{*id}")
    ResponseEntity<byte[]> restore(HttpServletRequest request, @PathVariable String id) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(GroupChange.Restoration.ROUTE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        if (!id.endsWith(RESTORE) || id.length() == RESTORE.length()) {
            throw Refusal.of(ErrorCode.NOT_FOUND, "there is no such route");
        }
        Command command = Command.of(request, exchange, caller, bodies.readIfAny(request));
        String entry = id.substring(1, id.length() - RESTORE.length());
        Reply reply = commands.restore(command, entry, operationOf(request));
        return Answers.of(reply);
    }

    @GetMapping("/v1/groups/{*id}")
    ResponseEntity<byte[]> one(HttpServletRequest request, @PathVariable String id) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/groups/{id}");
        Principal caller = exchange.caller(Scope.READ);
        return answer(exchange, commands.find(caller.tenantId(), named(id), operationOf(request)));
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
        return answer(exchange, commands.find(caller.tenantId(), groupId, query.get("operation")));
    }

    /** What stands behind {@code /v1/groups/}. The bare path comes here too, and names nothing. */
    private static String named(String rest) {
        if (rest.isEmpty()) {
            throw Refusal.of(ErrorCode.NOT_FOUND, "there is no such route");
        }
        return rest.substring(1);
    }

    private static @Nullable String operationOf(HttpServletRequest request) {
        return Queries.of(request, OPERATION).get("operation");
    }

    private static ResponseEntity<byte[]> answer(Exchange exchange, KnownGroup group) {
        exchange.concernsGroup(group.ref().toString());
        ObjectNode body = Answers.begin(exchange);
        GroupView.put(body, group);
        return Answers.of(new Reply(200, body, group.state().version(), null));
    }
}
