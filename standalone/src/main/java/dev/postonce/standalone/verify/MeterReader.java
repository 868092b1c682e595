package dev.postonce.standalone.verify;

import dev.postonce.invariants.facts.FactSink;
import dev.postonce.invariants.facts.ResourceFact;
import dev.postonce.standalone.process.Waiting;
import dev.postonce.standalone.verify.VerifySources.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks the processes for their meters, and says what they hold. A process that is away is no reason for no verdict. */
final class MeterReader {

    /** A loop of the service may just be at it; what is held at every look is kept. */
    private static final int LOOKS = 10;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final double FILES_SHARE_MAX = 0.9;

    private final JsonOverHttp http = new JsonOverHttp();

    List<Meters> read(List<Service> services, ResourceLevels levels, FactSink sink, List<String> notRead)
            throws InterruptedException {
        List<Meters> all = new ArrayList<>();
        for (Service service : services) {
            try {
                Meters meters = meters(service);
                all.add(meters);
                resources(service, meters, levels, sink);
            } catch (CouldNotReadException e) {
                notRead.add("meters of " + service.part().name() + ": " + e.getMessage());
            }
        }
        return all;
    }

    private Meters meters(Service service) throws InterruptedException {
        return Meters.parse(service.part(), service.url(), http.text(service.url() + "/actuator/prometheus"));
    }

    private void resources(Service service, Meters first, ResourceLevels levels, FactSink sink)
            throws InterruptedException {
        String url = service.url();
        sink.resource(new ResourceFact(
                url,
                "open files",
                first.sum("process_files_open_files"),
                first.sum("process_files_max_files") * FILES_SHARE_MAX));
        if (levels.allIsQuiet()) {
            double waiting = least(service, first, "hikaricp_connections_pending");
            sink.resource(new ResourceFact(url, "threads that wait for a connection", waiting, 0));
            double used = least(service, first, "hikaricp_connections_active");
            sink.resource(new ResourceFact(url, "connections in use", used, 0));
            levels.compare(first, "process_files_open_files", "open files", sink);
            levels.compare(first, "jvm_threads_live_threads", "threads", sink);
        }
    }

    private double least(Service service, Meters first, String name) throws InterruptedException {
        double least = first.sum(name);
        for (int look = 1; look < LOOKS && least > 0; look++) {
            Waiting.until(BETWEEN_LOOKS, () -> false);
            least = Math.min(least, meters(service).sum(name));
        }
        return least;
    }
}
