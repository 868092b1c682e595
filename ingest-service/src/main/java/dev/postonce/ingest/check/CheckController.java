package dev.postonce.ingest.check;

import dev.postonce.ingest.check.TaskCheck.Result;
import dev.postonce.ingest.check.TaskCheck.Result.Weighed;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.tenant.TenantPolicy.CheckLevel;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.JsonBody;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The check over HTTP: 200 for whatever it finds, since finding it is its success. */
@RestController
public final class CheckController {

    public static final String ROUTE = "POST /v1/tasks:check";

    private final TaskCheck check;
    private final JsonBody bodies;

    public CheckController(TaskCheck check, JsonBody bodies) {
        this.check = check;
        this.bodies = bodies;
    }

    @PostMapping("/v1/tasks:check")
    ResponseEntity<byte[]> check(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(ROUTE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        Result result = check.check(caller.tenantId(), bodies.read(request).json());
        ObjectNode body = Answers.begin(exchange)
                .put("passes", result.count(CheckLevel.ERROR) == 0)
                .put("external_id", result.externalId())
                .put("errors", result.count(CheckLevel.ERROR))
                .put("warnings", result.count(CheckLevel.WARNING));
        ArrayNode findings = body.putArray("findings");
        result.findings().forEach(weighed -> show(weighed, findings.addObject()));
        return Answers.ok(body);
    }

    private static void show(Weighed weighed, ObjectNode node) {
        node.put("code", weighed.finding().kind().code())
                .put("level", weighed.level().wireName())
                .put("pointer", weighed.finding().pointer())
                .put("detail", weighed.finding().detail())
                .put("detail_zh", weighed.finding().detailZh());
    }
}
