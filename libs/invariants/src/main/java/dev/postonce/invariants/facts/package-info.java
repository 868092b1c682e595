/** What the checkers look at: small records without bodies, as a reader found them. */
@NullMarked
package dev.postonce.invariants.facts;

import org.jspecify.annotations.NullMarked;
