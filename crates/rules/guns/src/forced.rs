//! P3: continuing retirements, falling back a second time, burning houses left, whoever reforms and is disturbed by it
//! all (R38, R40, R69, R82).

use super::Guns;
use super::clause::Clause;
use super::event::{GunsEvent, Retreat};
use super::field::{Field, distance, is_ablaze, known, troops, within};
use super::formation::{Formation, Shape};
use super::rally::roster;
use super::retreat::way::{self, Wish};
use super::{generals, hidden, retreat};
use engine::{Event, FeatureId, Leaving, Umpire, UnitId};

/// Carries out all forced moves of the step.
pub fn carry_out(umpire: &mut Umpire<'_, Guns>) {
    for unit in roster(umpire.state(), is_forced) {
        // What another unit's flight has changed meanwhile counts.
        if is_forced(umpire.state(), unit) {
            force(umpire, unit);
        }
    }
    disturb(umpire);
    generals::make_room(umpire);
}

/// Whoever reforms goes back before enemies who have been driven close to him (reform-c, R38).
pub fn disturb(umpire: &mut Umpire<'_, Guns>) {
    for unit in roster(umpire.state(), is_alarmed) {
        if is_alarmed(umpire.state(), unit) {
            retreat::retire(umpire, unit, None, Retreat::Alarmed);
        }
    }
}

fn is_forced(field: &Field, unit: UnitId) -> bool {
    let own = troops(field, unit);
    field.unit(unit).is_present()
        && (burning(field, unit).is_some() || !own.bound.retired && (own.broken || own.falls_back))
}

fn force(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    if burning(umpire.state(), unit).is_some() && !evacuate(umpire, unit) {
        return;
    }
    let own = troops(umpire.state(), unit);
    let (broken, falls_back) = (own.broken, own.falls_back);
    if falls_back {
        let event = Event::own(Clause::FallsBackAgain, GunsEvent::FallsBack { unit, again: false });
        hidden::announce(umpire, unit, event);
    }
    if broken {
        retreat::retire(umpire, unit, None, Retreat::Broken);
    } else if falls_back {
        retreat::retire(umpire, unit, None, Retreat::FellBack);
    }
}

/// Whether an enemy that was driven close to a unit disturbs its reforming (R38). Beaten cavalry stands.
fn is_alarmed(field: &Field, unit: UnitId) -> bool {
    let own = troops(field, unit);
    if !own.reforming || own.beaten || !field.unit(unit).is_present() {
        return false;
    }
    let near = distance(field, &field.charts().charge.reform_alarm);
    known(field, field.side_of(unit).other())
        .any(|(id, enemy)| enemy.own.bound.retired && within(field, unit, id, near))
}

/// The burning houses a unit is in, if any.
fn burning(field: &Field, unit: UnitId) -> Option<FeatureId> {
    let (piece, defends) = (field.unit(unit), troops(field, unit).defending);
    let fires = field.ledger().buildings.iter().map(|building| building.feature).filter(|id| is_ablaze(field, *id));
    let is_inside = |id: FeatureId| {
        let feature = field.ground().features.get(id.index());
        feature.is_some_and(|feature| feature.shape.contains(piece.quad().centre))
    };
    fires.into_iter().find(|id| defends == Some(*id) || is_inside(*id))
}

/// A half turn to either side: any way out of a fire will do when the best ones are barred.
const ANYWHERE: i32 = 180;

/// R69: occupants of burning houses leave away from the nearest enemy, in loose order; it is no retirement. Returns
/// whether the unit is still on the table.
pub fn evacuate(umpire: &mut Umpire<'_, Guns>, unit: UnitId) -> bool {
    let field = umpire.state();
    let Some(fire) = burning(field, unit) else { return field.unit(unit).is_present() };
    retreat::shake_off(umpire, unit);
    if super::field::is_foot(umpire.state(), unit) {
        let to = umpire.state().unit(unit).pose();
        retreat::place(umpire, unit, to, Some(Formation::usual(Shape::Loose)), Clause::Evacuate);
    }
    let field = umpire.state();
    let wish = Wish {
        away: retreat::away(field, unit, None),
        least: table::Length::ZERO,
        bend: field.charts().charge.bend.value.get(),
        out_of: field.ground().features.get(fire.index()),
    };
    let mut way = way::find(field, unit, wish);
    if !way.full {
        way = way::find(field, unit, Wish { bend: ANYWHERE, ..wish });
    }
    let piece = field.unit(unit);
    let to = piece.pose().shifted(way.by);
    if !way.full || !field.ground().holds(&piece.quad().shifted(way.by)) {
        retreat::remove(umpire, unit, Leaving::LeftTable, Clause::Evacuate);
        return false;
    }
    retreat::place(umpire, unit, to, None, Clause::Evacuate);
    umpire.state().unit(unit).is_present()
}
