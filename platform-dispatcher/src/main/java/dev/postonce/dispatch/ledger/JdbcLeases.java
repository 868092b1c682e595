package dev.postonce.dispatch.ledger;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.target.TargetId;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;

/** Claims on targets. All times are the database's. */
final class JdbcLeases {

    /** No more of a lane than it has room for; what is passed over is only locked for a moment. */
    private static final String CLAIM =
            """
            with busy as (
              select * from unnest(?::text[], ?::int[]) as b (lane, sends)
            ), due as (
              select tenant_id, external_id, platform, lane, due_at from dispatch.target
              where due_at <= now() and (lease_until is null or lease_until < now())
                and (lane is null or not lane = any (?))
              order by due_at
              limit ?
              for update skip locked
            ), placed as (
              select due.*, row_number() over (partition by lane order by due_at) + coalesce(sends, 0) as place
              from due left join busy using (lane)
            )
            update dispatch.target t
            set lease_owner = ?, lease_token = nextval('dispatch.fencing_token'),
                lease_until = clock_timestamp() + ? * interval '1 millisecond'
            from placed
            where t.tenant_id = placed.tenant_id and t.external_id = placed.external_id
              and t.platform = placed.platform and (placed.lane is null or placed.place <= ?)
            returning t.tenant_id, t.external_id, t.platform, t.lease_token, t.lane, clock_timestamp() as claimed_at
            """;

    private static final String RELEASE =
            """
            update dispatch.target set lease_owner = null, lease_token = null, lease_until = null
            where tenant_id = ? and external_id = ? and platform = ? and lease_token = ?
            """;

    private static final String RENEW =
            """
            update dispatch.target set lease_until = clock_timestamp() + ? * interval '1 millisecond'
            where lease_owner = ? and lease_token = any (?)
            returning lease_token
            """;

    private static final String END_ALL_OF =
            "update dispatch.target set lease_until = now() - interval '1 second' where lease_owner = any (?)";

    private final JdbcTemplate jdbc;

    JdbcLeases(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * @param busyLanes how many sends of each lane are at work here
     * @param perLane how many there may be
     */
    List<Lease> claim(UUID owner, int limit, Map<String, Integer> busyLanes, int perLane, Duration lease) {
        long start = System.nanoTime();
        String[] lanes = busyLanes.keySet().toArray(String[]::new);
        String[] full = busyLanes.entrySet().stream()
                .filter(lane -> lane.getValue() >= perLane)
                .map(Map.Entry::getKey)
                .toArray(String[]::new);
        return jdbc.query(
                CLAIM,
                (row, number) -> new Lease(
                        new TargetId(
                                row.getString("tenant_id"),
                                row.getString("external_id"),
                                Platform.of(row.getString("platform")).orElseThrow()),
                        row.getLong("lease_token"),
                        row.getString("lane"),
                        row.getObject("claimed_at", OffsetDateTime.class).toInstant(),
                        start,
                        lease.toMillis()),
                lanes,
                Stream.of(lanes).map(busyLanes::get).toArray(Integer[]::new),
                full,
                limit,
                owner,
                lease.toMillis(),
                perLane);
    }

    void release(Lease lease) {
        TargetId id = lease.id();
        jdbc.update(RELEASE, id.tenantId(), id.externalId(), id.platform().wireName(), lease.token());
    }

    /** Renews what is still held, and tells each lease so. */
    void renew(UUID owner, Collection<Lease> leases, Duration lease) {
        if (leases.isEmpty()) {
            return;
        }
        long start = System.nanoTime();
        Set<Long> renewed = new HashSet<>(jdbc.queryForList(
                RENEW,
                Long.class,
                lease.toMillis(),
                owner,
                leases.stream().map(Lease::token).toArray(Long[]::new)));
        for (Lease held : leases) {
            if (renewed.contains(held.token())) {
                held.extend(start + lease.toNanos());
            }
        }
    }

    void endAllOf(Collection<UUID> owners) {
        jdbc.update(END_ALL_OF, (Object) owners.toArray(UUID[]::new));
    }
}
