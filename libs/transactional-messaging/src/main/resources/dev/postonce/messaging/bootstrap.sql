-- Run once in a new database, by a superuser, before the services' migrations. May be run again.
-- Each service owns one schema; it reads no other's tables, but for the relay (outbox tables only) and verify (read-only).
-- The roles have no password here: set one with ALTER ROLE … PASSWORD, or let the host's authentication decide.
do $$
declare
  service text;
  role_name text;
begin
  foreach service in array array['ingest', 'relay', 'index', 'dispatch', 'verify'] loop
    role_name := 'postonce_' || service;
    -- Roles belong to the whole server; two databases may be set up at once.
    perform pg_advisory_xact_lock(hashtext('postonce-roles'));
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I login', role_name);
    end if;
    if service <> 'verify' then
      execute format('create schema if not exists %I authorization %I', service, role_name);
      execute format('alter role %I in database %I set search_path = %I', role_name, current_database(), service);
      execute format('grant usage on schema %I to postonce_%s', service, service);
    end if;
    execute format('alter role %I set lock_timeout = ''5s''', role_name);
    execute format('alter role %I set idle_in_transaction_session_timeout = ''60s''', role_name);
  end loop;
  -- The publications are made by the owners of the tables.
  execute format('grant create on database %I to postonce_ingest, postonce_dispatch', current_database());
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to postonce_ingest, postonce_relay, postonce_index, postonce_dispatch, postonce_verify', current_database());
  alter role postonce_relay replication;
  alter role postonce_verify set default_transaction_read_only = on;
  foreach service in array array['ingest', 'relay', 'index', 'dispatch'] loop
    execute format('grant usage on schema %I to postonce_verify', service);
    execute format('alter default privileges for role postonce_%s in schema %I grant select on tables to postonce_verify', service, service);
  end loop;
  grant usage on schema ingest, dispatch to postonce_relay;
  -- What ingest-service's requests run as: it owns nothing, and row-level security holds it to one tenant. Nobody logs
  -- in as it; ingest-service changes into it.
  if not exists (select from pg_roles where rolname = 'postonce_ingest_request') then
    create role postonce_ingest_request nologin;
  end if;
  grant postonce_ingest_request to postonce_ingest;
  grant usage on schema ingest to postonce_ingest_request;
  revoke all on schema public from public;
end
$$;
