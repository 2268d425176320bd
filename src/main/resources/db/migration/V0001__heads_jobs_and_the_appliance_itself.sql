-- The appliance itself: tokens, keys, audit, repeated requests.

create table master_key_check (
    only_one   boolean primary key default true constraint master_key_check_one_row check (only_one),
    sealed     bytea       not null,
    created_at timestamptz not null
);

create table api_token (
    id         uuid primary key,
    name       text        not null constraint api_token_name_unique unique,
    role       text        not null constraint api_token_role_known check (role in ('admin', 'operator', 'viewer')),
    hash       bytea       not null constraint api_token_hash_unique unique,
    created_at timestamptz not null
);

create table idempotency_key (
    principal  text        not null,
    request    text        not null,
    key        text        not null,
    body_hash  bytea       not null,
    answer     bytea,
    created_at timestamptz not null,
    primary key (principal, request, key)
);
create index idempotency_key_created on idempotency_key (created_at);

create table audit_entry (
    id          uuid primary key,
    at          timestamptz not null,
    principal   text        not null,
    remote      text        not null,
    request_id  text        not null,
    action      text        not null,
    object_kind text        not null,
    object_id   uuid        not null,
    before      jsonb,
    after       jsonb,
    job_id      uuid
);
create index audit_entry_object on audit_entry (object_kind, object_id, id);

-- Heads. The generation lives in the head's row: its lock puts the changes to one head in order.

create table head (
    id              uuid primary key,
    name            text        not null constraint head_name_unique unique,
    generation      bigint      not null default 0 constraint head_generation_not_negative check (generation >= 0),
    cntlid_first    integer     not null,
    cntlid_last     integer     not null,
    credential_hash bytea       not null constraint head_credential_unique unique,
    version         bigint      not null,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    constraint head_cntlids_in_range check (cntlid_first >= 1 and cntlid_last <= 65519 and cntlid_first <= cntlid_last),
    constraint head_cntlids_disjoint exclude using gist (int4range(cntlid_first, cntlid_last, '[]') with &&)
);

create table enrolment_token (
    id         uuid primary key,
    hash       bytea       not null constraint enrolment_token_hash_unique unique,
    purpose    text        not null constraint enrolment_token_purpose_known check (purpose in ('LOCAL_HEAD', 'REQUESTED')),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at    timestamptz,
    used_by    uuid references head (id) on delete set null
);

create table listener (
    id         uuid primary key,
    head_id    uuid        not null references head (id),
    transport  text        not null,
    adrfam     text        not null,
    traddr     text        not null,
    trsvcid    integer     not null constraint listener_trsvcid_in_range check (trsvcid between 0 and 65535),
    version    bigint      not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint listener_unique unique (head_id, transport, traddr, trsvcid)
);

-- What heads observe. Rows of a head go with the head.

create table head_status (
    head_id        uuid primary key references head (id) on delete cascade,
    boot_id        text        not null,
    earlier_boots  text[]      not null,
    sequence       bigint      not null,
    generation     bigint      not null,
    seen_at        timestamptz not null,
    engine_name    text        not null,
    engine_version text        not null,
    capabilities   text[]      not null
);

create table observed_object (
    head_id     uuid        not null references head (id) on delete cascade,
    kind        text        not null,
    object_id   uuid        not null,
    generation  bigint      not null,
    state       text        not null,
    reason_code text,
    reason_text text,
    observed    jsonb       not null,
    since       timestamptz not null,
    primary key (head_id, kind, object_id)
);
create index observed_object_by_object on observed_object (kind, object_id);

create table path_proof (
    path_id     uuid primary key,
    head_id     uuid        not null references head (id) on delete cascade,
    generation  bigint      not null,
    state       text        not null,
    reason_code text,
    reason_text text,
    proof       jsonb,
    since       timestamptz not null
);
create index path_proof_head on path_proof (head_id);

create table drive (
    id          uuid primary key,
    head_id     uuid        not null references head (id) on delete cascade,
    identity    text        not null,
    kind        text        not null,
    device_name text        not null,
    model       text        not null,
    serial      text        not null,
    size_bytes  bigint      not null,
    lba_bytes   integer     not null,
    rotation    text        not null,
    in_use      jsonb       not null,
    state       text        not null,
    created_at  timestamptz not null,
    since       timestamptz not null,
    constraint drive_identity_unique unique (head_id, identity)
);

-- Jobs: the visible record of each requested change.

create table job (
    id           uuid primary key,
    kind         text        not null,
    summary      text        not null,
    state        text        not null constraint job_state_known check (state in ('RUNNING', 'SUCCEEDED', 'FAILED')),
    created_at   timestamptz not null,
    deadline_at  timestamptz not null,
    finished_at  timestamptz,
    failure_code text,
    failure_text text,
    result       jsonb,
    constraint job_finished_when_not_running check ((state = 'RUNNING') = (finished_at is null))
);
create index job_running on job (deadline_at) where state = 'RUNNING';

create table job_step (
    job_id      uuid        not null references job (id) on delete cascade,
    ordinal     integer     not null,
    head_id     uuid        not null,
    generation  bigint      not null,
    kind        text        not null,
    object_id   uuid        not null,
    wanted      text        not null,
    state       text        not null,
    started_at  timestamptz,
    finished_at timestamptz,
    detail      text        not null,
    reason_code text,
    primary key (job_id, ordinal)
);
create index job_step_head on job_step (head_id);
