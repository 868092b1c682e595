package dev.postonce.testinfra;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;

/** Who is in a consumer group. A consumer that was started anew is another member. */
public final class GroupMembers {

    private GroupMembers() {}

    public static Set<String> of(String group) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()))) {
            return admin.describeConsumerGroups(Set.of(group)).all().get().values().stream()
                    .flatMap(described -> described.members().stream())
                    .map(MemberDescription::consumerId)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
