package dev.postonce.ingest.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.EventJson;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.http.OutgoingPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class SubmissionReaderTest {

    private static final String LONG_SLUG =
            "2020-12-7-the-extensible-app-platform-based-on-an-open-application-model-and-kubernetes-en";

    private final SubmissionReader reader =
            new SubmissionReader(OutgoingPolicy.strict(Duration.ofSeconds(5), 1_000), 1_000_000);

    @Test
    void an_empty_text_is_the_same_as_none() {
        TaskSubmission with =
                read("{'title':'t','content_md':'# x','summary':'','category':'','target_platforms':['webhook']}");
        TaskSubmission without = read("{'title':'t','content_md':'# x','target_platforms':['webhook']}");
        assertThat(with).isEqualTo(without);
    }

    @Test
    void an_empty_text_is_not_enough_where_one_is_required() {
        assertThatThrownBy(() -> read("{'title':'','content_md':'','target_platforms':['webhook']}"))
                .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errors())
                        .extracting(error -> error.pointer() + " " + error.detail())
                        .containsExactlyInAnyOrder("/title is required", "/content_html is required, or content_md"));
    }

    @Test
    void an_article_whose_slug_is_longer_than_an_id_may_be_gets_one_by_digest() {
        String body = "{'title':'t','content_md':'# x','slug':'" + LONG_SLUG + "','target_platforms':['webhook']}";
        TaskSubmission submission = read(body);
        assertThat(submission.externalId())
                .matches("fp_[0-9a-f]{56}")
                .isEqualTo(read(body).externalId());
        assertThat(submission.slug()).isEqualTo(LONG_SLUG);
    }

    private TaskSubmission read(String json) {
        return reader.read((ObjectNode) EventJson.mapper().readTree(json.replace('\'', '"')));
    }
}
