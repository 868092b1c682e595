/** What the services tell each other: envelope, event types, topics, states. No Spring, no I/O. */
@NullMarked
package dev.postonce.contract;

import org.jspecify.annotations.NullMarked;
