package dev.postonce.standalone.demo;

import dev.postonce.client.SubmitResult;
import dev.postonce.standalone.submit.Submission;
import dev.postonce.standalone.submit.SubmissionRun;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import tools.jackson.databind.JsonNode;

/** Which tasks and groups the answers named; many submissions, few resources. */
final class Accepted implements SubmissionRun.Listener {

    private final Set<String> externalIds = ConcurrentHashMap.newKeySet();
    private final Set<UUID> groupIds = ConcurrentHashMap.newKeySet();
    private final AtomicInteger answers = new AtomicInteger();
    private final IntConsumer onAnswer;

    /** @param onAnswer is told the number of answers so far; called by the clients' threads */
    Accepted(IntConsumer onAnswer) {
        this.onAnswer = onAnswer;
    }

    @Override
    public void on(Submission submission, SubmitResult result) {
        if (result instanceof SubmitResult.Created created) {
            keep(submission, created.resource());
        } else if (result instanceof SubmitResult.Replayed replayed) {
            keep(submission, replayed.resource());
        }
        onAnswer.accept(answers.incrementAndGet());
    }

    Set<String> externalIds() {
        return externalIds;
    }

    Set<UUID> groupIds() {
        return groupIds;
    }

    private void keep(Submission submission, JsonNode resource) {
        if (submission.kind() == Submission.Kind.TASK) {
            externalIds.add(resource.path("external_id").asString());
        } else {
            groupIds.add(UUID.fromString(resource.path("id").asString()));
        }
    }
}
