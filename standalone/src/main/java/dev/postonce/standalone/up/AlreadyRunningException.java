package dev.postonce.standalone.up;

import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.process.HomeLock;

/** Somebody else holds the home. */
public final class AlreadyRunningException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AlreadyRunningException(StandaloneHome home) {
        super("a stack already runs on " + home.root() + who(home)
                + ". See postonce status, or end it with postonce down. 该目录已有实例在运行");
    }

    private static String who(StandaloneHome home) {
        return HomeLock.holder(home)
                .map(holder -> ", held by process " + holder.pid())
                .orElse("");
    }
}
