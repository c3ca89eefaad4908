//! Charges: who may charge whom, the wheel and the straight line that take him there, who may ride against it
//! (R20, R22, R30, R73, R80).

use super::limits::{Reason, helpless, idle, name, stuck};
use super::route::Route;
use crate::clause::Clause;
use crate::field::{self, Field, facts, is_there, troops};
use crate::formation::{Shape, Spacing};
use crate::nearby::Nearby;
use crate::order::{Move, Shot, Step};
use crate::unit::Charge;
use engine::{BySide, CommanderId, Side, UnitId};
use table::march::{Leg, Track};
use table::{Angle, Flank, Length, Pose, Quad, SLACK, Vec2, convex};

/// More than any table is long, in micrometres: how far a straight line is followed.
const FAR: f64 = 20_000_000.0;
/// A wheel toward a target shifts the flag; a few rounds settle how far to wheel.
const ROUNDS: usize = 6;

/// A charge laid out.
#[derive(Clone, Debug)]
pub struct Line {
    /// The way to contact: at most one wheel, then straight on.
    pub legs: Vec<Leg>,
    /// The same with its cost.
    pub route: Route,
}

impl Line {
    /// Whether the move reaches contact.
    pub fn is_in_reach(&self) -> bool {
        self.route.barred.is_empty() && self.route.cost <= self.route.limit + SLACK
    }
}

/// Lays a charge out; without legs the house wheels as little as it must.
pub fn lay(field: &Field, unit: UnitId, at: UnitId, legs: &[Leg], pace: Option<Length>) -> Result<Line, Reason> {
    let wheel = match legs {
        [] => best_wheel(field, unit, at)?,
        [Leg::Ahead(_)] => None,
        [Leg::Wheel { .. }] | [Leg::Wheel { .. }, Leg::Ahead(_)] => legs.first().copied(),
        _ => return Err((Clause::ChargeNeedsTest, "a charge is one wheel at most and then straight on".to_owned())),
    };
    if let Some(Leg::Wheel { by, .. }) = wheel
        && by > widest(field)
    {
        let text = format!("a charge wheels by no more than {}°", widest(field).as_degrees());
        return Err((Clause::ChargeNeedsTest, text));
    }
    let Some(go) = contact(field, unit, at, wheel) else {
        let text = format!("that way it does not meet {}", name(field, at));
        return Err((Clause::ChargeNeedsTest, text));
    };
    let legs: Vec<Leg> = wheel.into_iter().chain(std::iter::once(Leg::Ahead(go))).collect();
    let route = Route::plan(field, unit, &[Step::March(legs.clone())], pace);
    Ok(Line { legs, route })
}

fn widest(field: &Field) -> Angle {
    Angle::whole(field.charts().pace.wheel.value.get())
}

/// How far straight on the first bases touch, after a wheel; a garrison is met at the edge of what it holds (R20).
fn contact(field: &Field, unit: UnitId, at: UnitId, wheel: Option<Leg>) -> Option<Length> {
    let pose = wheeled(field, unit, wheel);
    let own = field::elements_at(field, unit, pose, field::formation(field, unit));
    let by = pose.forward() * FAR;
    let theirs = field::elements(field, at);
    let pairs = own.iter().flat_map(|quad| theirs.iter().map(move |other| (quad, other)));
    let hits = pairs.filter_map(|(quad, other)| convex::sweep(quad.points(), by, other.points()));
    let held = field::defended(field, at).map(|(_, feature)| feature).filter(|feature| {
        let apart = !feature.shape.contains(field.unit(unit).quad().centre);
        field::is_perimeter(feature.kind) && !feature.shape.is_line() && apart
    });
    let edges =
        held.iter().flat_map(|feature| own.iter().filter_map(|quad| Some(feature.shape.sweep(quad, by).first()?.0)));
    let first = hits.map(|hit| hit.0).chain(edges).fold(f64::MAX, f64::min);
    (first < 1.0).then(|| Length::from_um(first.max(0.0) * FAR))
}

