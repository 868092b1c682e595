/** What a test or verify asks the sandbox about itself; no platform has this. */
@NullMarked
package dev.postonce.sandbox.control;

import org.jspecify.annotations.NullMarked;
