-- What the engine of a head cannot do there, and what it serves that is not Fairlead's; both replaced with each report.
alter table head_status
    add column limits          jsonb not null default '[]',
    add column foreign_objects jsonb not null default '[]';

-- What something else than Fairlead changed on a head. The id is the head's, so that a report that is sent twice is recorded once.
create table drift (
    id          uuid primary key,
    head_id     uuid        not null references head (id) on delete cascade,
    seen_at     timestamptz not null,
    kind        text        not null,
    object_id   uuid        not null,
    name        text        not null,
    differences jsonb       not null,
    repair      text        not null,
    repaired    boolean     not null,
    reason_code text,
    reason_text text,
    constraint drift_repaired_or_why check (repaired = (reason_code is null))
);
create index drift_by_head on drift (head_id, seen_at desc, id desc);
