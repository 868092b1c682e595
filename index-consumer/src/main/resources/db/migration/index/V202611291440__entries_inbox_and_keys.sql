-- The index's truth. Tombstones stay for ever, so that no late event brings a removed key back.
create table "index".entry (
  kind text not null check (kind in ('task', 'group')),
  record_key text not null,
  tenant_id text not null,
  version bigint not null check (version > 0),
  deleted boolean not null,
  content_digest text not null,
  document text,                       -- the event's data as it came; null for a tombstone
  occurred_at timestamptz not null,    -- the event's ce_time
  updated_at timestamptz not null default now(),
  primary key (kind, record_key),
  check (deleted = (document is null))
);

create table "index".inbox_event (
  consumer text not null,
  event_id uuid not null,
  record_key text not null,
  aggregate_version bigint not null,
  state text not null check (state in ('applied', 'superseded', 'parked')),
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index inbox_event_received on "index".inbox_event (received_at);

create table "index".watermark (
  consumer text not null,
  record_key text not null,
  aggregate_version bigint not null,
  content_digest text not null,
  updated_at timestamptz not null default now(),
  primary key (consumer, record_key)
);

create table "index".parked_record (
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

create table "index".api_key (
  tenant_id text not null,
  key_id text not null,
  version bigint not null,
  deleted boolean not null,
  client_id text not null,
  secret_digest text not null,
  scopes text[] not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, key_id)
);
create index api_key_by_id on "index".api_key (key_id);

-- What was begun from the beginning, and why; a partition that stands here and has no offset is an incident.
create table "index".start_position (
  consumer text not null,
  topic text not null,
  partition_number int not null,
  topic_id text not null,
  begun_at timestamptz not null default now(),
  begun_offset bigint not null,
  reason text not null check (reason in ('first_start', 'offset_missing', 'offset_out_of_range', 'topic_recreated')),
  incidents int not null default 0,
  primary key (consumer, topic, partition_number)
);