fn wheeled(field: &Field, unit: UnitId, wheel: Option<Leg>) -> Pose {
    let footprint = field.footprint(unit, field::formation(field, unit));
    Track::plot(field.unit(unit).pose(), footprint, wheel.as_slice()).end()
}

/// The wheel that turns a unit's middle to its target's; none where straight on meets it anyway.
fn best_wheel(field: &Field, unit: UnitId, at: UnitId) -> Result<Option<Leg>, Reason> {
    if contact(field, unit, at, None).is_some() {
        return Ok(None);
    }
    let target = field.unit(at).quad().centre;
    let pose = field.unit(unit).pose();
    let side = (Angle::of(target - pose.at.vec()) - pose.facing).signed();
    let pivot = if side < 0 { Flank::Left } else { Flank::Right };
    let mut by = Angle::NORTH;
    for _ in 0..ROUNDS {
        let now = wheeled(field, unit, Some(Leg::Wheel { pivot, by }));
        let off = (Angle::of(target - now.at.vec()) - now.facing).signed();
        let more = if pivot == Flank::Left { -off } else { off };
        by = Angle::millidegrees((by.as_millidegrees() + more).clamp(0, Angle::SOUTH.as_millidegrees()));
    }
    let wheel = Leg::Wheel { pivot, by: by.min(widest(field)) };
    if contact(field, unit, at, Some(wheel)).is_some() {
        return Ok(Some(wheel));
    }
    let text = format!(
        "{} lies too far to the side: a charge wheels by no more than {}°",
        name(field, at),
        widest(field).as_degrees()
    );
    Err((Clause::ChargeNeedsTest, text))
}

/// How far a charger is from being tested: to the nearest element, or to the edge of a perimeter held all round (R20).
pub fn approach_gap(field: &Field, own: &[Quad], at: UnitId, theirs: &[Quad]) -> Length {
    let gap = field::gap_of(own, theirs);
    match field::defended(field, at) {
        Some((_, feature)) if field::is_perimeter(feature.kind) && !feature.shape.is_line() => {
            let edge = own.iter().map(|quad| feature.shape.gap_to(quad)).fold(f64::MAX, f64::min);
            gap.min(Length::from_um(edge))
        }
        _ => gap,
    }
}

/// All reasons why a unit may not charge another.
pub fn objections(field: &Field, unit: UnitId, at: UnitId) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let mut refuse = |clause: Clause, text: &str| reasons.push((clause, text.to_owned()));
    let own = troops(field, unit);
    // Cavalry that rode through may go on instead of reforming (R80).
    let idles = if own.rode_through { stuck(field, unit) } else { idle(field, unit) };
    if let Some((clause, text)) = idles {
        refuse(clause, &text);
    }
    if let Some((clause, text)) = cannot_charge(field, unit) {
        refuse(clause, text);
    }
    if !is_there(field, at) || field::is_hidden(field.unit(at)) || field.side_of(at) == field.side_of(unit) {
        refuse(Clause::ChargeNeedsTest, "there is no such enemy to charge");
        return reasons;
    }
    if !field::may_charge_by_status(field, unit) {
        let mounted = field::is_mounted(field, unit);
        if !mounted {
            refuse(Clause::BelowChargeLimiter, "it has lost too much to charge any more");
        } else if !field::skirmishes(field, at) {
            refuse(Clause::CavalryRefuses, "worn cavalry rides at skirmishers only");
        }
    }
    if field::is_mounted(field, unit) && is_across_perimeter(field, unit, at) {
        refuse(Clause::NoOtherCombat, "cavalry does not charge men behind walls or in houses");
    }
    reasons
}

/// Why troops of this kind or formation never charge.
fn cannot_charge(field: &Field, unit: UnitId) -> Option<(Clause, &'static str)> {
    let facts = facts(field, unit);
    if facts.is_battery() {
        return Some((Clause::ChargeNeedsTest, "guns do not charge"));
    }
    if facts.screen {
        return Some((Clause::ScreenActsAsOne, "a skirmish screen does not charge"));
    }
    let formation = field::formation(field, unit);
    if formation.shape == Shape::Route {
        return Some((Clause::ChargeNeedsTest, "nobody charges in column of route"));
    }
    if formation.spacing(facts.width(), field::count(field, unit)) == Spacing::Extended {
        return Some((Clause::SkirmishersCannotHold, "nobody charges in extended order"));
    }
    None
}

