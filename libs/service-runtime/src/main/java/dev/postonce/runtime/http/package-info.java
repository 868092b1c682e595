/** The one way out: every outgoing HTTP request goes through {@code SafeHttpClient}. */
@NullMarked
package dev.postonce.runtime.http;

import org.jspecify.annotations.NullMarked;
