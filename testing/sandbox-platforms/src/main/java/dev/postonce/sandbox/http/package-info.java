/** The HTTP frame around the stand-ins: reading, faults, journal, answering. */
@NullMarked
package dev.postonce.sandbox.http;

import org.jspecify.annotations.NullMarked;
