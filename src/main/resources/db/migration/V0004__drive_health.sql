-- What a drive says of its own health, as its head reported it last; null from a worker that does not look.
alter table drive
    add column firmware    text,
    add column health      jsonb,
    add column worst_alarm text,
    add constraint drive_worst_alarm_is_a_severity check (worst_alarm in ('WARNING', 'CRITICAL')),
    add constraint drive_alarm_only_while_present check (worst_alarm is null or state = 'PRESENT');
create index drive_by_alarm on drive (worst_alarm, id) where worst_alarm is not null;
