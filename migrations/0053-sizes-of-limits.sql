-- The uses of a limit that may still count, by their number. Their number does not depend on the size of the limit, so that
-- it can change at any time. Tokens of the assistant stay in limit_uses.
create table recent_uses (
  scope text not null references limits on delete cascade,
  n bigint not null,
  used_at timestamptz not null,
  primary key (scope, n)
);

-- The uses so far, which stood at their number modulo the size.
insert into recent_uses (scope, n, used_at)
select l.scope, l.uses - (l.uses - 1 - u.slot) % sizes.count, u.used_at
from (values ('job-create', 100), ('job-message', 100), ('assistant-organization', 10000), ('assistant-reader', 60),
  ('assistant-pages', 2000), ('assistant-address', 10000), ('sign-in-address', 10), ('wrong-passwords', 30)) as sizes(name, count)
join limits l on split_part(l.scope, ':', 1) = sizes.name
join limit_uses u on u.scope = l.scope
where u.slot < sizes.count and u.slot < l.uses
on conflict do nothing;

-- Sizes that the operator has chosen: for the server as a whole, or for one organization.
create table limit_sizes (
  organization_id text references organizations on delete cascade,
  name text not null,
  count integer not null check (count > 0),
  unique nulls not distinct (organization_id, name)
);
