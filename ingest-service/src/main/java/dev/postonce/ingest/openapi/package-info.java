/** The description of the HTTP interface, generated from the routes that run. */
@NullMarked
package dev.postonce.ingest.openapi;

import org.jspecify.annotations.NullMarked;
