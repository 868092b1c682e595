-- What clients sign their records on postonce.submit.v1 with. Two at most of a client are active, so that it can change
-- from one to the next.

create table ingest.intake_secret (
  key_id text primary key,               -- travels as postonce-key-id
  tenant_id text not null references ingest.tenant,
  client_id text not null,               -- survives the change of secrets
  ciphertext bytea not null,             -- AES-256-GCM for the purpose intake_secret:<tenant_id>:<key_id>
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index intake_secret_client on ingest.intake_secret (tenant_id, client_id) where revoked_at is null;
