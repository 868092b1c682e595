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
    record Handled(SubmitRecord submission, Exchange exchange, @Nullable RuntimeException error) {}

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
     * What became of records.
     *
     * @param settled from the first on
     * @param waiting the next one, which has to be taken again later; nothing behind it was begun, since it may concern
     *     the same task
     */
    record Taken(List<Handled> settled, @Nullable Handled waiting) {}

    /** @param waits whether a record has to be taken again later; asked once for each that failed */
    Taken handle(List<SubmitRecord> records, Predicate<Handled> waits) {
        List<Handled> settled = new ArrayList<>();
        List<Signed> together = new ArrayList<>();
        for (SubmitRecord one : records) {
            Exchange exchange =
                    Exchange.ofWrite(one.place().requestId(), one.place().traceparent());
            exchange.enters("KAFKA " + one.place().topic());
            @Nullable Signed signed = null;
            @Nullable RuntimeException error = null;
            try {
                signed = signed(one, exchange);
            } catch (RuntimeException e) {
                error = e;
            }
            boolean joins = signed != null && signed.type() == SubmitType.TASK_SUBMIT;
            boolean other =
                    !joins || !together.isEmpty() && !together.get(0).client().equals(exchange.principal());
            @Nullable Handled waiting = other ? storeTogether(together, settled, waits) : null;
            if (waiting != null) {
                return new Taken(settled, waiting);
            }
            if (joins && signed != null) {
                together.add(signed);
                continue;
            }
            Handled handled = new Handled(one, exchange, signed == null ? error : errorOf(signed));
            if (handled.error() != null && waits.test(handled)) {
                return new Taken(settled, handled);
            }
            settled.add(handled);
        }
        return new Taken(settled, storeTogether(together, settled, waits));
    }

    private @Nullable RuntimeException errorOf(Signed signed) {
        try {
            TenantScope.within(signed.client().tenantId(), () -> alone(signed));
            return null;
        } catch (RuntimeException e) {
            return e;
        }
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

    /** Stops behind the first record that has to wait. */
    private static final class Waiting implements TaskLines.Stop {

        private final List<Signed> records;
        private final Predicate<Handled> waits;
        private @Nullable Handled waiting;

        Waiting(List<Signed> records, Predicate<Handled> waits) {
            this.records = records;
            this.waits = waits;
        }

        @Override
        public boolean after(int line, RuntimeException error) {
            Handled failed = handled(records.get(line), error);
            waiting = waits.test(failed) ? failed : null;
            return waiting != null;
        }
    }

    private static Handled handled(Signed one, @Nullable RuntimeException error) {
        return new Handled(one.submission(), one.exchange(), error);
    }

    /** The first that has to wait, if one has. */
    private @Nullable Handled storeTogether(List<Signed> together, List<Handled> settled, Predicate<Handled> waits) {
        if (together.isEmpty()) {
            return null;
        }
        List<Prepared> lines = together.stream().map(this::prepared).toList();
        Waiting stop = new Waiting(together, waits);
        List<Result> results = useCases.lines().storeUntil(lines, stop);
        int done = stop.waiting == null ? results.size() : results.size() - 1;
        for (int i = 0; i < done; i++) {
            settled.add(handled(together.get(i), results.get(i).error()));
        }
        together.clear();
        return stop.waiting;
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
        return Command.ofPost(
                path, one.exchange(), one.client(), body, one.submission().key());
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
