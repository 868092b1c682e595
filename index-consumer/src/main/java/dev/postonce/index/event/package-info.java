/** What the topics' records say, decoded and checked. */
@NullMarked
package dev.postonce.index.event;

import org.jspecify.annotations.NullMarked;
