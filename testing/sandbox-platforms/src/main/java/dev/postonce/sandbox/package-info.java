/** Sandbox platforms: stand-ins that behave as the documented APIs do, and keep everything they were sent. */
@NullMarked
package dev.postonce.sandbox;

import org.jspecify.annotations.NullMarked;
