/** The effect ledger: who may send, what was sent, what came of it. */
@NullMarked
package dev.postonce.dispatch.ledger;

import org.jspecify.annotations.NullMarked;
