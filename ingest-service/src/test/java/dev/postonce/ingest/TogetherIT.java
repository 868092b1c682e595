package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.ALPHA_ROTATED;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.platforms;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.put;
import static dev.postonce.ingest.Intake.together;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many at the same moment: the constraint decides, and everybody gets the one resource. */
class TogetherIT {

    private static final int MANY = 50;

    private static TestIngest second;

    @BeforeAll
    static void startAnotherInstance() {
        second = Intake.start();
    }

    @AfterAll
    static void endIt() {
        second.close();
    }

    private static TestIngest oneOfTwo(int i) {
        return i % 2 == 0 ? Intake.service() : second;
    }

    @Test
    void fifty_first_submissions_of_one_external_id_make_one_task_and_one_event() {
        List<Callable<Answer>> work = Collections.nCopies(MANY, () -> post(ALPHA, "/v1/tasks", campaign("fifty-1")));

        onlyOneIsCreated(together(work), "fifty-1");
    }

    @Test
    void fifty_tasks_at_once_share_commits_and_one_that_is_refused_harms_no_other() {
        post(ALPHA, "/v1/tasks", campaign("company-old"), "Idempotency-Key", "company-old");
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String id = "company-" + i;
            String key = i == MANY / 2 ? "company-old" : id;
            work.add(() -> post(ALPHA, "/v1/tasks", campaign(id), "Idempotency-Key", key));
        }

        List<Answer> answers = together(work);

