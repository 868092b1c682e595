package dev.postonce.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.sandbox.journal.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FaultInjectorTest {

    private static final FaultPlan SWALLOW_A_TENTH =
            FaultPlan.of(7, "wordpress", FaultSettings.NONE.withRate(FaultKind.SWALLOW, 0.1));

    private static Map<String, String> decide(FaultPlan plan, List<String> requests) {
        FaultInjector injector = new FaultInjector();
        injector.set(plan);
        Map<String, String> decisions = new TreeMap<>();
        for (String request : requests) {
            byte[] identity = request.getBytes(StandardCharsets.UTF_8);
            decisions.put(
                    request, injector.decide("wordpress", identity, true, false).label());
        }
        return decisions;
    }

    @Test
    void the_same_requests_suffer_in_whatever_order_they_come() {
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            requests.add("request " + i);
        }
        Map<String, String> inOrder = decide(SWALLOW_A_TENTH, requests);
        Collections.shuffle(requests, new Random(1));

        assertThat(decide(SWALLOW_A_TENTH, requests)).isEqualTo(inOrder);
        assertThat(Collections.frequency(inOrder.values(), "swallow")).isBetween(140, 260);
        FaultPlan otherSeed = new FaultPlan(8, SWALLOW_A_TENTH.platforms());
        assertThat(decide(otherSeed, requests)).isNotEqualTo(inOrder);
    }

    @Test
    void a_repeated_request_is_drawn_anew() {
        FaultInjector injector = new FaultInjector();
        injector.set(FaultPlan.of(7, "wordpress", FaultSettings.NONE.withRate(FaultKind.SWALLOW, 0.5)));
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            labels.add(injector.decide("wordpress", new byte[] {1}, true, false).label());
        }
        assertThat(labels).contains("swallow", "none");
    }

    @Test
    void next_requests_are_counted_down_and_look_ups_do_not_count() {
        FaultInjector injector = new FaultInjector();
        injector.set(FaultPlan.of(0, "webhook", FaultSettings.NONE.withNext(FaultKind.STATUS_429, 2)));

        assertThat(injector.decide("webhook", new byte[0], false, false)).isEqualTo(FaultDecision.NOTHING);
        assertThat(injector.decide("wordpress", new byte[0], true, false)).isEqualTo(FaultDecision.NOTHING);
        assertThat(injector.decide("webhook", new byte[0], true, false).is(FaultKind.STATUS_429))
                .isTrue();
        assertThat(injector.plan().of("webhook").chance(FaultKind.STATUS_429).next())
                .isEqualTo(1);
        assertThat(injector.decide("webhook", new byte[0], true, false).is(FaultKind.STATUS_429))
                .isTrue();
        assertThat(injector.decide("webhook", new byte[0], true, false)).isEqualTo(FaultDecision.NOTHING);
    }

    @Test
    void a_suffix_comes_beside_the_other_faults_but_not_when_nothing_is_made() {
        FaultSettings settings =
                FaultSettings.NONE.withNext(FaultKind.FORCE_SLUG_SUFFIX, 1).withNext(FaultKind.DROP, 1);
        FaultInjector injector = new FaultInjector();
        injector.set(FaultPlan.of(0, "wordpress", settings));

        assertThat(injector.decide("wordpress", new byte[0], true, true).forceSlugSuffix())
                .isFalse();
        assertThat(injector.decide("wordpress", new byte[0], true, true).forceSlugSuffix())
                .isTrue();
    }

    @Test
    void a_plan_is_read_as_it_is_written_and_unknown_names_are_refused() {
        FaultSettings settings = FaultSettings.NONE
                .withRate(FaultKind.SWALLOW, 0.25)
                .withNext(FaultKind.DELAY, 3)
                .withDelay(700, true)
                .withRetryAfter(2)
                .withServerError(502, false)
                .onAllRequests();
        FaultPlan plan = FaultPlan.of(42, "webhook", settings);

        assertThat(FaultPlanJson.read(FaultPlanJson.write(plan), Set.of("webhook")))
                .isEqualTo(plan);
        assertRefused("{\"platforms\":{\"webhook\":{\"swalow_rate\":1}}}", "swalow_rate");
        assertRefused("{\"platforms\":{\"nowhere\":{}}}", "nowhere");
        assertRefused("{\"platforms\":{\"webhook\":{\"swallow_rate\":2}}}", "between 0 and 1");
        assertRefused("{\"platforms\":{\"webhook\":{\"delay_when\":\"never\"}}}", "delay_when");
        assertRefused("{\"sed\":1}", "sed");
    }

    private static void assertRefused(String json, String because) {
        assertThatThrownBy(() -> FaultPlanJson.read(Json.mapper().readTree(json), Set.of("webhook")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(because);
    }
}
