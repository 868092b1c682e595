package dev.postonce.standalone.up;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.PostgresServer;
import dev.postonce.standalone.process.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Says which port is taken before anything starts, rather than letting a child die of it. */
final class Ports {

    /** A port of a process that was just ended may need a moment. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private Ports() {}

    static void requireFree(StackPorts ports, Collection<Instance> services, StandaloneHome home) {
        PostgresServer.endOrphans(home);
        if (!Waiting.until(PATIENCE, () -> taken(ports, services).isEmpty())) {
            throw new StartFailedException("another program listens on " + String.join(", ", taken(ports, services))
                    + ". Choose other ports with --port-base N or POSTONCE_PORT_<PART>. 端口被占用，请用 --port-base 另选");
        }
    }

    private static List<String> taken(StackPorts ports, Collection<Instance> services) {
        List<String> taken = new ArrayList<>();
        for (Part part : Part.values()) {
            addIfTaken(part.label(), ports.of(part), taken);
        }
        for (Instance service : services) {
            if (service.number() > 1) {
                addIfTaken(service.name(), service.port(ports), taken);
            }
        }
        addIfTaken("kafka controller", ports.kafkaController(), taken);
        return taken;
    }

    private static void addIfTaken(String name, int port, List<String> taken) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
        } catch (IOException e) {
            taken.add("port " + port + " (" + name + ")");
        }
    }
}
