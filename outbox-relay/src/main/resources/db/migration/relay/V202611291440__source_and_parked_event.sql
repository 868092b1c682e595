-- What the relay must remember to notice that something it read from or wrote to is no longer the same thing.
create table relay.source (
  source text primary key,
  epoch bigint not null default 0,              -- rises with each claim; writes of an older epoch change nothing
  owner text,
  claimed_at timestamptz,
  state text not null default 'new' check (state in ('new', 'baseline', 'streaming')),
  slot_name text,
  slot_created_at timestamptz,
  consistent_lsn pg_lsn,                        -- the stream holds every commit from here on
  system_identifier text,
  timeline integer,
  publication_identity text,                    -- changes when the publication is altered or made anew
  kafka_cluster_id text,
  baseline_snapshot pg_snapshot,                -- the table's rows that the stream does not hold: visible in here
  baseline_key text,                            -- published up to this row, in the order of key, version, seq
  baseline_version bigint,
  baseline_seq bigint,
  baseline_finished_at timestamptz,
  position_lsn pg_lsn,                          -- every commit up to here is acknowledged or parked
  position_detail text,                         -- the reader's own words for it
  position_at timestamptz,
  published_seq bigint not null default 0,
  rebaseline_request text,                      -- the last operator's request that was carried out
  check (state = 'new' or (slot_name is not null and position_lsn is not null and baseline_snapshot is not null))
);

create table relay.topic (
  source text not null references relay.source (source),
  topic text not null,
  topic_id text not null,
  recorded_at timestamptz not null default now(),
  primary key (source, topic)
);

-- Rows that Kafka refuses for good. They stay until a later version of their key supersedes them or a person settles them.
create table relay.parked_event (
  source text not null,
  event_id uuid not null,
  seq bigint not null,
  topic text not null,
  record_key text not null,
  event_type text not null,
  event_source text not null,
  subject text not null,
  aggregate_version bigint not null,
  occurred_at timestamptz not null,
  traceparent text,
  data text not null,
  reason_code text not null,
  reason text not null,
  parked_at timestamptz not null default now(),
  settled_at timestamptz,
  settled_how text check (settled_how in ('superseded', 'released', 'given_up')),
  primary key (source, event_id),
  check ((settled_at is null) = (settled_how is null))
);
create index parked_event_open on relay.parked_event (source, topic, record_key) where settled_at is null;
