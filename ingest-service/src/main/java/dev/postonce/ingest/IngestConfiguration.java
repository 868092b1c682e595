package dev.postonce.ingest;

import dev.postonce.ingest.audit.JdbcAudit;
import dev.postonce.ingest.callback.CallbackSettings;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.group.GroupCommands;
import dev.postonce.ingest.group.GroupController;
import dev.postonce.ingest.group.GroupIntake;
import dev.postonce.ingest.group.JdbcGroups;
import dev.postonce.ingest.request.ExpiredKeys;
import dev.postonce.ingest.request.JdbcRequests;
import dev.postonce.ingest.request.RequestController;
import dev.postonce.ingest.storage.WorkerStorage;
import dev.postonce.ingest.task.JdbcTaskChanges;
import dev.postonce.ingest.task.JdbcTaskChunks;
import dev.postonce.ingest.task.JdbcTaskReads;
import dev.postonce.ingest.task.JdbcTaskWrites;
import dev.postonce.ingest.task.Replays;
import dev.postonce.ingest.task.SubmissionReader;
import dev.postonce.ingest.task.TaskCommands;
import dev.postonce.ingest.task.TaskController;
import dev.postonce.ingest.task.TaskIntake;
import dev.postonce.ingest.task.TaskUpdates;
import dev.postonce.ingest.task.TaskWithdrawals;
import dev.postonce.ingest.tenant.Authenticator;
import dev.postonce.ingest.tenant.JdbcTenantPolicies;
import dev.postonce.ingest.tenant.TenantPolicies;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.ProblemAdvice;
import dev.postonce.ingest.web.RateLimits;
import dev.postonce.ingest.web.Refusals;
import dev.postonce.ingest.web.RequestFilter;
import dev.postonce.runtime.Ids;
import dev.postonce.runtime.http.OutgoingPolicy;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Every object of the service, and what it is given. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IngestSettings.class)
public class IngestConfiguration {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final int ANSWER_BYTES_MAX = 64 * 1024;

    @Bean
    InstantSource instantSource() {
        return InstantSource.system();
    }

    @Bean
    Ids ids() {
        return Ids.random();
    }

    @Bean
    SecureRandom secureRandom() {
        return new SecureRandom();
    }

    @Bean
    TransactionTemplate transactionTemplate(PlatformTransactionManager manager) {
        return new TransactionTemplate(manager);
    }

    /** What callback, cover and canonical URLs may be. */
    @Bean
    OutgoingPolicy outgoingPolicy(IngestSettings settings, CallbackSettings callbacks) {
        OutgoingPolicy policy = settings.allowLoopback()
                ? OutgoingPolicy.loopbackToo(CALL_TIMEOUT, ANSWER_BYTES_MAX)
                : OutgoingPolicy.strict(CALL_TIMEOUT, ANSWER_BYTES_MAX);
        return policy.trusting(callbacks.trustedHosts());
    }

    @Bean
    JdbcTenantPolicies jdbcTenantPolicies(WorkerStorage workers) {
        return new JdbcTenantPolicies(workers.client());
    }

    @Bean
    TenantPolicies tenantPolicies(JdbcTenantPolicies policies, IngestSettings settings, InstantSource clock) {
        return new TenantPolicies(policies, settings.keyCacheTtl(), clock);
    }

    @Bean
    IntakeMetrics intakeMetrics(MeterRegistry registry) {
        return new IntakeMetrics(registry);
    }

    @Bean
    Refusals refusals(JdbcAudit audit, WorkerStorage workers, IntakeMetrics metrics, InstantSource clock) {
        return new Refusals(audit, new JdbcAudit(workers.client()), metrics, clock);
    }

    @Bean
    ProblemAdvice problemAdvice(Refusals refusals) {
        return new ProblemAdvice(refusals);
    }

    @Bean
    RequestFilter requestFilter(
            Authenticator authenticator, Refusals refusals, IntakeMetrics metrics, Ids ids, IngestSettings settings) {
        RateLimits rates = new RateLimits(settings.ratePerSecond(), System::nanoTime);
        return new RequestFilter(authenticator, rates, refusals, metrics, ids);
    }

