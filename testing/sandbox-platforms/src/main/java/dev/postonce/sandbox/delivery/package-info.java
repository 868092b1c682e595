/** Receivers of signed webhooks: the webhook platform, and an upstream's callback sink. */
@NullMarked
package dev.postonce.sandbox.delivery;

import org.jspecify.annotations.NullMarked;
