-- Following postonce.dispatch.v1, and telling the upstreams. See docs/architecture.md.

create table ingest.inbox_event (
  consumer text not null,
  event_id uuid not null,
  record_key text not null,
  aggregate_version bigint not null,
  state text not null check (state in ('applied', 'superseded', 'parked')),
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

create table ingest.watermark (
  consumer text not null,
  record_key text not null,
  aggregate_version bigint not null,
  content_digest text not null,
  updated_at timestamptz not null default now(),
  primary key (consumer, record_key)
);

create table ingest.parked_record (
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

-- Where a consumer once began. From then on a partition without an offset is an incident.
create table ingest.consumer_start (
  consumer text not null,
  topic text not null,
  partition_number int not null,
  started_at timestamptz not null default now(),
  incidents int not null default 0,
  last_incident_at timestamptz,
  last_incident text,
  primary key (consumer, topic, partition_number)
);

-- One lane of callbacks for each task: they are sent one after the other, in the order of their sequence.
create table ingest.callback_lane (
  tenant_id text not null,
  external_id text not null,
  last_sequence bigint not null,
  due_at timestamptz,                    -- of the lane's first pending callback; null: nothing to send
  lease_token bigint not null default 0, -- rises with each claim; a late finisher has an old one
  lease_owner text,
  leased_until timestamptz,
  primary key (tenant_id, external_id),
  foreign key (tenant_id, external_id) references ingest.task
);
create index callback_lane_due on ingest.callback_lane (due_at) where due_at is not null;

create table ingest.callback (
  webhook_id text primary key,
  tenant_id text not null,
  external_id text not null,
  platform text not null,
  sequence bigint not null,
  dispatch_version bigint not null,      -- of the target's state that it tells
  status text not null,
  body text not null,                    -- the exact text that is signed and sent
  state text not null check (state in ('pending', 'delivered', 'superseded', 'parked')),
  due_at timestamptz not null,
  attempts int not null default 0,       -- counted before the request leaves
  last_attempt_at timestamptz,
  last_outcome text,
  last_status_code int,
  created_at timestamptz not null default now(),
  settled_at timestamptz,                -- when it was delivered, superseded or parked
  unique (tenant_id, external_id, sequence),
  unique (tenant_id, external_id, platform, dispatch_version),
  foreign key (tenant_id, external_id) references ingest.callback_lane
);
create index callback_pending on ingest.callback (tenant_id, external_id, sequence) where state = 'pending';
create index callback_parked on ingest.callback (settled_at) where state = 'parked';

-- Endpoints that answered 410. A callback to one is parked instead of sent.
create table ingest.callback_endpoint (
  tenant_id text not null references ingest.tenant,
  url text not null,
  disabled_at timestamptz not null,
  primary key (tenant_id, url)
);

-- Secrets that still sign, beside the tenant's present one, so that receivers can change over.
create table ingest.callback_secret (
  tenant_id text not null references ingest.tenant,
  ciphertext bytea not null,             -- AES-256-GCM for the purpose callback_secret:<tenant_id>
  signs_until timestamptz not null,
  primary key (tenant_id, ciphertext)
);