    @Bean
    JsonBody jsonBody(IngestSettings settings) {
        return new JsonBody(settings.bodyBytesMax());
    }

    /** A group's spelling in a path may hold an encoded slash. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlashes() {
        return factory -> factory.addConnectorCustomizers(
                connector -> connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue()));
    }

    @Bean
    JdbcRequests jdbcRequests(JdbcClient jdbc) {
        return new JdbcRequests(jdbc);
    }

    @Bean(initMethod = "start")
    ExpiredKeys expiredKeys(WorkerStorage workers, InstantSource clock) {
        return new ExpiredKeys(new JdbcRequests(workers.client()), clock);
    }

    @Bean
    RequestController requestController(JdbcRequests requests, InstantSource clock) {
        return new RequestController(requests, clock);
    }

    @Bean
    JdbcTaskReads jdbcTaskReads(JdbcClient jdbc) {
        return new JdbcTaskReads(jdbc);
    }

    @Bean
    TaskIntake.Tools intakeTools(Ids ids, InstantSource clock, IntakeMetrics metrics) {
        return new TaskIntake.Tools(new ContentCleaner(), ids, clock, metrics);
    }

    @Bean
    JdbcTaskWrites jdbcTaskWrites(JdbcClient jdbc) {
        return new JdbcTaskWrites(jdbc);
    }

    @Bean
    Replays replays(JdbcTaskWrites writes, TaskIntake.Tools tools, IngestSettings settings) {
        return new Replays(writes, tools, settings.keyRetention());
    }

    @Bean
    TaskIntake.Statements intakeStatements(JdbcClient jdbc, JdbcTaskWrites writes, JdbcTaskReads reads) {
        return new TaskIntake.Statements(writes, new JdbcTaskChunks(jdbc), reads);
    }

    @Bean
    TaskIntake taskIntake(
            TaskIntake.Statements statements,
            JdbcRequests requests,
            TransactionTemplate transactions,
            TenantPolicies policies,
            Replays replays,
            TaskIntake.Tools tools) {
        return new TaskIntake(statements, requests, transactions, policies, replays, tools);
    }

    @Bean
    TaskUpdates taskUpdates(
            JdbcClient jdbc, JdbcTaskReads reads, JdbcRequests requests, Replays replays, TaskIntake.Tools tools) {
        return new TaskUpdates(new JdbcTaskChanges(jdbc), reads, requests, replays, tools.cleaner());
    }

    @Bean
    TaskWithdrawals taskWithdrawals(
            JdbcClient jdbc,
            JdbcTaskWrites writes,
            JdbcTaskReads reads,
            JdbcRequests requests,
            TransactionTemplate transactions,
            Replays replays) {
        return new TaskWithdrawals(new JdbcTaskChanges(jdbc), writes, reads, requests, transactions, replays);
    }

    /** What every face calls. */
    @Bean
    TaskCommands taskCommands(
            TaskIntake intake,
            TaskUpdates updates,
            TaskWithdrawals withdrawals,
            OutgoingPolicy policy,
            IntakeMetrics metrics,
            IngestSettings settings) {
        return new TaskCommands(
                new SubmissionReader(policy, settings.bodyBytesMax()), intake, updates, withdrawals, metrics);
    }

    @Bean
    TaskController taskController(TaskCommands commands, JdbcTaskReads reads, JdbcAudit audit, JsonBody bodies) {
        return new TaskController(commands, reads, audit, bodies);
    }

    /** What every face calls. */
    @Bean
    GroupCommands groupCommands(
            JdbcClient jdbc,
            JdbcRequests requests,
            Ids ids,
            InstantSource clock,
            IntakeMetrics metrics,
            IngestSettings settings) {
        JdbcGroups groups = new JdbcGroups(jdbc);
        GroupIntake.Tools tools = new GroupIntake.Tools(ids, clock, metrics);
        return new GroupCommands(new GroupIntake(groups, requests, tools, settings.keyRetention()), groups);
    }

    @Bean
    GroupController groupController(GroupCommands commands, JsonBody bodies) {
        return new GroupController(commands, bodies);
    }
}
