/** What operators do: keys, secrets, the audit. Everything goes through ingest-service's API. */
@NullMarked
package dev.postonce.standalone.ops;

import org.jspecify.annotations.NullMarked;
