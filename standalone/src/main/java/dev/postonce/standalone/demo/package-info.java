/** {@code postonce demo}: the whole way with faults, kills and a comparison at the end. */
@NullMarked
package dev.postonce.standalone.demo;

import org.jspecify.annotations.NullMarked;
