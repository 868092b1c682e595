/** Real PostgreSQL and real Kafka for tests. */
@NullMarked
package dev.postonce.testinfra;

import org.jspecify.annotations.NullMarked;
