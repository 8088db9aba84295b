-- Sites that the operator has named: connections to them, and to no others, may go into the server's own network.
create table named_sites (
  origin text primary key,
  created_at timestamptz not null default now()
);

-- It is not known who named these, so all go on working.
insert into named_sites (origin)
select lower(substring(address from '^https?://[^/]+'))
from (
  select site as address from project_hosts
  union all
  select location from projects where kind = 'https'
  union all
  select repository ->> 'location'
  from projects, jsonb_array_elements(
    case jsonb_typeof(settings -> 'contextRepositories')
      when 'array' then settings -> 'contextRepositories'
      else '[]'
    end
  ) as repository
  where repository ->> 'kind' = 'https'
) as known
where address ~ '^https?://[^/]+'
on conflict do nothing;
