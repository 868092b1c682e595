-- What names a site to those who have no key: random, so that no tenant is found by guessing.
alter table ingest.site
  add column public_id text not null unique default replace(gen_random_uuid()::text, '-', '');

-- The other languages of an article. Most tasks are of no site, and not in it.
create index task_translation on ingest.task (tenant_id, site, translation_key)
  where site is not null and translation_key is not null;

-- Somebody looked at an audit row and says what came of it. The row itself never changes.
create table if not exists ingest.audit_follow_up (
  audit_id bigint primary key references ingest.audit,
  tenant_id text not null,
  note text not null,
  at timestamptz not null,
  client_id text not null,
  key_id text not null
);
