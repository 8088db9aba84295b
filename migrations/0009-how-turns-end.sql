-- What a turn that has not failed came to: changed, no_change, nothing_done or needs_input.
alter table turns add column outcome text;
-- Seconds that a turn has waited for its model in all.
alter table turns add column waited_for_model integer not null default 0;
update turns set outcome = case when publication is null then 'no_change' else 'changed' end
where status = 'completed';
