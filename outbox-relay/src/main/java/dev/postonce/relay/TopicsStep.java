package dev.postonce.relay;

import dev.postonce.messaging.KafkaAccess;
import dev.postonce.messaging.TopicAdmin;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.core.env.Environment;

/** The admin step, without database and web server. Creates what is missing; run again, it changes nothing. */
final class TopicsStep implements ApplicationRunner, ExitCodeGenerator {

    private static final Logger LOG = LoggerFactory.getLogger(TopicsStep.class);
    private static final int TRIES_MAX = 5;
    private static final long PAUSE_S = 3;

    private final Environment environment;
    private int exitCode;

    TopicsStep(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        KafkaAccess access = RelayConfiguration.kafkaAccess(environment);
        short replicas = environment.getRequiredProperty("postonce.kafka.replicas", Short.class);
        try (Admin admin = Admin.create(access.settings())) {
            List<String> created = ensure(admin, replicas);
            LOG.info("topics created: {}; the others were there", created);
        } catch (IllegalStateException e) {
            LOG.error("the topics are not as they must be: {}", e.getMessage(), e);
            exitCode = 1;
        }
    }

    /** A broker that has just come up may not answer the first question. */
    private static List<String> ensure(Admin admin, short replicas) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        for (int tries = 1; ; tries++) {
            try {
                return TopicAdmin.ensureTopics(admin, replicas);
            } catch (IllegalStateException e) {
                if (tries == TRIES_MAX || e.getCause() == null) {
                    throw e;
                }
                LOG.warn("{}; it is run again in {} s", e.getMessage(), PAUSE_S);
                never.await(PAUSE_S, TimeUnit.SECONDS);
            }
        }
    }

    @Override
    public int getExitCode() {
        return exitCode;
    }
}
