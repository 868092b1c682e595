package dev.postonce.ingest.task;

import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.task.JdbcTaskChunks.Line;
import dev.postonce.ingest.task.JdbcTaskWrites.Created;
import dev.postonce.ingest.tenant.Principal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * First submissions that one caller sends at the same time share a statement and a commit; docs/adr/0063 says why.
 * Nobody waits for company: a submission goes out at once, unless its caller has enough statements under way; then it
 * goes with the next one, and so do all that came meanwhile. Those of different callers never share. What cannot be
 * stored in company is tried alone, so that nobody is refused for another's fault. No thread is needed: whoever is the
 * first of a statement sends it, and the others wait for their part of its result. Safe for use by several threads.
 */
final class SharedCreates {

    private static final Logger LOG = LoggerFactory.getLogger(SharedCreates.class);
    private static final int STATEMENTS_AT_ONCE_MAX = 2;
    private static final int LINES_MAX = 50;
    /** Of the events; the statement holds the content twice more. */
    private static final int CHARACTERS_MAX = 512 * 1024;

    /** One submission in a statement of its own. */
    interface Alone {

        Optional<Created> create(NewTask task, KeyBinding binding, AuditRow audit);
    }

    /** Several of one caller in one; what is missing in the result was there already. */
    interface Together {

        Map<UUID, Created> create(List<Line> lines);
    }

    private enum Turn {
        /** It sends the statement for all of its chunk. */
        SENDS,
        /** The chunk has its result. */
        DONE,
        /** The chunk failed, by whomever's fault. */
        ALONE
    }

    private static final class Waiting {

        private final Line line;
        private final CompletableFuture<Turn> turn = new CompletableFuture<>();
        private List<Waiting> chunk = List.of();
        private @Nullable Created created;

        Waiting(Line line) {
            this.line = line;
        }
    }

    private static final class Lane {

        private final int statementsAtOnceMax;
        private final Deque<Waiting> waiting = new ArrayDeque<>();
        private int underWay;

        Lane(int statementsAtOnceMax) {
            this.statementsAtOnceMax = statementsAtOnceMax;
        }

        /** True where it goes at once. */
        synchronized boolean enter(Waiting own) {
            if (underWay < statementsAtOnceMax) {
                underWay++;
                own.chunk = List.of(own);
                return true;
            }
            waiting.add(own);
            return false;
        }

        /** One statement has ended: the next one may go. */
        synchronized void leave() {
            @Nullable Waiting first = waiting.peek();
            if (first == null) {
                underWay--;
                return;
            }
            List<Waiting> chunk = new ArrayList<>();
            int characters = 0;
            for (@Nullable Waiting next = first; next != null && chunk.size() < LINES_MAX; next = waiting.peek()) {
                characters += next.line.task().data().length();
                if (!chunk.isEmpty() && characters > CHARACTERS_MAX) {
                    break;
                }
                chunk.add(waiting.remove());
            }
            first.chunk = chunk;
            first.turn.complete(Turn.SENDS);
        }

        synchronized int waiting() {
            return waiting.size();
        }

        synchronized boolean isIdle() {
            return underWay == 0;
        }
    }

    private final int statementsAtOnceMax;
    private final Alone alone;
    private final Together together;
    private final Map<Principal, Lane> lanes = new ConcurrentHashMap<>();

    SharedCreates(Alone alone, Together together) {
        this(STATEMENTS_AT_ONCE_MAX, alone, together);
    }

    /** @param statementsAtOnceMax of one caller */
    SharedCreates(int statementsAtOnceMax, Alone alone, Together together) {
        this.statementsAtOnceMax = statementsAtOnceMax;
        this.alone = alone;
        this.together = together;
    }

    /** Empty where the task or its slug is taken. */
    Optional<Created> create(NewTask task, KeyBinding binding, AuditRow audit) {
        // What runs in the caller's own transaction must not take others along.
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            return alone.create(task, binding, audit);
        }
        Waiting own = new Waiting(new Line(task, binding));
        Turn turn = takeTurn(own);
        if (turn == Turn.SENDS && own.chunk.size() == 1) {
            try {
                return alone.create(task, binding, audit);
            } finally {
                end(own, Turn.DONE);
            }
        }
        if (turn == Turn.SENDS) {
            turn = send(own);
        }
        return turn == Turn.DONE ? Optional.ofNullable(own.created) : alone.create(task, binding, audit);
    }

    int lanes() {
        return lanes.size();
    }

    int waiting() {
        return lanes.values().stream().mapToInt(Lane::waiting).sum();
    }

    private Turn takeTurn(Waiting own) {
        boolean[] atOnce = new boolean[1];
        // Inside of the map's lock, so that no lane is removed that somebody enters.
        lanes.compute(own.line.binding().caller(), (caller, known) -> {
            Lane lane = known == null ? new Lane(statementsAtOnceMax) : known;
            atOnce[0] = lane.enter(own);
            return lane;
        });
        return atOnce[0] ? Turn.SENDS : own.turn.join();
    }

    private Turn send(Waiting own) {
        Turn turn = Turn.ALONE;
        try {
            Map<UUID, Created> made = together.create(
                    own.chunk.stream().map(waiting -> waiting.line).toList());
            own.chunk.forEach(
                    waiting -> waiting.created = made.get(waiting.line.task().taskId()));
            turn = Turn.DONE;
        } catch (RuntimeException e) {
            // Whose fault it is shows when each is taken alone.
            LOG.debug("{} submissions could not be stored together", own.chunk.size(), e);
        } finally {
            end(own, turn);
        }
        return turn;
    }

    private void end(Waiting own, Turn turn) {
        for (Waiting waiting : own.chunk) {
            waiting.turn.complete(turn);
        }
        lanes.computeIfPresent(own.line.binding().caller(), (caller, lane) -> {
            lane.leave();
            return lane.isIdle() ? null : lane;
        });
    }
}
