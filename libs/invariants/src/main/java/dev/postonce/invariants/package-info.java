/** The invariants as checkers over facts that were read from a running system. Plain Java; no Spring, no I/O. */
@NullMarked
package dev.postonce.invariants;

import org.jspecify.annotations.NullMarked;
