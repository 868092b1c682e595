package dev.postonce.invariants.facts;

/** Takes what a reader finds, in any order. */
public interface FactSink {

    void task(TaskFact task);

    void group(GroupFact group);

    void outbox(OutboxFact row);

    void topicRecord(RecordFact topicRecord);

    void undecodable(UndecodableFact topicRecord);

    void parked(ParkedFact parked);

    void entry(EntryFact entry);

    void target(TargetFact target);

    void dispatchTarget(DispatchTargetFact target);

    void attempt(AttemptFact attempt);

    void post(PostFact post);

    void wanted(WantedTargetFact wanted);

    void transition(TransitionFact transition);

    void callback(CallbackFact callback);

    void audit(AuditFact audit);

    void answer(AnswerFact answer);

    void parkedPlace(ParkedPlaceFact place);

    void gauge(GaugeFact gauge);

    void counter(CounterFact counter);

    void resource(ResourceFact resource);
}
