package dev.postonce.ingest.intake;

import dev.postonce.contract.SubmitType;
import dev.postonce.ingest.group.GroupCommands;
import dev.postonce.ingest.intake.IntakeSecrets.Known;
import dev.postonce.ingest.storage.TenantScope;
import dev.postonce.ingest.task.TaskCommands;
import dev.postonce.ingest.task.TaskLines;
import dev.postonce.ingest.task.TaskLines.Prepared;
import dev.postonce.ingest.task.TaskLines.Result;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Command;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.JsonBody.Parsed;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.ingest.web.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Does what records ask for, by the same use cases as over HTTP, in their order. Submissions of tasks that follow each
 * other and have one sender share a statement.
 */
final class SubmitHandler {

    private static final String EXTERNAL_ID = "external_id";
    private static final String IF_MATCH = "if_match";

    /** The use cases. */
    record UseCases(TaskCommands tasks, TaskLines lines, GroupCommands groups) {}

    /** @param error null where it was accepted */
    record Handled(SubmitRecord submission, Exchange exchange, @Nullable RuntimeException error) {

        boolean isAccepted() {
            return error == null;
        }
    }

    /** A record with whoever signed it. */
    private record Signed(SubmitRecord submission, Exchange exchange, Principal client, SubmitType type) {}

    private final IntakeSecrets secrets;
    private final JsonBody bodies;
    private final UseCases useCases;

    SubmitHandler(IntakeSecrets secrets, JsonBody bodies, UseCases useCases) {
        this.secrets = secrets;
        this.bodies = bodies;
        this.useCases = useCases;
    }

    /**
     * @param waits whether a record has to be taken again later; nothing behind it is begun then, since it may concern
     *     the same task
     */
    List<Handled> handle(List<SubmitRecord> records, Predicate<Handled> waits) {
        List<Handled> handled = new ArrayList<>();
        List<Signed> together = new ArrayList<>();
        for (SubmitRecord one : records) {
            Exchange exchange = Exchange.ofWrite(one.place().requestId(), one.place().traceparent());
            exchange.enters("KAFKA " + one.place().topic());
            try {
                Signed signed = signed(one, exchange);
                boolean joins = signed.type() == SubmitType.TASK_SUBMIT;
                boolean other = !together.isEmpty() && !together.get(0).client().equals(signed.client());
                if ((!joins || other) && !storeTogether(together, handled, waits)) {
                    return handled;
                }
                if (joins) {
                    together.add(signed);
                } else {
                    TenantScope.within(signed.client().tenantId(), () -> alone(signed));
                    handled.add(new Handled(one, exchange, null));
                }
            } catch (RuntimeException e) {
                Handled failed = new Handled(one, exchange, e);
                if (!storeTogether(together, handled, waits)) {
                    return handled;
                }
                handled.add(failed);
                if (waits.test(failed)) {
                    return handled;
                }
            }
        }
        storeTogether(together, handled, waits);
        return handled;
    }

    private Signed signed(SubmitRecord one, Exchange exchange) {
        Optional<Known> known = secrets.find(one.keyId());
        if (known.isEmpty() || !one.isSignedWith(known.get().secret().reveal())) {
            throw Refusal.of(
                    ErrorCode.UNAUTHORIZED, "postonce-key-id and postonce-signature are not those of a known client");
        }
        exchange.called(known.get().client());
        return new Signed(one, exchange, known.get().client(), one.knownType());
    }

    /** False where one of them has to wait. */
    private boolean storeTogether(List<Signed> together, List<Handled> handled, Predicate<Handled> waits) {
        if (together.isEmpty()) {
            return true;
        }
        List<Prepared> lines = together.stream().map(this::prepared).toList();
        List<Result> results = useCases.lines().store(lines);
        for (int i = 0; i < lines.size(); i++) {
            Signed one = together.get(i);
            Handled stored =
                    new Handled(one.submission(), one.exchange(), results.get(i).error());
            handled.add(stored);
            if (!stored.isAccepted() && waits.test(stored)) {
                return false;
            }
        }
        together.clear();
        return true;
    }

    private Prepared prepared(Signed one) {
        try {
            Parsed body = bodies.parse(one.submission().value());
            return useCases.lines().prepare(post("/v1/tasks", one, body));
        } catch (RuntimeException e) {
            return Prepared.failed(one.exchange(), e);
        }
    }

    private Reply alone(Signed one) {
        Parsed body = bodies.parse(one.submission().value());
        return switch (one.type()) {
            case TASK_SUBMIT -> useCases.tasks().submit(post("/v1/tasks", one, body));
            case GROUP_SUBMIT -> useCases.groups().submit(post("/v1/groups", one, body));
            case TASK_UPDATE -> {
                String externalId = externalIdOf(body.json());
                yield useCases.tasks().update(named("PUT", "/v1/tasks/" + externalId, one, body), externalId);
            }
            case TASK_WITHDRAW -> {
                String externalId = externalIdOf(body.json());
                Command command = named("POST", "/v1/tasks/" + externalId + "/withdraw", one, body);
                yield useCases.tasks().withdraw(command, externalId);
            }
        };
    }

    private static Command post(String path, Signed one, Parsed body) {
        return Command.ofPost(path, one.exchange(), one.client(), body, one.submission().key());
    }

    /** What stands in path and header over HTTP stands in the value here, where the signature covers it. */
    private static Command named(String method, String path, Signed one, Parsed value) {
        ObjectNode json = value.json().deepCopy();
        json.remove(EXTERNAL_ID);
        @Nullable String ifMatch = textOf(json.path(IF_MATCH));
        json.remove(IF_MATCH);
        Parsed body = Parsed.of(json);
        one.exchange().brings(one.submission().key(), body.digest(method, path, ifMatch));
        return new Command(one.exchange(), one.client(), json, ifMatch);
    }

    private static String externalIdOf(ObjectNode json) {
        JsonNode externalId = json.path(EXTERNAL_ID);
        if (!externalId.isString()) {
            throw Refusal.badPayload("/" + EXTERNAL_ID, "is required");
        }
        return externalId.stringValue();
    }

    private static @Nullable String textOf(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? null : node.isNumber() ? node.toString() : node.asString("");
    }
}
