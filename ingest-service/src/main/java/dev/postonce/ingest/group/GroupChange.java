package dev.postonce.ingest.group;

import dev.postonce.contract.GroupState;
import dev.postonce.ingest.web.Outcome;

/** What may be done to an entry that is there. Nothing is ever deleted: a removed entry keeps its row and version. */
sealed interface GroupChange {

    /** The key's scope, and the route's name in logs and audits. */
    String route();

    Outcome outcome();

    /** The next version. */
    GroupState applyTo(GroupState now);

    /** Replaces everything that is shown. */
    record Update(GroupSubmission content) implements GroupChange {

        static final String ROUTE = "PUT /v1/groups/{id}";

        @Override
        public String route() {
            return ROUTE;
        }

        @Override
        public Outcome outcome() {
            return Outcome.UPDATED;
        }

        @Override
        public GroupState applyTo(GroupState now) {
            return GroupStates.updated(now, content);
        }
    }

    /** Takes the entry out of the index. */
    record Removal() implements GroupChange {

        static final String ROUTE = "DELETE /v1/groups/{id}";

        @Override
        public String route() {
            return ROUTE;
        }

        @Override
        public Outcome outcome() {
            return Outcome.WITHDRAWN;
        }

        @Override
        public GroupState applyTo(GroupState now) {
            return GroupStates.removed(now, true);
        }
    }

    /** Brings a removed entry back as it was; its versions go on. */
    record Restoration() implements GroupChange {

        static final String ROUTE = "POST /v1/groups/{id}/restore";

        @Override
        public String route() {
            return ROUTE;
        }

        @Override
        public Outcome outcome() {
            return Outcome.UPDATED;
        }

        @Override
        public GroupState applyTo(GroupState now) {
            return GroupStates.removed(now, false);
        }
    }
}
