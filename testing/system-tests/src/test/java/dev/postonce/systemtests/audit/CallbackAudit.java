package dev.postonce.systemtests.audit;

import dev.postonce.contract.EventJson;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.workload.Workload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * I9 at both ends: the newest callback of each target tells the state in which the target rests, and the sink has it, with
 * a good signature and the same bytes each time; or it is parked.
 */
final class CallbackAudit {

    private static final String NEWEST =
            """
            select distinct on (c.tenant_id, c.external_id, c.platform)
              c.tenant_id || '/' || c.external_id || '/' || c.platform as target, c.webhook_id, c.state, c.status, t.state
            from ingest.callback c join ingest.target t using (tenant_id, external_id, platform)
            where starts_with(c.external_id, ?)
            order by c.tenant_id, c.external_id, c.platform, c.sequence desc
            """;

    private static final String UNTOLD =
            """
            select t.tenant_id || '/' || t.external_id || '/' || t.platform, t.state
            from ingest.target t join ingest.task k using (tenant_id, external_id)
            where starts_with(t.external_id, ?) and k.callback_url is not null
              and t.state in ('published', 'failed', 'submitted', 'withdrawn', 'update_unsupported')
              and not exists (select from ingest.callback c
                where (c.tenant_id, c.external_id, c.platform) = (t.tenant_id, t.external_id, t.platform))
            """;

    private final Cluster cluster;
    private final String run;
    private final List<Finding> findings = new ArrayList<>();

    CallbackAudit(Cluster cluster, String run) {
        this.cluster = cluster;
        this.run = run;
    }

    List<Finding> findings() throws SQLException, IOException, InterruptedException {
        Set<String> delivered = deliveries();
        try (Connection connection = cluster.postgres().connect("postonce_verify")) {
            try (PreparedStatement statement = connection.prepareStatement(NEWEST)) {
                statement.setString(1, run + "-");
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        newest(rows, delivered);
                    }
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(UNTOLD)) {
                statement.setString(1, run + "-");
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        findings.add(new Finding("I9", rows.getString(1), rows.getString(2) + ", and nobody was told"));
                    }
                }
            }
        }
        return findings;
    }

    private void newest(ResultSet row, Set<String> delivered) throws SQLException {
        String target = row.getString(1);
        String state = row.getString(3);
        if (!state.equals("delivered") && !state.equals("parked")) {
            findings.add(new Finding("I9", target, "its newest callback is " + state));
        }
        if (state.equals("delivered") && !delivered.contains(row.getString(2))) {
            findings.add(new Finding("I9", target, "counts as told, and the sink has it not"));
        }
        if (!row.getString(4).equals(row.getString(5)) && !row.getString(5).equals("awaiting_operator")) {
            findings.add(
                    new Finding("I9", target, "was last told " + row.getString(4) + " and is " + row.getString(5)));
        }
    }

    /** @return the ids of what was answered with 2xx */
    private Set<String> deliveries() throws IOException, InterruptedException {
        Set<String> ids = new HashSet<>();
        Map<String, String> bodies = new HashMap<>();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(cluster.sandboxUrl() + "/_sandbox/callbacks/" + Workload.CALLBACK_SINK))
                .build();
        String text = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
        for (JsonNode delivery : EventJson.mapper().readTree(text)) {
            String id = delivery.path("webhook_id").asString("");
            String body = delivery.path("body").toString();
            if (!body.contains(run + "-")) {
                continue;
            }
            if (!delivery.path("verified").asBoolean(false)) {
                findings.add(new Finding("I9", id, "a callback with a bad signature: " + delivery.path("refusal")));
            }
            String before = bodies.putIfAbsent(id, body);
            if (before != null && !before.equals(body)) {
                findings.add(new Finding("I9", id, "two bodies under one id"));
            }
            if (delivery.path("status").asInt(0) == 200) {
                ids.add(id);
            }
        }
        return ids;
    }
}
