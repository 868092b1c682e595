package dev.postonce.standalone.up;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.AppImage;
import dev.postonce.standalone.process.Child;
import dev.postonce.standalone.process.Orphans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How each service is run here: its jar, and the documented environment variables. */
final class ServiceChildren {

    /**
     * The sandbox answers within milliseconds or not at all, so that doubt can be settled sooner than with platforms far
     * away. Only where no account is anywhere else; what the caller's environment says wins.
     */
    private static final Map<String, String> SANDBOX_ONLY =
            Map.of("POSTONCE_DISPATCH_SETTLING_MS", "5000", "POSTONCE_DISPATCH_REASK_MS", "5000");

    /** A receiver on this machine comes back within seconds: whoever develops it does not wait for hours. */
    private static final String CALLBACK_SCHEDULE = "0s,2s,5s,15s,30s,1m,5m,30m,2h,10h";

    private final StandaloneHome home;
    private final StackPorts ports;
    private final DevSecrets secrets;
    private final DevTenant tenant;
    private final Map<String, String> environment;

    ServiceChildren(
            StandaloneHome home,
            StackPorts ports,
            DevSecrets secrets,
            DevTenant tenant,
            Map<String, String> environment) {
        this.home = home;
        this.ports = ports;
        this.secrets = secrets;
        this.tenant = tenant;
        this.environment = environment;
    }

    Child child(Instance instance, AppImage image, List<String> archiveOptions, Duration patience) {
        List<String> command = new ArrayList<>(JavaCommand.of(home, instance, archiveOptions, environment));
        command.addAll(List.of("-jar", image.jar().toString()));
        return new Child(
                instance.name(),
                command,
                variables(instance),
                home.root(),
                "TERM",
                patience,
                () -> Orphans.endOf(home, instance.name()));
    }

    private Map<String, String> variables(Instance instance) {
        Map<String, String> variables = new HashMap<>(common(instance));
        switch (instance.part()) {
            case INGEST -> {
                variables.putAll(database("postonce_ingest"));
                variables.put("POSTONCE_KEY_PEPPER", secrets.pepper().reveal());
                variables.put("POSTONCE_SECRETS_KEY", secrets.secretsKey().reveal());
                variables.put("POSTONCE_BOOTSTRAP_FILE", tenant.bootstrapFile().toString());
                variables.put(
                        "POSTONCE_CALLBACK_SCHEDULE",
                        environment.getOrDefault("POSTONCE_CALLBACK_SCHEDULE", CALLBACK_SCHEDULE));
            }
            case RELAY -> variables.putAll(database("postonce_relay"));
            case INDEX -> {
                variables.putAll(database("postonce_index"));
                variables.put("POSTONCE_KEY_PEPPER", secrets.pepper().reveal());
                variables.put("POSTONCE_INDEX_DIR", home.serviceData(instance).toString());
            }
            case DISPATCHER -> {
                variables.putAll(database("postonce_dispatch"));
                variables.put("POSTONCE_ACCOUNTS_FILE", tenant.accountsFile().toString());
                if (tenant.accountsAreAt(ports.of(Part.SANDBOX))) {
                    SANDBOX_ONLY.forEach((name, value) -> variables.put(name, environment.getOrDefault(name, value)));
                }
            }
            case SANDBOX -> {
                variables.put("POSTONCE_SANDBOX_DIR", home.serviceData(instance).toString());
                variables.put("POSTONCE_SANDBOX_WORDPRESS_USER", DevTenant.WORDPRESS_USER);
                variables.put(
                        "POSTONCE_SANDBOX_WORDPRESS_PASSWORD",
                        secrets.wordPressPassword().reveal());
                variables.put(
                        "POSTONCE_SANDBOX_WEBHOOK_SECRET",
                        secrets.webhookSecret().reveal());
                variables.put(
                        "POSTONCE_SANDBOX_CALLBACK_SECRET",
                        secrets.callbackSecret().reveal());
            }
            case POSTGRES, KAFKA -> throw new IllegalArgumentException(instance.part() + " is not a service");
        }
        return variables;
    }

    private Map<String, String> common(Instance instance) {
        return Map.of(
                "POSTONCE_HTTP_ADDRESS", "127.0.0.1",
                "POSTONCE_HTTP_PORT", Integer.toString(instance.port(ports)),
                "POSTONCE_KAFKA_BOOTSTRAP", ports.kafkaBootstrap(),
                // The sandbox and its callbacks are plain http on loopback. Set nowhere else.
                "POSTONCE_ALLOW_LOOPBACK", "true",
                "MANAGEMENT_ENDPOINT_HEALTH_SHOWDETAILS", "always",
                "MALLOC_ARENA_MAX", "2");
    }

    private Map<String, String> database(String role) {
        return Map.of(
                "POSTONCE_DB_URL", ports.databaseUrl(),
                "POSTONCE_DB_USER", role,
                "POSTONCE_DB_PASSWORD", secrets.databasePassword().reveal());
    }
}
