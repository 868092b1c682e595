package dev.postonce.ingest.batch;

import dev.postonce.ingest.IngestSettings;
import dev.postonce.ingest.task.JdbcTaskChunks;
import dev.postonce.ingest.task.SubmissionReader;
import dev.postonce.ingest.task.TaskIntake;
import dev.postonce.ingest.task.TaskLines;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.Refusals;
import dev.postonce.runtime.http.OutgoingPolicy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The objects that take many submissions together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BatchSettings.class)
public class BatchConfiguration {

    @Bean
    TaskLines taskLines(
            JdbcClient jdbc, TaskIntake intake, OutgoingPolicy policy, IntakeMetrics metrics, IngestSettings settings) {
        SubmissionReader reader = new SubmissionReader(policy, settings.bodyBytesMax());
        return new TaskLines(reader, intake, new JdbcTaskChunks(jdbc), metrics);
    }

    @Bean
    Patience batchPatience(BatchSettings settings) {
        return new Patience(settings.unreadMsMax());
    }

    @Bean
    BatchController batchController(
            TaskLines lines,
            JsonBody bodies,
            Refusals refusals,
            IntakeMetrics metrics,
            BatchSettings settings,
            Patience patience) {
        LineAnswers answers = new LineAnswers(refusals, metrics);
        return new BatchController(new BatchRun.Tools(lines, bodies, answers, settings, patience));
    }
}
