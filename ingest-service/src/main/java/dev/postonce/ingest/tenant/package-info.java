/** Tenants, their API keys and secrets, and who may do what. */
@NullMarked
package dev.postonce.ingest.tenant;

import org.jspecify.annotations.NullMarked;
