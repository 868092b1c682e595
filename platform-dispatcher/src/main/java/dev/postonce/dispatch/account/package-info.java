/** A tenant's accounts at the platforms, and their credentials by reference. */
@NullMarked
package dev.postonce.dispatch.account;

import org.jspecify.annotations.NullMarked;
