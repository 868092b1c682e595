package dev.postonce.standalone.process;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StandaloneHome;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/** What the supervisor tells other processes of this home, in {@code run/supervisor.json}. */
public record SupervisorRecord(long pid, Instant startedAt, List<ChildStatus> parts) {

    public static Optional<SupervisorRecord> load(StandaloneHome home) {
        try {
            String text = Files.readString(home.run().resolve("supervisor.json"));
            return Optional.of(EventJson.mapper().readValue(text, SupervisorRecord.class));
        } catch (IOException | JacksonException e) {
            return Optional.empty();
        }
    }

    public void save(StandaloneHome home) {
        PrivateFiles.write(home.run().resolve("supervisor.json"), EventJson.write(this));
    }

    public Optional<ChildStatus> part(String name) {
        return parts.stream().filter(part -> part.name().equals(name)).findFirst();
    }
}
