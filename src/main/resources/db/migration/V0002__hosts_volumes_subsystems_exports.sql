-- Hosts and their keys. A key is only ever stored sealed; which master key sealed it is stored with it.
create table host (
    id                 uuid primary key,
    name               text        not null,
    nqn                text        not null,
    host_identifier    uuid        not null,
    auth_hash          text,
    auth_dh_group      text,
    auth_bidirectional boolean     not null default false,
    version            bigint      not null default 0,
    created_at         timestamptz not null,
    updated_at         timestamptz not null,
    constraint host_nqn_unique unique (nqn),
    constraint host_identifier_unique unique (host_identifier),
    constraint host_authentication_whole check ((auth_hash is null) = (auth_dh_group is null)),
    constraint host_bidirectional_needs_authentication check (auth_hash is not null or not auth_bidirectional)
);

create table host_key (
    id         uuid primary key,
    host_id    uuid        not null references host (id) on delete cascade,
    purpose    text        not null,
    origin     text        not null,
    sealed     bytea       not null,
    created_at timestamptz not null,
    constraint host_key_purpose_known check (purpose in ('HOST', 'CONTROLLER')),
    constraint host_key_one_per_purpose unique (host_id, purpose)
);

-- What heads refused, whether or not we know the host. The id is the head's, so that a report that is sent twice is recorded once.
create table authentication_failure (
    id            uuid primary key,
    head_id       uuid        not null references head (id) on delete cascade,
    occurred_at   timestamptz not null,
    host_nqn      text        not null,
    subsystem_nqn text        not null,
    traddr        text        not null,
    failed_check  text        not null,
    detail        text        not null
);
create index authentication_failure_by_host on authentication_failure (host_nqn, occurred_at desc, id desc);

-- Pools as heads report them, and the volumes carved from them.
create table pool (
    id             uuid primary key,
    head_id        uuid        not null references head (id) on delete cascade,
    name           text        not null,
    provider       text        not null,
    location       text        not null,
    capacity_bytes bigint      not null,
    free_bytes     bigint      not null,
    problem_code   text,
    problem_text   text,
    reported_at    timestamptz not null,
    created_at     timestamptz not null,
    constraint pool_name_unique_on_head unique (head_id, name)
);

create table volume (
    id              uuid primary key,
    pool_id         uuid        not null references pool (id),
    name            text        not null,
    size_bytes      bigint      not null,
    lba_bytes       integer     not null,
    -- How much of the size the head has taken from the pool already: it is in the pool's free bytes no longer.
    allocated_bytes bigint      not null default 0,
    presence        text        not null default 'PRESENT',
    version         bigint      not null default 0,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    constraint volume_presence_known check (presence in ('PRESENT', 'ABSENT')),
    constraint volume_lba_bytes_known check (lba_bytes in (512, 4096)),
    constraint volume_size_whole_blocks check (size_bytes > 0 and size_bytes % lba_bytes = 0)
);
create unique index volume_name_unique_in_pool on volume (pool_id, name) where presence = 'PRESENT';

-- Subsystems and their namespaces, with the identities that they keep for ever.
create table subsystem (
    id         uuid primary key,
    nqn        text        not null,
    serial     text        not null,
    model      text        not null,
    access     text        not null,
    next_nsid  bigint      not null default 1,
    version    bigint      not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint subsystem_nqn_unique unique (nqn),
    constraint subsystem_serial_unique unique (serial),
    constraint subsystem_access_known check (access in ('LISTED_HOSTS', 'ANY_HOST')),
    constraint subsystem_id_with_access unique (id, access)
);

create table namespace (
    id               uuid primary key,
    subsystem_id     uuid        not null references subsystem (id),
    nsid             bigint      not null,
    uuid             uuid        not null,
    nguid            text        not null,
    eui64            text        not null,
    ana_group        bigint      not null,
    volume_id        uuid references volume (id),
    drive_id         uuid references drive (id),
    agreed_signature text        not null default '',
    created_at       timestamptz not null,
    constraint namespace_nsid_unique_in_subsystem unique (subsystem_id, nsid),
    constraint namespace_uuid_unique unique (uuid),
    constraint namespace_nguid_unique unique (nguid),
    constraint namespace_volume_used_once unique (volume_id),
    constraint namespace_drive_used_once unique (drive_id),
    constraint namespace_has_one_backing check ((volume_id is null) <> (drive_id is null)),
    constraint namespace_nsid_range check (nsid between 1 and 1024)
);

-- A subsystem served on listeners to hosts. A host can be listed only while the subsystem is not open to any host: the foreign key
-- includes the access, so the rule holds in a race too.
create table export (
    id           uuid primary key,
    name         text        not null,
    subsystem_id uuid        not null references subsystem (id),
    head_id      uuid        not null references head (id),
    version      bigint      not null default 0,
    created_at   timestamptz not null,
    updated_at   timestamptz not null,
    constraint export_subsystem_unique unique (subsystem_id),
    constraint export_id_with_subsystem unique (id, subsystem_id)
);
create index export_head on export (head_id);

create table export_listener (
    export_id   uuid not null references export (id) on delete cascade,
    listener_id uuid not null references listener (id),
    primary key (export_id, listener_id)
);
create index export_listener_listener on export_listener (listener_id);

create table export_host (
    export_id    uuid not null,
    host_id      uuid not null references host (id),
    subsystem_id uuid not null,
    access       text not null default 'LISTED_HOSTS',
    primary key (export_id, host_id),
    -- The same subsystem as the export's own.
    constraint export_host_export foreign key (export_id, subsystem_id) references export (id, subsystem_id) on delete cascade,
    constraint export_host_only_on_closed_subsystem check (access = 'LISTED_HOSTS'),
    constraint export_host_subsystem foreign key (subsystem_id, access) references subsystem (id, access)
);
create index export_host_host on export_host (host_id);

create table export_path (
    id          uuid primary key,
    export_id   uuid not null references export (id) on delete cascade,
    host_id     uuid not null,
    listener_id uuid not null,
    constraint export_path_unique unique (export_id, host_id, listener_id),
    constraint export_path_of_host foreign key (export_id, host_id) references export_host (export_id, host_id) on delete cascade,
    constraint export_path_of_listener foreign key (export_id, listener_id) references export_listener (export_id, listener_id) on delete cascade
);
