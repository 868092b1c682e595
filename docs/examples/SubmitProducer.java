import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Submits tasks over Kafka: one JSON object a line on standard input, each with an external_id.
 * Usage: SubmitProducer BOOTSTRAP KEY_ID SECRET
 */
public class SubmitProducer {
    private static final String TYPE = "dev.postonce.task.submit.v1";
    private static final Pattern EXTERNAL_ID = Pattern.compile("\"external_id\"\\s*:\\s*\"([A-Za-z0-9_-]{1,64})\"");

    public static void main(String[] args) throws Exception {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", args[0]);
        settings.put("acks", "all");                               // and idempotent, by default
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
                var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher found = EXTERNAL_ID.matcher(line);
                if (!found.find()) {
                    System.err.println("no external_id: " + line);
                    continue;
                }
                // Yours: an id that is the same on each try. The task's own name is one.
                String id = "submit:" + found.group(1);
                byte[] value = line.getBytes(StandardCharsets.UTF_8);
                var one = new ProducerRecord<>("postonce.submit.v1", utf8(found.group(1)), value);
                Map.of("ce_specversion", "1.0", "ce_id", id, "ce_source", "/example", "ce_type", TYPE,
                                "postonce-key-id", args[1], "postonce-signature", signature(args[2], id, value))
                        .forEach((name, text) -> one.headers().add(name, utf8(text)));
                producer.send(one, (where, error) -> System.out.println(
                        error == null ? "sent " + id + " at " + where : "not sent: " + id + ", " + error));
            }
        }
    }

    private static String signature(String secret, String id, byte[] value) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(utf8(secret), "HmacSHA256"));
        mac.update(utf8(id + "\n" + TYPE + "\n"));
        return "v1=" + HexFormat.of().formatHex(mac.doFinal(value));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
