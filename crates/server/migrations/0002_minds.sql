-- What players may ask of the house in a battle, as JSON; older battles have none of it.
alter table battles add column terms text not null default '{}';

-- What a bot thought before an order, by the number of the order's line.
create table thoughts (
    battle text not null references battles (id),
    n      integer not null,
    body   text not null,
    primary key (battle, n)
) strict, without rowid;
