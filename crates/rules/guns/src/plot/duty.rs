//! The half-move an activated brigade owes (activate-f, R48, R49), and the plan the house makes for a side that makes
//! none: duty and nothing else.

use super::limits::{self, duty_way};
use super::route::{Route, Standing};
use super::space::{Bodies, closed_on_way};
use crate::command;
use crate::field::{self, Elements, Field, facts, is_there, troops};
use crate::formation::Shape;
use crate::nearby::Nearby;
use crate::order::Step;
use crate::pace;
use crate::unit::Cycle;
use engine::{CommandId, Side, UnitId};
use std::collections::BTreeMap;
use table::march::Leg;
use table::{Angle, Length, SLACK, Vec2};

/// How finely the house shortens a way that is blocked.
const NOTCHES: i32 = 8;

/// What duty makes of one unit.
#[derive(Clone, Debug)]
pub struct Dutiful {
    /// What it does.
    pub steps: Vec<Step>,
    /// Where it ends.
    pub end: Standing,
    /// What that is worth toward the way its brigade is to go.
    pub progress: Length,
}

/// What duty asks of a side.
pub type Duties = BTreeMap<UnitId, Dutiful>;

/// Works out what duty asks of every unit of a side, nobody in anybody's way.
pub fn duties(field: &Field, side: Side) -> Duties {
    let mut excused: Vec<CommandId> = Vec::new();
    let brigades: Vec<CommandId> = field::brigades(field, side).filter(|id| is_activated(field, *id)).collect();
    loop {
        let duties = lay_out(field, side, &brigades, &excused);
        let drifting = brigades.iter().copied().find(|brigade| {
            !excused.contains(brigade) && {
                let ends = ends_of(field, *brigade, |unit| duties.get(&unit).map(|duty| duty.end));
                command::drift(field, *brigade, &ends).is_some()
            }
        });
        match drifting {
            // An order that forbids the way forward excuses its brigade from going it.
            Some(brigade) => excused.push(brigade),
            None => return duties,
        }
    }
}

/// Whether a brigade is activated.
pub fn is_activated(field: &Field, brigade: CommandId) -> bool {
    field.ledger().brigades.get(brigade.index()).is_some_and(|record| record.activated)
}

/// Where the middles of a brigade's units end, those that do not move included.
pub fn ends_of(field: &Field, brigade: CommandId, end: impl Fn(UnitId) -> Option<Standing>) -> Vec<(UnitId, Vec2)> {
    let there = field::brigade_units(field, brigade).filter(|unit| is_there(field, *unit));
    there
        .map(|unit| {
            let middle = end(unit).map_or(field.unit(unit).quad().centre, |end| middle(field, unit, end));
            (unit, middle)
        })
        .collect()
}

/// The middle of a unit that stands so.
pub fn middle(field: &Field, unit: UnitId, standing: Standing) -> Vec2 {
    field.footprint(unit, standing.formation).quad(standing.pose).centre
}

fn lay_out(field: &Field, side: Side, brigades: &[CommandId], excused: &[CommandId]) -> Duties {
    let enemies = Nearby::known(field, side.other());
    let mut bodies = Bodies::of(field, side);
    let mut duties = Duties::new();
    let called = |unit: &UnitId| field::brigade(field, *unit).is_some_and(|id| brigades.contains(&id));
    let mut units: Vec<UnitId> = field.present(side).map(|(id, _)| id).filter(called).collect();
    // Those in front go first and make room for those behind.
    let ahead = |unit: &UnitId| field.unit(*unit).quad().centre.dot(duty_way(field, *unit));
    units.sort_by(|a, b| ahead(b).total_cmp(&ahead(a)).then(a.cmp(b)));
    for &unit in &units {
        if let Some(formation) = limits::must_shake_out(field, unit, &enemies) {
            let steps = vec![Step::Form(formation)];
            let route = Route::plan(field, unit, &steps, None);
            if let Some(end) = fitting(field, &route, &bodies) {
                bodies.put(field, unit, end);
                duties.insert(unit, Dutiful { steps, end, progress: Length::ZERO });
            }
        }
    }
    for unit in units {
        let excused = field::brigade(field, unit).is_some_and(|brigade| excused.contains(&brigade));
        if excused || duties.contains_key(&unit) || !owes(field, unit) {
            continue;
        }
        if let Some(duty) = forward(field, unit, &enemies, &bodies) {
            bodies.put(field, unit, duty.end);
            duties.insert(unit, duty);
        }
    }
    duties
}

