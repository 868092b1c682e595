/** The embedded PostgreSQL and Kafka, and the runnable form of the services' jars. */
@NullMarked
package dev.postonce.standalone.infra;

import org.jspecify.annotations.NullMarked;
