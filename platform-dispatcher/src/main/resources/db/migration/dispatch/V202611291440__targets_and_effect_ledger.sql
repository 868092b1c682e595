-- The newest state of each task, as its topic told it; what requests are built from.
create table dispatch.task (
  tenant_id text not null,
  external_id text not null,
  version bigint not null check (version > 0),
  article_digest text not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  traceparent text,
  data text not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, external_id)
);

-- One row for each post: what it should show, what it shows, and what is to be done next.
create table dispatch.target (
  tenant_id text not null,
  external_id text not null,
  platform text not null,
  group_code text not null,
  account text,
  lane text,                              -- tenant/platform/account; what the limit of parallel sends counts
  version bigint not null check (version > 0),
  state text not null,
  marker text not null,
  desired_task_version bigint not null check (desired_task_version > 0),
  desired_digest text not null,
  desired_status text not null check (desired_status in ('active', 'draft', 'archived')),
  publish_at timestamptz,
  shown_task_version bigint,
  shown_key text,                         -- 'active:' and the article's digest, or 'draft', 'archived'
  platform_post_id text,
  platform_url text,
  observed_at timestamptz,
  error_code text,
  error_detail text,
  refused_key text,                       -- what was refused last; it is not tried again by itself
  open_attempt uuid,                      -- frozen: newer versions wait until it settles
  tries int not null default 0,
  not_before timestamptz,
  due_at timestamptz,                     -- null: rests until something new comes
  lease_owner uuid,
  lease_token bigint,
  lease_until timestamptz,
  content_digest text not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, external_id, platform)
);
create index target_due on dispatch.target (due_at) where due_at is not null;
create index target_state on dispatch.target (state);
create index target_lease on dispatch.target (lease_owner) where lease_owner is not null;

create sequence dispatch.fencing_token;

-- The effect ledger: a row is committed before a byte is sent, and its outcome after.
create table dispatch.attempt (
  attempt_id uuid primary key,
  tenant_id text not null,
  external_id text not null,
  platform text not null,
  account text not null,
  action text not null check (action in ('create', 'update', 'withdraw')),
  task_version bigint not null,
  shown_key text not null,                -- what the post shows once it succeeded
  marker text not null,
  platform_key text,
  post_id text,                           -- of the post that it changes
  request_method text not null,
  request_url text not null,
  request_content_type text,
  request_name text,                      -- the name (slug) that it claims at the platform
  request_body bytea,                     -- kept while the attempt is open, so that a resend is the same to the byte
  request_digest text not null,
  resend_of uuid references dispatch.attempt (attempt_id),
  first_started_at timestamptz not null default clock_timestamp(),
  owner uuid not null,
  token bigint not null,
  started_at timestamptz not null default clock_timestamp(),
  outcome text,                           -- null: in doubt, unless its sender is still at it
  outcome_code text,
  outcome_detail text,
  outcome_at timestamptz,
  sender_done_at timestamptz,             -- since when its sender certainly sends nothing more
  absent_seen_at timestamptz,             -- first complete look-up after that which did not find it
  asked int not null default 0,
  late_outcome text,                      -- what a fenced sender reported; it moved nothing
  late_at timestamptz,
  settled_at timestamptz,
  settled_as text                         -- done, refused, not_sent, absent, found, resent
);
create index attempt_target on dispatch.attempt (tenant_id, external_id, platform, started_at);
create index attempt_open on dispatch.attempt (first_started_at) where settled_at is null;

-- One holder of each name at each place of a platform: WordPress makes two posts of one slug when asked twice at once.
create table dispatch.slug_reservation (
  place text not null,
  slug text not null,
  tenant_id text not null,
  external_id text not null,
  platform text not null,
  reserved_at timestamptz not null default now(),
  primary key (place, slug)
);
create index slug_reservation_target on dispatch.slug_reservation (tenant_id, external_id, platform);

-- Who may be sending. A row without ended_at may still send, unless its process is proved gone.
create table dispatch.instance (
  instance_id uuid primary key,
  name text not null,
  host_identity text not null,
  pid bigint not null,
  process_start text not null,
  started_at timestamptz not null default clock_timestamp(),
  heartbeat_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended_how text
);
create index instance_alive on dispatch.instance (host_identity) where ended_at is null;

-- Where this consumer began. A partition that stands here and has no offset any more has lost it.
create table dispatch.consumer_start (
  consumer text not null,
  topic text not null,
  partition_number int not null,
  started_at timestamptz not null default now(),
  primary key (consumer, topic, partition_number)
);

create table dispatch.inbox_event (
  consumer text not null,
  event_id uuid not null,
  record_key text not null,
  aggregate_version bigint not null,
  state text not null check (state in ('applied', 'superseded', 'parked')),
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

create table dispatch.watermark (
  consumer text not null,
  record_key text not null,
  aggregate_version bigint not null,
  content_digest text not null,
  updated_at timestamptz not null default now(),
  primary key (consumer, record_key)
);

create table dispatch.parked_record (
  id bigint generated always as identity primary key,
  consumer text not null,
  topic text not null,
  partition_number int not null,
  record_offset bigint not null,
  record_key text,
  event_id text,
  headers text not null,
  value bytea,
  reason_code text not null,
  reason text not null,
  parked_at timestamptz not null default now(),
  settled_at timestamptz,
  settled_how text,
  unique (consumer, topic, partition_number, record_offset)
);

create table dispatch.outbox_event (
  seq bigint generated always as identity primary key,
  event_id uuid not null unique,
  xid xid8 not null default pg_current_xact_id(),
  topic text not null,
  record_key text not null,
  event_type text not null,
  source text not null,
  subject text not null,
  aggregate_version bigint not null check (aggregate_version > 0),
  occurred_at timestamptz not null,
  traceparent text,
  data text not null
);
create index outbox_event_xid on dispatch.outbox_event (xid);
create index outbox_event_key on dispatch.outbox_event (record_key, aggregate_version);
grant select on dispatch.outbox_event to postonce_relay;
create publication postonce_dispatch_outbox for table dispatch.outbox_event
  with (publish = 'insert', publish_via_partition_root = true);
