//! 4.11: normal and forced-march moves, one after another until the side has done. Sections 17.4.3 to 17.4.9, C-12 to
//! C-14b, A-50 to.

pub mod carry;
mod forced;
mod judge;
mod lawful;
pub mod limits;
mod obstruct;
mod passage;
#[cfg(test)]
mod tests;

pub use judge::{CostLine, Judged, is_lawful, judge, judge_forced};
pub use obstruct::Crowd;

use super::Days;
use super::charts::reach;
use super::clause::Clause;
use super::event::DaysEvent;
use super::field::{self, Field, by_book, is_hidden, troops};
use super::order::{Decision, Order};
use super::sequence::{Given, Phase, single};
use super::{detachment, hidden, settle, space, staff, works};
use engine::{Deed, Event, Flow, Side, Umpire, UnitId, Verdict, View, Who};
use serde::{Deserialize, Serialize};
use table::terrain::Edge;
use table::{Angle, Length, Point, Pose, SLACK, Vec2};

/// Whose moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moving {
    /// Who moves.
    pub side: Side,
    /// Said that it has done.
    pub done: bool,
    /// Orders given so far.
    #[serde(default)]
    pub orders: u16,
}

/// More orders than this for each piece are no plan: the step ends.
const MOST_ORDERS: usize = 8;

impl Moving {
    /// A side's moves.
    pub fn of(side: Side) -> Moving {
        Moving { side, done: false, orders: 0 }
    }
}

/// Asks until the side has done.
pub fn advance(umpire: &mut Umpire<'_, Days>, moving: Moving) -> Flow<Days> {
    let field = umpire.state();
    let most = MOST_ORDERS * (field.muster().units.len() + field.muster().commanders.len());
    let done = moving.done || usize::from(moving.orders) > most || !limits::has_choice(field, moving.side);
    if !done {
        return Flow::Ask(Who::One(moving.side), Decision::Move);
    }
    // Whoever has not moved counts as halted; that alone costs him nothing.
    let event = Event::new(Clause::StandingCountsAsHalted, Deed::Noted)
        .also(Clause::NeitherMovedNorReFormed)
        .also(Clause::MovingLessIsFree)
        .also(Clause::OrderOfAllMoves);
    umpire.announce(event);
    Flow::Done
}

/// Judges any order of this step: marches here, the rest in staff, detachment, works, arrival, hidden.
pub fn check(view: &View<'_, Days>, side: Side, order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::March { unit, .. }
        | Order::ToGround { unit }
        | Order::Return { unit }
        | Order::Reveal { unit }
        | Order::Screen { unit, .. }
        | Order::Recall { unit }
        | Order::Work { unit, .. }
        | Order::SearchFord { unit, .. }
        | Order::Man { battery: unit }
        | Order::Regroup { battery: unit, .. }
        | Order::Attach { party: unit, .. }
            if !limits::is_own(view, side, *unit) =>
        {
            Verdict::refused(Clause::OrdinaryMoves, "a side moves its own troops")
        }
        Order::March { unit, steps, .. } => judge(view, *unit, steps).verdict,
        Order::ForcedMarch { brigade, marches } => forced::check(view, side, *brigade, marches),
        Order::ToGround { unit } => because(*unit, limits::ground_objections(view, *unit)),
        Order::Return { unit } => check_return(view, *unit),
        Order::Reveal { unit } => check_reveal(view, *unit),
        Order::Ride { .. } | Order::Join { .. } | Order::Attach { .. } => staff::check(view, side, order),
        Order::Screen { .. } | Order::Recall { .. } | Order::Man { .. } | Order::Regroup { .. } => {
            detachment::check(view, side, order)
        }
        Order::Work { .. } | Order::SearchFord { .. } => works::check(view, side, order),
        _ => Verdict::refused(Clause::SheetOrdinaryMoves, "a move is asked for"),
    }
}

/// A verdict of these reasons.
fn because(unit: UnitId, reasons: limits::Reasons) -> Verdict {
    let mut verdict = Verdict::fine();
    for (clause, text) in reasons {
        verdict.refuse(clause, text).about(unit);
    }
    verdict
}

fn check_return(field: &Field, unit: UnitId) -> Verdict {
    if !limits::may_return(field, unit) {
        return Verdict::refused(Clause::EvadingOffTheTable, "it is not off the table, or not for long enough");
    }
    match return_pose(field, unit) {
        Some(_) => Verdict::fine(),
        None => Verdict::refused(Clause::EvadingOffTheTable, "there is no free place on that edge"),
    }
}

fn check_reveal(field: &Field, unit: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    if !is_hidden(field.unit(unit)) {
        verdict.refuse(Clause::ComingToLight, "it is not hidden").about(unit);
    }
    verdict
}

