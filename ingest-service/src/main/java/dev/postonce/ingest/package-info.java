/** The process: its main class, its settings and its wiring. */
@NullMarked
package dev.postonce.ingest;

import org.jspecify.annotations.NullMarked;
