package dev.postonce.standalone.up;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.Database;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Asks a part whether it can do its work. */
public final class HealthProbe {

    private static final int TIMEOUT_MS = 3_000;
    private static final int ANSWER_BYTES_MAX = 65_536;

    private final StackPorts ports;
    private final Database database;

    public HealthProbe(StandaloneHome home) {
        this.ports = home.ports();
        this.database = Database.of(home);
    }

    /** @param reason why it is not healthy; empty if it is */
    public record Health(boolean healthy, String reason) {

        private static final Health GOOD = new Health(true, "");

        private static Health bad(String reason) {
            return new Health(false, reason);
        }
    }

    public Health ask(Part part) {
        return ask(Instance.first(part));
    }

    public Health ask(Instance instance) {
        Part part = instance.part();
        return switch (part) {
            case POSTGRES -> database.answers() ? Health.GOOD : Health.bad("does not answer queries");
            case KAFKA -> accepts(ports.of(part)) ? Health.GOOD : Health.bad("does not accept connections");
            case SANDBOX -> askHttp(ports.url(part) + "/_sandbox/faults");
            case INGEST, RELAY, INDEX, DISPATCHER ->
                askHttp("http://127.0.0.1:" + instance.port(ports) + "/actuator/health");
        };
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Health askHttp(String url) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url).toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MS);
            connection.setReadTimeout(TIMEOUT_MS);
            int status = connection.getResponseCode();
            if (status == HttpURLConnection.HTTP_OK) {
                connection.getInputStream().close();
                return Health.GOOD;
            }
            return Health.bad(reason(status, connection.getErrorStream()));
        } catch (IOException e) {
            return Health.bad("no answer from " + url + ": " + e.getMessage());
        }
    }

    private static String reason(int status, @Nullable InputStream answer) throws IOException {
        if (answer == null) {
            return "answers " + status;
        }
        try (answer) {
            String text = new String(answer.readNBytes(ANSWER_BYTES_MAX), StandardCharsets.UTF_8);
            List<String> down = new ArrayList<>();
            collect(EventJson.mapper().readTree(text), "", down);
            return down.isEmpty() ? "answers " + status : String.join("; ", down);
        } catch (JacksonException e) {
            return "answers " + status;
        }
    }

    /** The components that are not UP, with what they say of it. */
    private static void collect(JsonNode health, String name, List<String> into) {
        JsonNode components = health.path("components");
        if (components.isEmpty()
                && !name.isEmpty()
                && !health.path("status").asString("").equals("UP")) {
            into.add(name + " " + health.path("status").asString("unknown") + " "
                    + health.path("details").toString());
        }
        for (Map.Entry<String, JsonNode> component : components.properties()) {
            collect(component.getValue(), component.getKey(), into);
        }
    }
}
