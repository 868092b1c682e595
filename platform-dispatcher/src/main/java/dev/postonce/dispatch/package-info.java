/** Effect ledger and connectors: makes each platform show what was asked for, once. */
@NullMarked
package dev.postonce.dispatch;

import org.jspecify.annotations.NullMarked;
