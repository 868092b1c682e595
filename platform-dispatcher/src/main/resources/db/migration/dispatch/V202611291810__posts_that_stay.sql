-- A withdrawn task may leave the posts that are out.
alter table dispatch.target drop constraint target_desired_status_check;
alter table dispatch.target add constraint target_desired_status_check
  check (desired_status in ('active', 'draft', 'archived', 'kept'));
