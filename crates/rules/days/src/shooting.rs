//! 3.1 to 3.4: declared fire of both sides at once. Section 17.3, C-02 to C-09.

pub mod aim;
pub mod arc;
pub mod bounce;
pub mod fire;
pub mod plan;
mod screen;
#[cfg(test)]
mod tests;
pub mod volley;
pub mod weapon;

use super::Days;
use super::event::{Cause, Crossing};
use super::field::{self, Field, surely_beyond};
use super::order::{Decision, Order, Shot};
use super::sequence::{self, Given, Phase};
use super::{ground, hidden, passing};
use aim::Firer;
use arc::Arc;
use engine::{BySide, Flow, Lots, Side, Umpire, UnitId, Verdict, View};
use table::{Length, Point};
pub use volley::Aim;
use weapon::Quarry;

/// Asks both sides for their targets; after the smoke has cleared, what passed in earlier phases is forgotten.
pub fn advance(umpire: &mut Umpire<'_, Days>, asked: bool) -> Flow<Days> {
    if !asked {
        umpire.replace(Phase::Shooting { asked: true });
        let field = umpire.state();
        let has_choice = BySide(Side::BOTH.map(|side| has_choice(field, side)));
        if let Some(flow) = sequence::ask(has_choice, Decision::Fire) {
            return flow;
        }
    }
    passing::forget(umpire);
    Flow::Done
}

/// Whether a side has anybody who could fire at somebody, keep fire back with an enemy near, or lay a fire.
fn has_choice(field: &Field, side: Side) -> bool {
    hidden::is_elusive(field, side)
        || field.present(side).any(|(id, unit)| {
            if !weapon::silence(field, id).is_empty() {
                return false;
            }
            let range = range(field, id);
            let near =
                || field::known(field, side.other()).any(|(_, enemy)| !surely_beyond(unit.quad(), enemy.quad(), range));
            let staff = || {
                let close = field.commanders().filter(|(_, one)| !surely_beyond(unit.quad(), one.quad(), range));
                let mut generals = close.map(|(general, _)| Quarry::General(general));
                field::skirmishes(field, id) && generals.any(|general| weapon::spared(field, id, general).is_empty())
            };
            near()
                || staff()
                || !field::chargers(field, id).is_empty()
                || passing::any(field, id)
                || ground::area_at(field, unit.quad().centre).is_some()
        })
}

/// Judges fire orders.
pub fn check(view: &View<'_, Days>, side: Side, order: &Order) -> Verdict {
    plan::read(view, side, order).1
}

/// Fires: I's dice, then N's; losses together at the end.
pub fn execute(umpire: &mut Umpire<'_, Days>, given: Given) {
    umpire.replace(Phase::Shooting { asked: true });
    let field = umpire.state();
    let read = |side: Side| {
        given[side].as_ref().map(|order| plan::read(field, side, order).0.cited(field)).unwrap_or_default()
    };
    let plans = BySide(Side::BOTH.map(read));
    fire::all(umpire, &plans, Cause::Fire);
}

/// The targets a unit may shoot at with at least one stand: what candidates and gestures offer.
pub fn targets(field: &Field, unit: UnitId) -> Vec<Shot> {
    if !weapon::silence(field, unit).is_empty() {
        return Vec::new();
    }
    let Some(firer) = Firer::of(field, unit) else { return Vec::new() };
    let bearing: Vec<Quarry> = match firer.weapon.gun() {
        Some(_) => firer.gun_targets().collect(),
        None => firer.sheets().into_iter().filter(aim::Sheet::bears).map(|sheet| sheet.quarry).collect(),
    };
    let shots = bearing.into_iter().map(|quarry| shot(unit, quarry, false));
    let still = |crossing: &&Crossing| {
        let bears = firer.arcs().any(|(no, _)| crossing.by.has(no));
        bears && weapon::spared_in_passing(field, unit, crossing.unit).is_empty()
    };
    let passed = passing::all(field, unit).filter(still);
    let passed = passed.map(|crossing| shot(unit, Quarry::Unit(crossing.unit), true));
    shots.chain(passed).collect()
}

/// Whether a unit may shoot at whoever is nearest: whether [`targets`] has anybody for it who did not only pass.
pub fn may_fire(field: &Field, unit: UnitId) -> bool {
    let silent = !weapon::silence(field, unit).is_empty();
    let firer = if silent { None } else { Firer::of(field, unit) };
    firer.is_some_and(|firer| match firer.weapon.gun() {
        Some(_) => firer.bears_on_any(),
        None => firer.may_shoot(None),
    })
}

/// One of the targets of a unit by lot. Guns have many, and look only for the one.
pub fn some_target(field: &Field, unit: UnitId, lots: &mut Lots) -> Option<Shot> {
    if !weapon::silence(field, unit).is_empty() {
        return None;
    }
    if !field::is_battery(field, unit) || passing::any(field, unit) {
        return lots.pick(&targets(field, unit)).copied();
    }
    Firer::of(field, unit)?.some_gun_target(lots).map(|quarry| shot(unit, quarry, false))
}

fn shot(unit: UnitId, quarry: Quarry, passing: bool) -> Shot {
    Shot { unit, at: quarry.unit(), general: quarry.general(), stands: None, passing }
}

/// The volley a shot would be, for odds and words: none where it may not be fired.
pub fn volley_of(field: &Field, side: Side, shot: &Shot) -> Option<Aim> {
    let order = Order::Fire { shots: vec![*shot], reserve: Vec::new(), arson: Vec::new() };
    let (plan, verdict) = plan::read(field, side, &order);
    plan.cited(field).aims.into_iter().next().filter(|_| verdict.is_legal())
}

/// How far a unit can shoot.
pub fn range(field: &Field, unit: UnitId) -> Length {
    weapon::weapon(field, unit).map_or(Length::ZERO, weapon::Weapon::range)
}

/// The outlines of a unit's arcs of fire, for drawing: one for a straight front, one a stand where it faces several ways.
pub fn arc_polygons(field: &Field, unit: UnitId) -> Vec<Vec<Point>> {
    let range = range(field, unit);
    if range == Length::ZERO || !field::is_there(field, unit) {
        return Vec::new();
    }
    let (half, _) = weapon::half_arc(field, unit);
    let outline = |quad: &table::Quad| Arc::of(quad, half).outline(range).into_iter().map(Point::from_vec).collect();
    if weapon::is_square(field, unit) || field::formation(field, unit).is_bent() {
        return field::stands(field, unit).iter().map(outline).collect();
    }
    vec![outline(field.unit(unit).quad())]
}

/// The outline of a unit's arc of fire, for drawing; of its first stand where it faces several ways.
pub fn arc_polygon(field: &Field, unit: UnitId) -> Vec<Point> {
    arc_polygons(field, unit).into_iter().next().unwrap_or_default()
}