        for (int i = 0; i < MANY; i++) {
            assertThat(answers.get(i).status()).as("company-" + i).isEqualTo(i == MANY / 2 ? 422 : 201);
        }
        assertThat(count("ingest.outbox_event where record_key like 'alpha:company-%'"))
                .isEqualTo(MANY);
        assertThat(count("ingest.audit where external_id like 'company-%' and outcome = 'created'"))
                .isEqualTo(MANY);
        assertThat(
                        count(
                                "(select distinct xid from ingest.outbox_event where record_key like 'alpha:company-%') commits"))
                .isLessThan(MANY);
    }

    @Test
    void fifty_first_submissions_to_two_instances_make_one_task_and_one_event() {
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            TestIngest instance = oneOfTwo(i);
            String key = i % 3 == 0 ? ALPHA_ROTATED : ALPHA;
            work.add(() -> post(instance, key, "/v1/tasks", campaign("fifty-2"), "Idempotency-Key", "fifty-2"));
        }

        onlyOneIsCreated(together(work), "fifty-2");
        assertThat(count("ingest.idempotency_record where resource_ref = 'fifty-2'"))
                .isEqualTo(1);
    }

    @Test
    void fifty_first_submissions_with_differing_content_make_one_task_and_the_others_are_told() {
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String title = "title " + i;
            TestIngest instance = oneOfTwo(i);
            work.add(
                    () -> post(instance, ALPHA, "/v1/tasks", campaign("fifty-3").put("title", title)));
        }

        List<Answer> answers = together(work);

        onlyOneIsCreated(answers, "fifty-3");
        assertThat(answers.stream()
                        .filter(answer -> answer.strings("content_differs").equals(List.of("title"))))
                .hasSize(MANY - 1);
    }

    @Test
    void one_header_with_fifty_payloads_is_taken_by_one_and_refused_to_the_others() {
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String id = "header-race-" + i;
            TestIngest instance = oneOfTwo(i);
            work.add(() -> post(instance, ALPHA, "/v1/tasks", campaign(id), "Idempotency-Key", "header-race"));
        }

        List<Answer> answers = together(work);

        assertThat(answers.stream().map(Answer::status).collect(Collectors.groupingBy(s -> s, Collectors.counting())))
                .containsEntry(201, 1L)
                .containsEntry(422, MANY - 1L);
        assertThat(count("ingest.task where external_id like 'header-race-%'")).isEqualTo(1);
        assertThat(count("ingest.outbox_event where record_key like 'alpha:header-race-%'"))
                .isEqualTo(1);
        assertThat(count("ingest.target where external_id like 'header-race-%'"))
                .isEqualTo(4);
    }

    @Test
    void one_slug_under_many_external_ids_is_one_article() {
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String id = "slug-race-" + i;
            work.add(() -> post(
                    ALPHA, "/v1/tasks", article("slug-race", "en", "One text.").put("external_id", id)));
        }

        List<Answer> answers = together(work);

        assertThat(answers.stream().map(answer -> answer.at("id")).distinct()).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
        assertThat(count("ingest.task where slug = 'slug-race'")).isEqualTo(1);
    }

    @Test
    void platforms_added_at_once_are_each_added_once_with_rising_versions() {
        post(ALPHA, "/v1/tasks", platforms(campaign("parallel-1"), "toutiao"));
        String[] more = {"wordpress", "webhook", "zhihu", "mastodon", "telegram", "ghost"};
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            String one = more[i % more.length];
            String two = more[(i + 1) % more.length];
            work.add(() -> post(ALPHA, "/v1/tasks", platforms(campaign("parallel-1"), one, two)));
        }

        List<Answer> answers = together(work);

        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.text()).isEqualTo(200));
        assertThat(count("ingest.target where external_id = 'parallel-1'")).isEqualTo(7);
        List<Long> versions = Intake.sql()
                .sql(
                        "select aggregate_version from ingest.outbox_event where record_key = 'alpha:parallel-1' order by seq")
                .query(Long.class)
                .list();
        assertThat(versions).isSorted().doesNotHaveDuplicates().startsWith(1L);
        assertThat(Intake.sql()
                        .sql("select version from ingest.task where external_id = 'parallel-1'")
                        .query(Long.class)
                        .single())
                .isEqualTo(versions.get(versions.size() - 1))
                .isEqualTo((long) versions.size());
    }

    @Test
    void of_fifty_updates_for_one_version_one_is_taken_and_the_others_are_told_the_new_one() {
        post(ALPHA, "/v1/tasks", campaign("update-race"));
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            TestIngest instance = oneOfTwo(i);
            String title = "title " + i;
            work.add(() -> put(
                    instance,
                    ALPHA,
                    "/v1/tasks/update-race",
                    campaign("update-race").put("title", title),
                    "1"));
        }

        List<Answer> answers = together(work);

        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream()
                        .filter(answer -> answer.status() == 412
                                && answer.body().path("current_version").asLong() == 2))
                .hasSize(MANY - 1);
        assertThat(versionsOf("update-race")).containsExactly(1L, 2L);
    }

    @Test
    void of_fifty_equal_updates_one_is_taken_and_the_others_are_its_replays() {
        post(ALPHA, "/v1/tasks", campaign("update-equal"));
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            TestIngest instance = oneOfTwo(i);
            String[] header = i % 2 == 0 ? new String[] {"Idempotency-Key", "update-equal"} : new String[0];
            work.add(() -> put(
                    instance,
                    ALPHA,
                    "/v1/tasks/update-equal",
                    campaign("update-equal").put("title", "b"),
                    "1",
                    header));
        }

        List<Answer> answers = together(work);

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(answer.body().path("version").asLong()).isEqualTo(2);
        });
        assertThat(answers.stream()
                        .filter(answer ->
                                !answer.body().path("idempotent_replay").asBoolean()))
                .hasSize(1);
        assertThat(versionsOf("update-equal")).containsExactly(1L, 2L);
    }

    @Test
    void updates_withdrawals_restorations_and_additions_at_once_are_one_row_of_versions() {
        post(ALPHA, "/v1/tasks", platforms(campaign("change-race"), "toutiao"));
        String[] more = {"wordpress", "webhook", "zhihu", "mastodon"};
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            TestIngest instance = oneOfTwo(i / 4);
            String path = "/v1/tasks/change-race";
            String number = Integer.toString(i);
            String platform = more[i % more.length];
            work.add(
                    switch (i % 4) {
                        case 0 ->
                            () -> put(
                                    instance,
                                    ALPHA,
                                    path,
                                    campaign("change-race").put("title", number),
                                    Intake.get(ALPHA, path).header("ETag"));
                        case 1 ->
                            () -> post(instance, ALPHA, path + "/withdraw", "{\"status\":\"draft\",\"reason\":\"r\"}");
                        case 2 -> () -> post(instance, ALPHA, path + "/restore", "{}");
                        default ->
                            () -> post(instance, ALPHA, "/v1/tasks", platforms(campaign("change-race"), platform));
                    });
        }

        List<Answer> answers = together(work);

        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.text()).isIn(200, 412));
        List<Long> versions = versionsOf("change-race");
        assertThat(versions).isSorted().doesNotHaveDuplicates().hasSize((int) (long) versions.get(versions.size() - 1));
        assertThat(Intake.sql()
                        .sql(
                                "select version || ' ' || content_digest from ingest.task where external_id = 'change-race'")
                        .query(String.class)
                        .single())
                .isEqualTo(versions.size() + " "
                        + Intake.state("alpha:change-race", versions.size()).contentDigest());
    }

    private static List<Long> versionsOf(String externalId) {
        return Intake.sql()
                .sql("select aggregate_version from ingest.outbox_event where record_key = ? order by seq")
                .param("alpha:" + externalId)
                .query(Long.class)
                .list();
    }

    @Test
    void crossing_orders_of_tasks_slugs_keys_and_platforms_never_deadlock() {
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int a = i % 2;
            String key = "cross-key-" + (i % 3);
            String slug = "cross-" + ((i / 2) % 2);
            String[] order = a == 0 ? new String[] {"wordpress", "webhook"} : new String[] {"webhook", "wordpress"};
            work.add(() -> post(
                    ALPHA,
                    "/v1/tasks",
                    platforms(article(slug, "en", "Cross.").put("external_id", "cross-" + a), order),
                    "Idempotency-Key",
                    key));
        }

        List<Answer> answers = together(work);

        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.text()).isLessThan(500));
        assertThat(Intake.sql()
                        .sql("select deadlocks from pg_stat_database where datname = current_database()")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    private static void onlyOneIsCreated(List<Answer> answers, String externalId) {
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
        assertThat(answers.stream()
                        .filter(answer -> answer.status() == 200
                                && answer.body().path("idempotent_replay").asBoolean()))
                .hasSize(MANY - 1);
        assertThat(answers.stream().map(answer -> answer.at("id")).distinct()).hasSize(1);
        assertThat(count("ingest.task where external_id = ?", externalId)).isEqualTo(1);
        assertThat(count("ingest.outbox_event where record_key = ?", "alpha:" + externalId))
                .isEqualTo(1);
        assertThat(count("ingest.target where external_id = ?", externalId)).isEqualTo(4);
        assertThat(count("ingest.audit where external_id = ? and outcome = 'created'", externalId))
                .isEqualTo(1);
        assertThat(count("ingest.audit where external_id = ? and outcome = 'replay'", externalId))
                .isEqualTo(MANY - 1);
    }
}
