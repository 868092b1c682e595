/** Submissions of groups and channels: one entry each, however it is spelled. */
@NullMarked
package dev.postonce.ingest.group;

import org.jspecify.annotations.NullMarked;