/// Whether a unit counts towards its brigade's half-move at all.
pub fn owes(field: &Field, unit: UnitId) -> bool {
    let (facts, own) = (facts(field, unit), troops(field, unit));
    let garrison = own.defending.is_some();
    let stands = facts.is_battery() && own.cycle != Cycle::Limbered;
    limits::idle(field, unit).is_none()
        && !own.disorder.any()
        && !own.pinned
        && !facts.screen
        && !garrison
        && !stands
        && field::may_advance_by_status(field, unit)
}

/// Straight on, facing kept: as much of half a move as the ground, the enemy's muskets and friends leave room for.
fn forward(field: &Field, unit: UnitId, enemies: &Nearby, bodies: &Bodies) -> Option<Dutiful> {
    let pose = field.unit(unit).pose();
    let full = pace::full_move(field, unit).0;
    let half = field.charts().command.duty.value.of(full);
    let way = duty_way(field, unit);
    let by = Angle::of(way) - pose.facing;
    let here = field.unit(unit).quad().centre;
    (1..=NOTCHES).rev().find_map(|notch| {
        let go = half * notch / NOTCHES;
        let leg = if by == Angle::NORTH { Leg::Ahead(go) } else { Leg::Oblique { by, go } };
        let steps = vec![Step::March(vec![leg])];
        let route = Route::plan(field, unit, &steps, None);
        // A road's gift is not asked back.
        let owed = field.charts().command.duty.value.of(full - route.deductions());
        let end = fitting(field, &route, bodies).filter(|_| go <= owed + SLACK)?;
        let progress = Length::from_um((middle(field, unit, end) - here).dot(way));
        let stays_off = stays_off(field, unit, &route.elements(field, end), enemies);
        (stays_off && progress > Length::ZERO).then_some(Dutiful { steps, end, progress })
    })
}

/// The end of a way that is open all along and free at its end.
fn fitting(field: &Field, route: &Route, bodies: &Bodies) -> Option<Standing> {
    let end = route.end();
    let open = route.wrong.is_empty()
        && route.barred.is_empty()
        && route.cost <= route.limit + SLACK
        && closed_on_way(field, route).is_none()
        && route.tracks.iter().all(|track| track.stays_on(field.ground()));
    let elements = route.elements(field, end);
    let held = elements.iter().all(|quad| field.ground().holds(quad));
    (open && held && bodies.in_the_way(field, route.unit, &elements).is_none()).then_some(end)
}

/// Whether a unit there is outside the distance at which formed enemies would test a charge; worn foot outside its own
/// range of them.
fn stays_off(field: &Field, unit: UnitId, elements: &Elements, enemies: &Nearby) -> bool {
    let before = field::elements(field, unit);
    if limits::too_near(field, unit, &before, elements, enemies).is_some() {
        return false;
    }
    let Some(first) = elements.first() else { return false };
    let spread = Length::from_um(field.unit(unit).quad().radius * 2.0);
    let widest = enemies.around(first, spread + farthest_flinch(field));
    widest.map(|(id, _)| id).filter(|id| field::is_formed(field, *id)).all(|id| {
        let reach = field::flinch_distance(field, id);
        field::gap_of(elements, &field::elements(field, id)) + SLACK >= reach
    })
}

fn farthest_flinch(field: &Field) -> Length {
    let longest =
        field.charts().weapon.values().filter(|row| !row.kinds.value.contains(&crate::charts::WeaponKind::Artillery));
    let short = longest.map(|row| field::distance(field, &row.short)).max().unwrap_or(Length::ZERO);
    short.max(field::distance(field, &field.charts().charge.flinch_default))
}

/// What a unit owes under a plan: half of what its deductions leave of its move, but no more than duty's own way
/// gives it (R48).
pub fn need(field: &Field, unit: UnitId, planned: Option<&Route>, duties: &Duties) -> Length {
    let Some(duty) = duties.get(&unit) else { return Length::ZERO };
    let full = pace::full_move(field, unit).0;
    let (full, deductions) = planned.map_or((full, Length::ZERO), |route| (full.min(route.full), route.deductions()));
    let unlimbers = planned.is_some_and(|route| route.end().formation.shape == Shape::Deployed);
    if unlimbers {
        return Length::ZERO;
    }
    let half = field.charts().command.duty.value.of((full - deductions).max(Length::ZERO));
    half.min(duty.progress)
}
