//! Who may be named in a typed order: lists to look a name up in, likeliest first.

use super::words::Named;
use engine::{CommandId, CommanderId, Ruleset, Side, State, UnitId, Whereabouts};

/// Units this viewer knows of that fit.
pub fn units<R: Ruleset>(field: &State<R>, fits: impl Fn(UnitId) -> bool) -> Vec<Named<UnitId>> {
    let known = |id: UnitId| field.unit(id).whereabouts != Whereabouts::Unseen && fits(id);
    let ids = field.muster().unit_ids().filter(|id| known(*id));
    ids.map(|id| Named::new(id, &field.card(id).key, &field.card(id).name)).collect()
}

/// Those of a side on the table first, then of a side, then all.
pub fn units_of<R: Ruleset>(field: &State<R>, side: Side) -> [Vec<Named<UnitId>>; 3] {
    let theirs = |id: UnitId| field.side_of(id) == side;
    let there = |id: UnitId| theirs(id) && field.unit(id).is_present();
    [units(field, there), units(field, theirs), units(field, |_| true)]
}

/// Commanders of a side, or all.
pub fn commanders<R: Ruleset>(field: &State<R>, side: Option<Side>) -> Vec<Named<CommanderId>> {
    let muster = field.muster();
    let fits = |id: &CommanderId| side.is_none_or(|side| muster.commander(*id).side == side);
    let named = |id| Named::new(id, &muster.commander(id).key, &muster.commander(id).name);
    muster.commander_ids().filter(fits).map(named).collect()
}

/// Brigades and divisions of a side.
pub fn commands<R: Ruleset>(field: &State<R>, side: Side) -> Vec<Named<CommandId>> {
    let muster = field.muster();
    let named = |id| Named::new(id, &muster.command(id).key, &muster.command(id).name);
    muster.command_ids().filter(|id| muster.command(*id).side == side).map(named).collect()
}

/// The way the scenario lets a piece look, or the way it looks now.
pub fn usual_facing<R: Ruleset>(field: &State<R>, unit: UnitId, usual: &[Option<table::Pose>]) -> table::Angle {
    let usual = usual.get(unit.index()).copied().flatten();
    usual.map_or(field.unit(unit).pose().facing, |pose| pose.facing)
}
