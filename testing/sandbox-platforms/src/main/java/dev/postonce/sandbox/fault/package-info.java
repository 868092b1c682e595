/** Faults on demand: seeded, so that a run can be repeated. */
@NullMarked
package dev.postonce.sandbox.fault;

import org.jspecify.annotations.NullMarked;
