package dev.postonce.ingest.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Resources of this package. */
final class Yaml {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Yaml() {}

    static ObjectNode read(String name) {
        String text = new String(bytes(name), StandardCharsets.UTF_8);
        Object tree = new org.yaml.snakeyaml.Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        return (ObjectNode) MAPPER.<tools.jackson.databind.JsonNode>valueToTree(tree);
    }

    static byte[] bytes(String name) {
        try (InputStream in = Yaml.class.getResourceAsStream("/openapi/" + name)) {
            if (in == null) {
                throw new IllegalStateException("/openapi/" + name + " is not in this jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
