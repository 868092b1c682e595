/** The {@code postonce} command, and what its subcommands share: home, ports, keys, and the running stack. */
@NullMarked
package dev.postonce.standalone;

import org.jspecify.annotations.NullMarked;
