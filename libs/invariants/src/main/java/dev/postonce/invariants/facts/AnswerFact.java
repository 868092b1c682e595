package dev.postonce.invariants.facts;

import java.util.UUID;

/** What an idempotency record says that its request stands for. */
public record AnswerFact(AggregateKey key, UUID resourceId) {}
