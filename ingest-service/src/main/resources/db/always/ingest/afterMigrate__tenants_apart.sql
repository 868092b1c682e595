-- The second line between tenants: row-level security on each table that holds rows of tenants, whichever migration
-- made it. The first line is the tenant in every query. Runs at each start; a table that is guarded is left alone.
--
-- postonce_ingest_request  requests: the rows of the tenant that the transaction was told (postonce.tenant), no others
-- postonce_ingest          the owner, for migrations and background work: all rows, by a policy that says so
-- postonce_verify          reads all; postonce_relay reads the outbox
do $$
declare
  guarded record;
  belongs text;
begin
  -- Two instances may start together.
  perform pg_advisory_xact_lock(hashtext('postonce-ingest-policies'));
  for guarded in
    select c.relname as name from pg_class c
    where c.relnamespace = 'ingest'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not (c.relrowsecurity and c.relforcerowsecurity)
      and (c.relname = 'outbox_event' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
    order by c.relname
  loop
    belongs := case guarded.name when 'outbox_event' then 'split_part(record_key, '':'', 1)' else 'tenant_id' end
      || ' = current_setting(''postonce.tenant'', true)';
    execute format('alter table ingest.%I enable row level security, force row level security', guarded.name);
    execute format('create policy own_tenant on ingest.%I to postonce_ingest_request using (%s) with check (%s)',
      guarded.name, belongs, belongs);
    execute format('create policy background on ingest.%I to postonce_ingest using (true) with check (true)',
      guarded.name);
    execute format('create policy verify on ingest.%I for select to postonce_verify using (true)', guarded.name);
    execute format('grant select, insert, update, delete on ingest.%I to postonce_ingest_request', guarded.name);
    if guarded.name = 'outbox_event' then
      create policy relay on ingest.outbox_event for select to postonce_relay using (true);
    end if;
  end loop;
end
$$;
