package dev.postonce.standalone.up;

import dev.postonce.standalone.Part;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.StackPorts;

/** What {@code up} says when the stack can be used. */
final class ReadyText {

    private static final String TEXT =
            """

            Ready after %d s. 已就绪。
              API       %s/v1/tasks
              search    %s/v1/search
              sandbox   %s/_sandbox/posts
              Kafka     %s
              database  %s
              keys      %s
              logs      %s

            Try it 试一试:
              KEY=$(sed -n 's/.*"api_key" *: *"\\([^"]*\\)".*/\\1/p' %s)
              curl -s %s/v1/tasks -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
                -d '{"external_id":"hello-1","group_code":"brand_official","title":"双11 开场",\\
                     "content_html":"<p>Hello, once.</p>","target_platforms":["wordpress","webhook"]}'
              ./postonce status

            Ctrl-C, or postonce down, stops everything in order. 按 Ctrl-C 或用 postonce down 停止。
            """;

    private ReadyText() {}

    static String of(Stack stack, long seconds) {
        StackPorts ports = stack.ports();
        return TEXT.formatted(
                seconds,
                ports.url(Part.INGEST),
                ports.url(Part.INDEX),
                ports.url(Part.SANDBOX),
                ports.kafkaBootstrap(),
                ports.databaseUrl(),
                stack.home().devKeysFile(),
                stack.home().logs(),
                stack.home().devKeysFile(),
                ports.url(Part.INGEST));
    }
}
