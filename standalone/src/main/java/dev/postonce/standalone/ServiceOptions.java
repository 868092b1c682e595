package dev.postonce.standalone;

import dev.postonce.client.PostonceClient;
import dev.postonce.client.RetryPolicy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which ingest-service a command talks to, and with which key; use as {@code @Mixin}. */
public final class ServiceOptions {

    @Option(names = "--url", paramLabel = "URL", description = "Address of ingest-service; default: the stack's. 服务地址")
    private @Nullable String url;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "API key; default $POSTONCE_API_KEY, else the development key. API 密钥")
    private @Nullable String key;

    public PostonceClient client(CommonOptions common) {
        return new PostonceClient(address(common), apiKey(common), RetryPolicy.standard());
    }

    public String address(CommonOptions common) {
        return url != null ? url : common.home().devKeys().apiUrl();
    }

    public String apiKey(CommonOptions common) {
        if (key != null) {
            return key;
        }
        String fromEnvironment = System.getenv("POSTONCE_API_KEY");
        return fromEnvironment != null && !fromEnvironment.isEmpty()
                ? fromEnvironment
                : common.home().devKeys().apiKey().reveal();
    }
}