/// Whether the target defends a perimeter that lies between the two.
pub fn is_across_perimeter(field: &Field, unit: UnitId, at: UnitId) -> bool {
    let Some((_, feature)) = field::defended(field, at) else { return false };
    if !field::is_perimeter(feature.kind) {
        return false;
    }
    let way = (field.unit(unit).quad().centre, field.unit(at).quad().centre);
    !feature.shape.is_line() || !feature.shape.clip(way).is_empty()
}

/// Enemies a unit could charge this bound with contact in reach, the nearest first, with the legs that take it there.
pub fn targets(field: &Field, unit: UnitId) -> Vec<(UnitId, Vec<Leg>)> {
    if !is_there(field, unit) || cannot_charge(field, unit).is_some() {
        return Vec::new();
    }
    let full = crate::pace::full_move(field, unit).0;
    let enemies = Nearby::known(field, field.side_of(unit).other());
    let quad = field.unit(unit).quad();
    let mut found: Vec<(Length, UnitId, Vec<Leg>)> = enemies
        .around(quad, full)
        .map(|(id, _)| id)
        .filter(|id| objections(field, unit, *id).is_empty())
        .filter_map(|id| {
            let line = lay(field, unit, id, &[], None).ok().filter(Line::is_in_reach)?;
            Some((line.route.cost, id, line.legs))
        })
        .collect();
    found.sort_by_key(|(cost, id, _)| (*cost, *id));
    found.into_iter().map(|(_, id, legs)| (id, legs)).collect()
}

/// Whether a general may lead a charge: fit, of its chain of command, and with the unit already.
pub fn leader_objection(field: &Field, unit: UnitId, general: CommanderId) -> Option<Reason> {
    let staff = &field.commander(general).own;
    let chain = field::brigade(field, unit).map(|brigade| field::chain(field, brigade)).unwrap_or_default();
    if !staff.is_fit() || staff.attached != Some(unit) || !chain.contains(&general) {
        let text = "only a fit general of its own chain of command who is with it can lead it";
        return Some((Clause::LedByGeneral, text.to_owned()));
    }
    None
}

/// Cavalry that may ride against cavalry charging it, by side, with the nearest of those who charge it (R30).
pub fn able_to_counter(field: &Field) -> BySide<Vec<Shot>> {
    let mut able = BySide::<Vec<Shot>>::default();
    for side in [Side::A, Side::B] {
        for (charger, piece) in field.present(side.other()) {
            let Some(charge) = piece.own.charge.as_deref() else { continue };
            let (unit, is_new) = (charge.at, !able[side].iter().any(|shot: &Shot| shot.unit == charge.at));
            if is_new
                && field::is_mounted(field, charger)
                && may_counter(field, unit)
                && lay(field, unit, charger, &[], None).is_ok()
            {
                able[side].push(Shot { unit, at: charger });
            }
        }
        able[side].sort();
    }
    able
}

fn may_counter(field: &Field, unit: UnitId) -> bool {
    let own = troops(field, unit);
    is_there(field, unit)
        && field::is_mounted(field, unit)
        && own.charge.is_none()
        && !own.disorder.any()
        && helpless(field, unit).is_none()
        && field::may_charge_by_status(field, unit)
        && cannot_charge(field, unit).is_none()
}

/// The legs plotted for a unit's charge, none where the house lays them.
pub fn plotted_legs(field: &Field, unit: UnitId, charge: &Charge) -> Vec<Leg> {
    if charge.counter {
        return Vec::new();
    }
    let plots = &field.ledger().plots[field.side_of(unit)];
    let legs = plots.iter().find_map(|line| match line {
        Move::Charge { unit: id, legs, .. } if *id == unit => Some(legs.clone()),
        _ => None,
    });
    legs.unwrap_or_default()
}

/// A spot on the way of a charge, for marks.
pub fn aim(field: &Field, at: UnitId) -> Vec2 {
    field.unit(at).quad().centre
}
