/** The append-only journal: what was sent, and what it did. It is the sandbox's only storage. */
@NullMarked
package dev.postonce.sandbox.journal;

import org.jspecify.annotations.NullMarked;
