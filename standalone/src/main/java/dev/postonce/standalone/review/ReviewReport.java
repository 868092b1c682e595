package dev.postonce.standalone.review;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.review.UrlCheck.Wrong;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The service's answers, and what its pages said.
 *
 * @param review the body of {@code GET /v1/review}
 * @param pages null where they were not asked
 */
record ReviewReport(JsonNode review, @Nullable Pages pages) {

    /**
     * @param asked how many
     * @param more whether there were more than were asked
     */
    record Pages(int asked, boolean more, List<Wrong> wrong) {}

    long found() {
        return review.path("found").asLong()
                + (pages == null ? 0 : pages.wrong().size());
    }

    String json() {
        ObjectNode json = (ObjectNode) review.deepCopy();
        json.put("found", found());
        if (pages != null) {
            ObjectNode node = json.putObject("urls").put("asked", pages.asked()).put("more", pages.more());
            ArrayNode wrong = node.putArray("wrong");
            pages.wrong().forEach(page -> wrong.addObject()
                    .put("external_id", page.externalId())
                    .put("url", page.url())
                    .put("detail", page.detail()));
        }
        return EventJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(json);
    }

    void text(PrintWriter out) {
        out.printf(
                "from %s to %s 时间范围%n",
                review.path("since").asString(), review.path("until").asString());
        for (JsonNode question : review.path("questions")) {
            out.printf(
                    "%5d  %s %s%n",
                    question.path("found").asLong(),
                    question.path("text").asString(),
                    question.path("text_zh").asString());
            for (JsonNode entry : question.path("entries")) {
                out.printf(
                        "         %s: %s (%s)%n",
                        entry.path("subject").asString(),
                        entry.path("detail").asString(),
                        entry.path("at").asString(""));
            }
            if (question.path("found").asLong() > 0) {
                out.printf("       → %s%n", question.path("next").asString());
            }
        }
        if (pages != null) {
            out.printf(
                    "%5d  of %d public pages are not as they should be 公开页面异常%s%n",
                    pages.wrong().size(), pages.asked(), pages.more() ? " (there are more; --urls-max)" : "");
            pages.wrong()
                    .forEach(page -> out.printf("         %s: %s %s%n", page.externalId(), page.url(), page.detail()));
        }
        out.println(found() == 0 ? "nothing to follow up. 无需跟进" : found() + " to follow up. 需要跟进");
    }
}
