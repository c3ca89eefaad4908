-- A battle: everything its replay's header says, and who may sit where. Keys are kept only as hashes.
create table battles (
    id       text primary key not null,
    ruleset  text not null,
    revision integer not null,
    setup    text not null,
    house    text,
    seed     text not null,
    title    text not null,
    sides    text not null,
    seats    text not null,
    key_a    blob,
    key_b    blob,
    key_w    blob not null,
    created  integer not null,
    standing text not null,
    study    integer not null
) strict;

-- One line per order or motion, appended before anybody is told of it.
create table entries (
    battle text not null references battles (id),
    n      integer not null,
    at     integer not null,
    line   text not null,
    primary key (battle, n)
) strict, without rowid;
