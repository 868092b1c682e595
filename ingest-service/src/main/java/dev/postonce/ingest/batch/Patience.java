package dev.postonce.ingest.batch;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * How long answers of a batch wait for a client that takes nothing. No thread waits with them: they lie in the
 * connection's buffers and in a file.
 */
final class Patience implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    private final long unreadMsMax;
    private volatile @Nullable PatientHttp http;

    Patience(long unreadMsMax) {
        this.unreadMsMax = unreadMsMax;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.setProtocol(PatientHttp.class.getName());
        factory.addConnectorCustomizers(connector -> http = (PatientHttp) connector.getProtocolHandler());
    }

    /** @return ends it: the connection's next request is one as any other */
    Runnable with(HttpServletRequest request) {
        PatientHttp server = http;
        if (server == null) {
            throw new IllegalStateException("a request, and no web server");
        }
        String connection = request.getServletConnection().getConnectionId();
        server.wait(connection, unreadMsMax);
        return () -> server.wait(connection, server.getConnectionTimeout());
    }
}
