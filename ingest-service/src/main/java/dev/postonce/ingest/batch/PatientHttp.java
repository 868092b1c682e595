package dev.postonce.ingest.batch;

import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Tomcat's HTTP, and what it does not offer itself: another time for one connection than for all. Its own is right for
 * requests, where a thread waits for the client; a batch whose client sends everything before it reads would be cut off
 * as soon as what was answered so far fills the connection.
 */
public final class PatientHttp extends Http11NioProtocol {

    /**
     * @param connectionId as {@code ServletConnection} tells it
     * @param unreadMsMax how long the client may take nothing of what waits for it
     */
    void wait(String connectionId, long unreadMsMax) {
        for (SocketWrapperBase<NioChannel> open : getEndpoint().getConnections()) {
            if (open.getServletConnection("http/1.1", "").getConnectionId().equals(connectionId)) {
                open.setWriteTimeout(unreadMsMax);
                return;
            }
        }
    }
}
