-- Where people have signed in from: guesses of others do not lock them out there.
create table sign_in_networks (
  person_id text not null references people (id) on delete cascade,
  network text not null,
  last_used_at timestamptz not null default now(),
  primary key (person_id, network)
);
