package dev.postonce.systemtests.workload;

import dev.postonce.contract.EventJson;
import dev.postonce.systemtests.harness.Tenants;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Draws what clients send. Everything is decided by the seed and by the order in which it is asked. */
final class Shapes {

    static final String TASKS = "/v1/tasks";
    static final String GROUPS = "/v1/groups";

    private static final List<List<String>> PLATFORMS = List.of(
            List.of("wordpress"),
            List.of("webhook"),
            List.of("wordpress", "webhook"),
            List.of("wordpress", "webhook"),
            List.of("webhook", "toutiao"));
    private static final List<String> HOSTILE_TEXTS = List.of(
            "<script>alert(1)</script><img src=x onerror=alert(1)>",
            "line\\r\\nX-Injected: yes",
            "'; drop table ingest.task; --",
            "\\u202Egnp.exe \\u0000",
            "{{7*7}} ${jndi:ldap://127.0.0.1/x}",
            "双11 \uD83D\uDE80 ‮ émoji");
    /** What may come as a record of the intake topic as well as by HTTP. */
    private static final Set<Operation.Kind> ON_TOPIC =
            Set.of(Operation.Kind.NEW, Operation.Kind.REPEATED, Operation.Kind.CHANGED, Operation.Kind.HOT);

    private static final int ON_TOPIC_PERCENT = 12;
    private static final int BATCHES_PERCENT = 4;
    private static final int LINES_MAX = 6;
    private static final int GROUP_NAMES = 60;
    private static final int REMEMBERED_MAX = 400;
    private static final int HOT_KEYS = 3;
    private static final int OVER_THE_LIMIT = 1_100_000;

    private final String run;
    private final String callbackUrl;
    private final Random random;
    private final List<Request> sent = new ArrayList<>();
    /** Submitted ones: a few names, so that many requests are for the same. */
    private final List<Group> groups = new ArrayList<>();

    private final Map<String, Long> versions = new HashMap<>();
    private long serial;

    private record Group(String tenant, String name) {}

    /** @param run begins every id, so that several runs on one cluster do not meet */
    Shapes(String run, String callbackUrl, long seed) {
        this.run = run;
        this.callbackUrl = callbackUrl;
        this.random = new Random(seed);
    }

    /** One request, or the lines of one batch, which are all of one tenant. */
    synchronized List<Request> next() {
        if (random.nextInt(100) < BATCHES_PERCENT) {
            return batch();
        }
        Request request = single();
        boolean onTopic = ON_TOPIC.contains(request.kind()) && random.nextInt(100) < ON_TOPIC_PERCENT;
        return List.of(onTopic ? request.onTopic("t-" + run + "-" + ++serial) : request);
    }

    private Request single() {
        int draw = random.nextInt(100);
        Request request;
        if (draw < 27 || sent.isEmpty()) {
            request = remembered(fresh(tenant()));
        } else if (draw < 41) {
            request = repeated(drawn());
        } else if (draw < 46) {
            request = changed(drawn());
        } else if (draw < 54) {
            request = extended();
        } else if (draw < 61) {
            request = updated();
        } else if (draw < 64) {
            request = withdrawn();
        } else if (draw < 66) {
            request = restored();
        } else if (draw < 73) {
            request = group();
        } else if (draw < 81) {
            request = groupChange();
        } else if (draw < 86) {
            request = hot();
        } else if (draw < 90) {
            request = hostile(tenant());
        } else if (draw < 91) {
            request = oversized();
        } else {
            request = read(draw < 96);
        }
        return request;
    }

    /** First ones stand beside known ones and beside what is refused. */
    private List<Request> batch() {
        String tenant = tenant();
        List<Request> own =
                sent.stream().filter(one -> one.tenant().equals(tenant)).toList();
        List<Request> lines = new ArrayList<>();
        int count = 2 + random.nextInt(LINES_MAX - 1);
        while (lines.size() < count) {
            int draw = random.nextInt(10);
            if (draw < 5 || own.isEmpty()) {
                lines.add(remembered(fresh(tenant)));
            } else if (draw < 7) {
                lines.add(repeated(own.get(random.nextInt(own.size()))));
            } else if (draw < 9) {
                lines.add(changed(own.get(random.nextInt(own.size()))));
            } else {
                lines.add(hostile(tenant));
            }
        }
        return lines;
    }

    private Request drawn() {
        return sent.get(random.nextInt(sent.size()));
    }

