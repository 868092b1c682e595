/** Operating system processes: started, watched, ended, and recognised again after their starter is gone. Linux only. */
@NullMarked
package dev.postonce.standalone.process;

import org.jspecify.annotations.NullMarked;
