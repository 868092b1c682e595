package dev.postonce.ingest.group;

import dev.postonce.ingest.group.GroupReading.Named;
import dev.postonce.ingest.group.GroupReading.Unreadable;
import dev.postonce.ingest.web.Command;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.ingest.web.Reply;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Everything that changes groups, for every face. Each method throws a {@link Refusal} for the rest. */
public final class GroupCommands {

    private static final Pattern RESOURCE_ID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private final GroupIntake intake;
    private final JdbcGroups groups;

    public GroupCommands(GroupIntake intake, JdbcGroups groups) {
        this.intake = intake;
        this.groups = groups;
    }

    /** {@code POST /v1/groups}. */
    public Reply submit(Command command) {
        command.exchange().enters(GroupIntake.ROUTE);
        GroupSubmission submission = GroupSubmission.of(command.json());
        command.exchange().concernsGroup(submission.ref().toString());
        return GroupView.reply(command.exchange(), intake.submit(command, submission));
    }

    /** {@code PUT /v1/groups/{id}}: the whole entry anew, for the version that is named. */
    public Reply update(Command command, String id, @Nullable String operation) {
        command.exchange().enters(GroupChange.Update.ROUTE);
        GroupRef ref = refOf(command.caller().tenantId(), id, operation);
        command.exchange().concernsGroup(ref.toString());
        GroupSubmission content = GroupSubmission.ofUpdate(command.json(), ref);
        return GroupView.reply(command.exchange(), intake.change(command, ref, new GroupChange.Update(content)));
    }

    /** {@code DELETE /v1/groups/{id}}: takes it out of the index; again, nothing more happens. */
    public Reply remove(Command command, String id, @Nullable String operation) {
        command.exchange().enters(GroupChange.Removal.ROUTE);
        return change(command, id, operation, new GroupChange.Removal());
    }

    /** {@code POST /v1/groups/{id}/restore}: the only way back. */
    public Reply restore(Command command, String id, @Nullable String operation) {
        command.exchange().enters(GroupChange.Restoration.ROUTE);
        return change(command, id, operation, new GroupChange.Restoration());
    }

    private Reply change(Command command, String id, @Nullable String operation, GroupChange change) {
        if (!command.json().isEmpty()) {
            throw Refusal.badPayload("", "this route takes no fields");
        }
        GroupRef ref = refOf(command.caller().tenantId(), id, operation);
        command.exchange().concernsGroup(ref.toString());
        return GroupView.reply(command.exchange(), intake.change(command, ref, change));
    }

    KnownGroup find(String tenantId, String id, @Nullable String operation) {
        Optional<KnownGroup> group = RESOURCE_ID.matcher(id).matches()
                ? groups.byId(tenantId, UUID.fromString(id))
                : groups.byName(tenantId, named(id, operation));
        return group.orElseThrow(GroupRules::unknown);
    }

    /** By resource id, or by any spelling of the name; a stranger's id is answered like one that does not exist. */
    private GroupRef refOf(String tenantId, String id, @Nullable String operation) {
        return RESOURCE_ID.matcher(id).matches()
                ? groups.byId(tenantId, UUID.fromString(id))
                        .orElseThrow(GroupRules::unknown)
                        .ref()
                : named(id, operation);
    }

    private static GroupRef named(String id, @Nullable String operation) {
        if (operation != null && !GroupSubmission.OPERATION.matcher(operation).matches()) {
            throw Refusal.badPayload("query:operation", "must be 1 to 32 of a-z 0-9 _, beginning with a letter");
        }
        return new GroupRef(operation == null ? GroupSubmission.DEFAULT_OPERATION : operation, keyOf(id));
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
}