/// The free place nearest to where it left, on the edge over which it left, looking inwards; wholly on the table and
/// clear of enemies.
pub fn return_pose(field: &Field, unit: UnitId) -> Option<Pose> {
    let (_, edge) = troops(field, unit).evaded_off?;
    let formation = field::formation(field, unit);
    let footprint = field.footprint(unit, formation);
    let (width, depth) = field.ground().size;
    let old = field.unit(unit).pose().at;
    let (facing, along_edge) = match edge {
        Edge::North => (Angle::SOUTH, true),
        Edge::South => (Angle::NORTH, true),
        Edge::East => (Angle::WEST, false),
        Edge::West => (Angle::EAST, false),
    };
    let (span, middle) = if along_edge { (width, old.x) } else { (depth, old.y) };
    let half = footprint.width.half();
    let (least, most) = (half, span - half);
    if least > most {
        return None;
    }
    let middle = middle.clamp(least, most);
    let pose = |at: Length| {
        let point = match edge {
            Edge::North => Point::new(at, depth - footprint.depth),
            Edge::South => Point::new(at, footprint.depth),
            Edge::East => Point::new(width - footprint.depth, at),
            Edge::West => Point::new(footprint.depth, at),
        };
        Pose::new(point, facing)
    };
    let step = field::facts(field, unit).stand.width.max(SLACK);
    let far = span.as_um() / step.as_um().max(1) + 1;
    let places = (0..=far).flat_map(|n| [middle - step * n, middle + step * n]);
    let standoff = field::standoff(field);
    let clear = |pose: &Pose| {
        let stands = field::stands_at(field, unit, *pose, formation);
        let far = |(foe, _): (UnitId, _)| field::measured(field::gap_of(&stands, field::stands(field, foe))) > standoff;
        field::known(field, field.side_of(unit).other()).all(far) && space::has_room(field, unit, *pose, formation)
    };
    places.filter(|at| *at >= least && *at <= most).map(pose).find(clear)
}

/// Carries it out.
pub fn execute(umpire: &mut Umpire<'_, Days>, given: Given) {
    let Some((side, order)) = single(given) else { return };
    if let Some(Phase::Moving(moving)) = umpire.phase() {
        moving.orders = moving.orders.saturating_add(1);
        moving.done |= order == Order::Pass;
    }
    match &order {
        Order::March { unit, steps, crest } => carry::march(umpire, *unit, steps, *crest),
        Order::ForcedMarch { marches, .. } => forced::march(umpire, marches),
        Order::ToGround { unit } => lie_down(umpire, *unit),
        Order::Return { unit } => come_back(umpire, *unit),
        Order::Reveal { unit } => hidden::reveal(umpire, *unit),
        Order::Ride { .. } | Order::Join { .. } | Order::Attach { .. } => staff::execute(umpire, side, &order),
        Order::Screen { .. } | Order::Recall { .. } | Order::Man { .. } | Order::Regroup { .. } => {
            detachment::execute(umpire, side, &order);
        }
        Order::Work { .. } | Order::SearchFord { .. } => works::execute(umpire, side, &order),
        _ => {}
    }
}

/// A unit lies down: it keeps its formation, and this was its move.
fn lie_down(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let clause = by_book(umpire.state(), Clause::LyingDownByChoice, Clause::HaltedByFire);
    let whole = field::whole(umpire.state(), unit);
    umpire.announce(Event::own(clause, DaysEvent::ToGround { unit: whole, down: true }).also(by_book(
        umpire.state(),
        Clause::GettingUpAgain,
        Clause::HaltedByFire,
    )));
}

/// A unit that evaded off the table is back on its edge, and may move on from there.
fn come_back(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let Some(pose) = return_pose(umpire.state(), unit) else { return };
    let formation = field::formation(umpire.state(), unit);
    let placed = Deed::Placed { unit, pose, formation, hidden: false };
    umpire.announce(Event::new(Clause::EvadingOffTheTable, placed));
    umpire.announce(Event::own(Clause::EvadingOffTheTable, DaysEvent::EvadedOff { unit, off: None }));
    settle::moved(umpire, unit, pose);
}

/// A straight march towards a place, as far as a unit can afford: a wheel first where it has to turn. For candidates and
/// bots; none where nothing of the kind is legal.
pub fn suggest(field: &Field, unit: UnitId, towards: Vec2) -> Option<Vec<super::order::Step>> {
    use super::order::Step;
    use table::march::Leg;
    let pose = field.unit(unit).pose();
    let formation = field::formation(field, unit);
    let normal = super::evolution::allowance(field, unit, formation, field::is_mounted(field, unit));
    let turn = (Angle::of(towards - pose.at.vec()) - pose.facing).signed();
    let pivot = if turn < 0 { table::Flank::Left } else { table::Flank::Right };
    let far = Length::from_um(pose.at.vec().distance(towards))
        .min(normal + reach(super::evolution::pace(field, unit, formation).road));
    // Whole wheels first, then ever smaller ones; as far on as can be paid for.
    for share in [4, 2, 1, 0] {
        let wheel = Leg::Wheel { pivot, by: Angle::millidegrees(turn.abs() * share / 4) };
        for go in (0..=4).rev() {
            let ahead = Leg::Ahead(far * go / 4);
            let legs: Vec<Leg> =
                [(turn != 0 && share > 0).then_some(wheel), (go > 0).then_some(ahead)].into_iter().flatten().collect();
            let steps = vec![Step::March(legs.clone())];
            if !legs.is_empty() && is_lawful(field, unit, &steps) {
                return Some(steps);
            }
        }
    }
    None
}
