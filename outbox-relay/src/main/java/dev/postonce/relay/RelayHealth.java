package dev.postonce.relay;

import dev.postonce.relay.source.Refusal;
import dev.postonce.relay.source.SourceStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Up when each source streams, or stands by for another relay that has it. Says why not, and what mends it. */
final class RelayHealth implements HealthIndicator {

    private final Supplier<List<SourceStatus>> statuses;

    RelayHealth(Supplier<List<SourceStatus>> statuses) {
        this.statuses = statuses;
    }

    @Override
    public Health health() {
        boolean healthy = true;
        Health.Builder health = new Health.Builder();
        for (SourceStatus status : statuses.get()) {
            SourceStatus.View view = status.view();
            healthy &= view.state().healthy();
            health.withDetail(status.source().name(), details(view));
        }
        return (healthy ? health.up() : health.down()).build();
    }

    private static Map<String, String> details(SourceStatus.View view) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("state", view.state().name().toLowerCase(Locale.ROOT));
        Refusal refusal = view.refusal();
        if (refusal != null) {
            details.put("code", refusal.code().wireName());
            details.put("reason", refusal.english());
            details.put("reason_zh", refusal.chinese());
        }
        if (view.trouble() != null) {
            details.put("reason", view.trouble());
        }
        return details;
    }
}
