//! A small battle for the tests of words.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::Days;
use crate::clause::Clause;
use crate::field::Field;
use engine::setup::{Mode, muster};
use engine::{CommanderId, Deed, Event, UnitId};

const IRON: &str = include_str!("../../muster/tests/iron.toml");

/// Everybody stands where the set-up puts him, but for the one who is to hide.
pub fn field() -> Field {
    let field = muster::<Days>(IRON, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}")).state;
    let scenario = &field.muster().scenario;
    let open = field.muster().unit_ids().filter(|id| !scenario.in_hiding[id.index()]);
    let placed = open.filter_map(|unit| {
        let (pose, formation) = (scenario.units_at[unit.index()]?, field.unit(unit).body.formation);
        Some(Event::new(Clause::SetUpAndBegin, Deed::Placed { unit, pose, formation, hidden: false }))
    });
    let placed: Vec<Event<Days>> = placed.collect();
    field.folded(&placed)
}

pub fn unit(field: &Field, key: &str) -> UnitId {
    field.muster().unit_ids().find(|id| field.card(*id).key == key).unwrap_or_else(|| panic!("no unit {key}"))
}

pub fn general(field: &Field, key: &str) -> CommanderId {
    field.muster().commander_ids().find(|id| field.muster().commander(*id).key == key).unwrap()
}
