-- When a page of another site first asked with the key; null: only programs did so far.
alter table keys add column asked_on_site_at timestamptz;
update keys set asked_on_site_at = last_used_at
  where kind = 'assistant' and exists (
    select from messages where messages.project_id = keys.project_id and caller in ('web', 'widget')
  );

-- Everybody hides the list of what to do first for themselves. The column of organizations is now the operator's alone.
alter table people add column first_steps_hidden_at timestamptz;
update people set first_steps_hidden_at = (
  select max(organizations.first_steps_hidden_at) from organizations
    join memberships on memberships.organization_id = organizations.id
    where memberships.person_id = people.id
);