    private Request fresh(String tenant) {
        String externalId = run + "-" + ++serial;
        Map<String, Object> body = task(externalId, PLATFORMS.get(random.nextInt(PLATFORMS.size())));
        if (random.nextInt(6) == 0) {
            body.put("site", "blog");
            body.put("slug", "slug-" + externalId);
            body.put("language", "zh");
        }
        return new Request(
                Operation.Kind.NEW, tenant, TASKS, "task/" + externalId, EventJson.write(body), key(externalId));
    }

    Request named(String externalId) {
        String body = EventJson.write(Map.of(
                "external_id",
                externalId,
                "title",
                "标题 " + externalId,
                "content_html",
                "<p>正文 " + externalId + "</p>",
                "target_platforms",
                List.of("wordpress", "webhook"),
                "callback_url",
                callbackUrl));
        String tenant = Tenants.IDS.get(0);
        return new Request(Operation.Kind.NEW, tenant, TASKS, "task/" + externalId, body, "k-" + externalId);
    }

    private Map<String, Object> task(String externalId, List<String> platforms) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("external_id", externalId);
        body.put("title", "标题 " + externalId);
        body.put("content_html", "<p>正文 " + externalId + " " + random.nextInt(1_000) + "</p>");
        body.put("summary", "摘要");
        body.put("tags", List.of("双11", "t" + random.nextInt(5)));
        body.put("target_platforms", platforms);
        if (random.nextInt(10) < 7) {
            body.put("callback_url", callbackUrl);
        }
        return body;
    }

    /** The header is the client's choice: none, or one of its own for each submission. */
    private String key(String externalId) {
        return random.nextInt(4) == 0 ? "" : "k-" + externalId + "-" + random.nextInt(2);
    }

    private Request repeated(Request first) {
        String key = random.nextInt(3) == 0 ? "k-again-" + ++serial : first.idempotencyKey();
        return new Request(Operation.Kind.REPEATED, first.tenant(), TASKS, first.subject(), first.body(), key);
    }

    /** Another content under a known id: replayed, with a hint; never an overwrite. */
    private Request changed(Request first) {
        String body = first.body().replace("标题", "另一个标题 " + random.nextInt(100));
        return new Request(Operation.Kind.CHANGED, first.tenant(), TASKS, first.subject(), body, "");
    }

    private Request extended() {
        Request first = drawn();
        String body = first.body()
                .replaceFirst(
                        "\"target_platforms\":\\[[^\\]]*\\]",
                        "\"target_platforms\":[\"wordpress\",\"webhook\",\"toutiao\"]");
        return new Request(Operation.Kind.EXTENDED, first.tenant(), TASKS, first.subject(), body, "");
    }

    /** The whole article anew, for the version that the client believes to be the newest. */
    private Request updated() {
        Request first = drawn();
        String body = first.body().replace("正文", "更新 " + ++serial);
        return new Request(
                        Operation.Kind.UPDATED,
                        first.tenant(),
                        path(first),
                        first.subject(),
                        body,
                        "u-" + run + "-" + serial)
                .by("PUT", believed(first.tenant(), first.subject()));
    }

    private Request withdrawn() {
        Request first = drawn();
        String status = random.nextBoolean() ? "draft" : "archived";
        String body = "{\"status\":\"" + status + "\",\"reason\":\"because\"}";
        String key = "w-" + run + "-" + ++serial;
        return new Request(
                Operation.Kind.WITHDRAWN, first.tenant(), path(first) + "/withdraw", first.subject(), body, key);
    }

    private Request restored() {
        Request first = drawn();
        String key = "r-" + run + "-" + ++serial;
        return new Request(
                Operation.Kind.RESTORED,
                first.tenant(),
                path(first) + "/restore",
                first.subject(),
                "{\"reason\":\"again\"}",
                key);
    }

    private static String path(Request first) {
        return TASKS + "/" + first.subject().substring("task/".length());
    }

    /** What an answer told; the next update of that task is for it. */
    synchronized void learned(Request request, long version) {
        if (version > 0) {
            versions.merge(request.tenant() + " " + request.subject(), version, Math::max);
        }
    }

    private long believed(String tenant, String subject) {
        return versions.getOrDefault(tenant + " " + subject, 1L);
    }

    private String groupName() {
        return (run.replace("-", "") + "grp" + random.nextInt(GROUP_NAMES)).toLowerCase(java.util.Locale.ROOT);
    }

    /** An entry anew, removed or brought back; of one that nobody submitted yet, it is refused. */
    private Request groupChange() {
        Group known = groups.isEmpty() || random.nextInt(4) == 0
                ? new Group(tenant(), groupName())
                : groups.get(random.nextInt(groups.size()));
        String name = known.name();
        String tenant = known.tenant();
        String path = GROUPS + "/" + name;
        String subject = "group/u:" + name;
        String key = "g-" + run + "-" + ++serial;
        return switch (random.nextInt(3)) {
            case 0 -> new Request(Operation.Kind.GROUP_REMOVED, tenant, path, subject, "", key).by("DELETE", 0);
            case 1 ->
                new Request(Operation.Kind.GROUP_RESTORED, tenant, path + "/restore", subject, "", key).by("POST", 0);
            default ->
                new Request(
                                Operation.Kind.GROUP_UPDATED,
                                tenant,
                                path,
                                subject,
                                EventJson.write(Map.of("name", "群 " + serial, "tags", List.of("群", "改"))),
                                key)
                        .by("PUT", believed(tenant, subject));
        };
    }

    private Request group() {
        String name = groupName();
        String spelling =
                switch (random.nextInt(6)) {
                    case 0 -> "@" + name;
                    case 1 -> name.toUpperCase(java.util.Locale.ROOT);
                    case 2 -> "t.me/" + name + "/";
                    case 3 -> "https://telegram.me/" + name + "?x=1#y";
                    case 4 -> "tg://resolve?domain=" + name;
                    default -> "HTTPS://T.ME/" + name;
                };
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("group_id", spelling);
        body.put("name", "群 " + name);
        body.put("tags", List.of("群"));
        Group group = new Group(tenant(), name);
        if (!groups.contains(group)) {
            groups.add(group);
        }
        return new Request(Operation.Kind.GROUP, group.tenant(), GROUPS, "group/u:" + name, EventJson.write(body), "");
    }

    /** A few ids that all clients fight for, each with its own content. */
    private Request hot() {
        String externalId = run + "-hot-" + random.nextInt(HOT_KEYS);
        return new Request(
                Operation.Kind.HOT,
                Tenants.IDS.get(0),
                TASKS,
                "task/" + externalId,
                EventJson.write(task(externalId, List.of("webhook"))),
                random.nextBoolean() ? "" : "k-" + externalId + "-" + ++serial);
    }

    private Request hostile(String tenant) {
        String text = HOSTILE_TEXTS.get(random.nextInt(HOSTILE_TEXTS.size()));
        String externalId = run + "-hostile-" + ++serial;
        String body =
                switch (random.nextInt(5)) {
                    case 0 -> "{\"external_id\":\"" + externalId + "\",";
                    case 1 -> "{\"external_id\":\"" + externalId + "\",\"title\":\"" + text + "\",\"unknown\":1}";
                    case 2 -> "{\"external_id\":\"../" + externalId + "\",\"title\":\"t\"}";
                    case 3 -> "[".repeat(500) + "]".repeat(500);
                    default ->
                        EventJson.write(task(externalId, List.of("webhook"))).replace("正文", text.replace("\"", ""));
                };
        return new Request(Operation.Kind.HOSTILE, tenant, TASKS, "task/" + externalId, body, "");
    }

    private Request oversized() {
        String externalId = run + "-large-" + ++serial;
        Map<String, Object> body = task(externalId, List.of("webhook"));
        body.put("content_html", "<p>" + "大".repeat(OVER_THE_LIMIT / 3) + "</p>");
        return new Request(Operation.Kind.OVERSIZED, tenant(), TASKS, "task/" + externalId, EventJson.write(body), "");
    }

    private Request read(boolean own) {
        Request first = drawn();
        String tenant =
                own ? first.tenant() : Tenants.IDS.get((Tenants.IDS.indexOf(first.tenant()) + 1) % Tenants.IDS.size());
        return new Request(
                own ? Operation.Kind.READ_OWN : Operation.Kind.READ_FOREIGN,
                tenant,
                path(first),
                first.subject(),
                "",
                "");
    }

    private Request remembered(Request request) {
        if (sent.size() >= REMEMBERED_MAX) {
            sent.set(random.nextInt(REMEMBERED_MAX), request);
        } else {
            sent.add(request);
        }
        return request;
    }

    private String tenant() {
        return Tenants.IDS.get(random.nextInt(Tenants.IDS.size()));
    }
}
