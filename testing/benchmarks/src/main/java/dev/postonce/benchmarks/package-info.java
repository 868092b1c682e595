/** The intake beside {@code pgbench}, on one machine, in one run. */
@NullMarked
package dev.postonce.benchmarks;

import org.jspecify.annotations.NullMarked;
