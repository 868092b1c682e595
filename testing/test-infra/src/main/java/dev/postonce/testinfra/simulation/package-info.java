/** Seeded runs of rules in virtual time: one thread, one source of chance, so that a seed replays to the letter. */
@NullMarked
package dev.postonce.testinfra.simulation;

import org.jspecify.annotations.NullMarked;
