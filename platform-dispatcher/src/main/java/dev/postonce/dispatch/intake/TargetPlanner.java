package dev.postonce.dispatch.intake;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetState;
import dev.postonce.contract.TaskState;
import dev.postonce.contract.UndecodableEventException;
import dev.postonce.dispatch.account.AccountBook;
import dev.postonce.dispatch.ledger.Platforms;
import dev.postonce.dispatch.target.Desired;
import dev.postonce.dispatch.target.NextStep;
import dev.postonce.dispatch.target.Plan;
import dev.postonce.dispatch.target.Showing;
import dev.postonce.dispatch.target.Target;
import dev.postonce.dispatch.target.TargetChange;
import dev.postonce.dispatch.target.TargetId;
import dev.postonce.dispatch.target.TargetRules;
import dev.postonce.dispatch.target.Targets;
import dev.postonce.dispatch.target.Targets.Save;
import dev.postonce.dispatch.target.TaskKey;
import dev.postonce.dispatch.target.Tasks;
import dev.postonce.dispatch.target.Tasks.Told;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets what each target of these tasks should show, and plans its next step; in the caller's transaction. */
public final class TargetPlanner {

    private final Tasks tasks;
    private final Targets targets;
    private final Platforms platforms;

    public TargetPlanner(Tasks tasks, Targets targets, Platforms platforms) {
        this.tasks = tasks;
        this.targets = targets;
        this.platforms = platforms;
    }

    /** @param told the newest state of each task; each task once */
    public void plan(List<Told> told) {
        if (told.isEmpty()) {
            return;
        }
        tasks.upsert(told);
        Map<TaskKey, Map<Platform, Target>> known = new HashMap<>();
        List<TaskKey> keys = told.stream()
                .map(one -> new TaskKey(one.task().tenantId(), one.task().externalId()))
                .toList();
        for (Target target : targets.lockOfTasks(keys)) {
            TaskKey key = new TaskKey(target.id().tenantId(), target.id().externalId());
            known.computeIfAbsent(key, absent -> new LinkedHashMap<>())
                    .put(target.id().platform(), target);
        }
        Instant now = targets.databaseNow();
        List<Save> inserts = new ArrayList<>();
        List<Save> updates = new ArrayList<>();
        for (Told one : told) {
            TaskState task = one.task();
            Map<Platform, Target> existing =
                    known.getOrDefault(new TaskKey(task.tenantId(), task.externalId()), Map.of());
            existing.values().forEach(target -> updates.add(save(one, renewed(target, task, now))));
            for (String name : task.targetPlatforms()) {
                Platform platform = Platform.of(name)
                        .orElseThrow(() -> new UndecodableEventException("no such platform: " + name, null));
                if (!existing.containsKey(platform)) {
                    inserts.add(save(one, first(task, platform, now)));
                }
            }
        }
        targets.insert(inserts);
        targets.update(updates);
    }

    private static Save save(Told told, TargetChange change) {
        return new Save(change, told.task().groupCode(), false, told.envelope().traceparent());
    }

    /** A change of the desired version is told even where nothing follows from it. */
    private TargetChange renewed(Target target, TaskState task, Instant now) {
        Desired desired = Desired.of(task);
        TargetChange change = TargetChange.of(target, now).quietly(current -> current.withDesired(desired));
        TargetRules.plan(change, missing(target.id(), task.groupCode()));
        if (change.events().isEmpty()) {
            change.tell(current -> current);
        }
        return change;
    }

    private TargetChange first(TaskState task, Platform platform, Instant now) {
        TargetId id = new TargetId(task.tenantId(), task.externalId(), platform);
        AccountBook.Choice choice = platforms.choose(id, task.groupCode());
        String account = choice instanceof AccountBook.Choice.Found found
                ? found.account().name()
                : null;
        String missing = missing(id, task.groupCode());
        Target blank =
                new Target(id, account, 0, TargetState.PENDING, Desired.of(task), Showing.NOTHING, Plan.NEW.dueAt(now));
        NextStep next = TargetRules.next(blank, missing, now);
        return TargetChange.first(begin(blank, next), now);
    }

    private static Target begin(Target blank, NextStep next) {
        if (next instanceof NextStep.TakeBackUnseen) {
            return withState(blank, TargetState.WITHDRAWN, Plan.NEW);
        } else if (next instanceof NextStep.NotConfigured lacking) {
            return withState(blank, TargetState.NOT_CONFIGURED, Plan.NEW.restingWith(lacking.errorCode()));
        } else if (next instanceof NextStep.WaitUntil wait) {
            return withState(blank, TargetState.WAITING, Plan.NEW.dueAt(wait.at()));
        }
        return blank;
    }

    private static Target withState(Target target, TargetState state, Plan plan) {
        return new Target(
                target.id(), target.account(), target.version(), state, target.desired(), target.showing(), plan);
    }

    private @Nullable String missing(TargetId id, String groupCode) {
        return platforms.choose(id, groupCode) instanceof AccountBook.Choice.Missing missing
                ? missing.errorCode()
                : null;
    }
}
