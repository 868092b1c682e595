package dev.postonce.ingest.callback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class CallbackSettingsTest {

    @Test
    void a_receiver_inside_the_own_network_is_called_only_where_the_operator_named_its_host_and_port() {
        assertThat(refused(Map.of(), "http://desk:8090/callbacks/walk")).isTrue();
        Map<String, Object> named = Map.of("POSTONCE_CALLBACK_TRUSTED_HOSTS", "Desk:8090,erp.lan:8443");
        assertThat(refused(named, "http://desk:8090/callbacks/walk")).isFalse();
        assertThat(refused(named, "https://erp.lan:8443/done")).isFalse();
        assertThat(refused(named, "http://desk:8091/callbacks/walk")).isTrue();
        assertThat(refused(named, "http://other:8090/callbacks/walk")).isTrue();
    }

    private static boolean refused(Map<String, Object> environment, String url) {
        OutgoingPolicy policy = OutgoingPolicy.strict(Duration.ofSeconds(1), 1_000)
                .trusting(settings(environment).trustedHosts());
        return SafeHttpClient.refusalOf(URI.create(url), policy).isPresent();
    }

    private static CallbackSettings settings(Map<String, Object> variables) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
        ConfigurationPropertySources.attach(environment);
        return Binder.get(environment).bindOrCreate("postonce.callback", CallbackSettings.class);
    }
}
