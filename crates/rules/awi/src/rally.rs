//! The Rally part: routers try to stand, pursuers try to halt. T1 of section D. R35, R37.

use super::Awi;
use super::clause::Clause;
use super::event::{AwiEvent, Cause};
use super::field::{Field, facts, flag, is_there, soldiers, troops};
use super::morale;
use super::order::{Decision, Order};
use super::rout;
use super::sequence::Phase;
use super::unit::Condition;
use engine::{Deed, Event, Flow, Side, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};
use table::{Angle, Pose};

/// The Rally part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rally {
    /// Whose it is.
    pub side: Side,
    /// Where it is.
    pub step: Step,
    /// Units still to be dealt with, in order.
    pub queue: Vec<UnitId>,
    /// A unit that has just rallied and is asked where it looks.
    pub rallied: Option<UnitId>,
}

/// Where the part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Step {
    Begin,
    Routers,
    Pursuers,
}

impl Rally {
    /// The beginning of a side's Rally.
    pub fn of(side: Side) -> Rally {
        Rally { side, step: Step::Begin, queue: Vec::new(), rallied: None }
    }
}

fn in_condition(field: &Field, side: Side, condition: Condition) -> Vec<UnitId> {
    troops(field, side).filter(|(id, _)| soldiers(field, *id).condition == condition).map(|(id, _)| id).collect()
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Awi>, mut rally: Rally) -> Flow<Awi> {
    let side = rally.side;
    if let Some(unit) = rally.rallied {
        return Flow::Ask(Who::One(side), Decision::RallyFacing { unit });
    }
    match rally.step {
        Step::Begin => {
            umpire.announce(Event::own(Clause::ChargeFallsShort, AwiEvent::Fresh { side }));
            rally.step = Step::Routers;
            rally.queue = in_condition(umpire.state(), side, Condition::Routing);
            let units = rally.queue.clone();
            umpire.replace(Phase::Rally(rally));
            if units.len() > 1 {
                return Flow::Ask(Who::One(side), Decision::RallyOrder { units });
            }
        }
        Step::Routers if rally.queue.is_empty() => {
            rally.step = Step::Pursuers;
            rally.queue = in_condition(umpire.state(), side, Condition::Pursuing);
            umpire.replace(Phase::Rally(rally));
        }
        Step::Routers => {
            let unit = rally.queue.remove(0);
            umpire.replace(Phase::Rally(rally));
            if is_there(umpire.state(), unit) {
                try_to_rally(umpire, unit);
            }
        }
        Step::Pursuers => {
            let Some(&unit) = rally.queue.first() else { return Flow::Done };
            let still =
                is_there(umpire.state(), unit) && soldiers(umpire.state(), unit).condition == Condition::Pursuing;
            if still {
                return Flow::Ask(Who::One(side), Decision::Pursuer { unit });
            }
            rally.queue.remove(0);
            umpire.replace(Phase::Rally(rally));
        }
    }
    Flow::Again
}

fn try_to_rally(umpire: &mut Umpire<'_, Awi>, unit: UnitId) {
    if morale::test(umpire, unit, Cause::Rally) {
        let steady = AwiEvent::Condition { unit, to: Condition::Steady, quarry: None };
        umpire.announce(Event::own(Clause::TestToRally, steady));
        if let Some(Phase::Rally(rally)) = umpire.phase() {
            rally.rallied = Some(unit);
        }
    } else {
        rout::run(umpire, unit, Clause::TestToRally);
    }
}

/// Judges answers of this part.
pub fn check(decision: &Decision, order: &Order) -> Verdict {
    match (decision, order) {
        (_, Order::Pass) => Verdict::fine(),
        (Decision::RallyOrder { units }, Order::Sequence { units: chosen }) => {
            let mut sorted = chosen.clone();
            sorted.sort();
            if sorted == *units {
                Verdict::fine()
            } else {
                Verdict::refused(Clause::TestToRally, "name every routing unit once")
            }
        }
        (Decision::RallyFacing { .. }, Order::Face { .. }) => Verdict::fine(),
        (Decision::Pursuer { .. }, Order::TryHalt | Order::GoOn) => Verdict::fine(),
        (Decision::RallyOrder { .. }, _) => {
            Verdict::refused(Clause::TestToRally, "the question is in which order your routers try to rally")
        }
        (Decision::RallyFacing { .. }, _) => {
            Verdict::refused(Clause::TestToRally, "the question is where the unit looks")
        }
        _ => Verdict::refused(Clause::PursuerStops, "the question is whether the pursuer tries to halt"),
    }
}

/// Carries answers of this part out.
pub fn execute(umpire: &mut Umpire<'_, Awi>, decision: &Decision, order: Order) {
    let Some(Phase::Rally(mut rally)) = umpire.top() else { return umpire.fault("a rally outside its part") };
    match (decision, order) {
        (Decision::RallyOrder { .. }, Order::Sequence { units }) => {
            rally.queue = units;
            umpire.replace(Phase::Rally(rally));
        }
        (Decision::RallyOrder { .. }, _) => {}
        (Decision::RallyFacing { unit }, order) => {
            rally.rallied = None;
            umpire.replace(Phase::Rally(rally));
            let facing = match order {
                Order::Face { facing } => facing,
                _ => toward_nearest_enemy(umpire.state(), *unit),
            };
            face(umpire, *unit, facing);
        }
        (Decision::Pursuer { unit }, order) => {
            rally.queue.retain(|other| other != unit);
            umpire.replace(Phase::Rally(rally));
            if order == Order::GoOn || !morale::test(umpire, *unit, Cause::HaltPursuit) {
                rout::ride_on(umpire, *unit);
            } else {
                let steady = AwiEvent::Condition { unit: *unit, to: Condition::Steady, quarry: None };
                umpire.announce(Event::own(Clause::TestToRally, steady));
            }
        }
        _ => {}
    }
}

/// Where a rallied unit looks unless told otherwise.
pub fn toward_nearest_enemy(field: &Field, unit: UnitId) -> Angle {
    let here = flag(field, unit);
    troops(field, field.side_of(unit).other())
        .map(|(id, _)| flag(field, id))
        .min_by(|a, b| a.distance(here).total_cmp(&b.distance(here)))
        .map_or(field.unit(unit).pose().facing, |enemy| Angle::of(enemy - here))
}

fn face(umpire: &mut Umpire<'_, Awi>, unit: UnitId, facing: Angle) {
    let to = faced(umpire.state(), unit, facing);
    umpire.announce(Event::new(Clause::TestToRally, Deed::Moved { unit, to, path: Vec::new() }));
    super::officers::make_room(umpire);
}

/// A rallied unit takes its facing about its centre, so that it stays where it ran to; where there is no room it turns
/// as far as an about-turn allows, which always fits.
pub fn faced(field: &Field, unit: UnitId, facing: Angle) -> Pose {
    let (pose, formation) = (field.unit(unit).pose(), field.unit(unit).body.formation);
    let size = facts(field, unit).footprint(formation);
    let centre = size.quad(pose).centre;
    let turned = Pose { at: table::Point::from_vec(centre + facing.unit() * (size.depth.as_f64() * 0.5)), facing };
    let touches_enemy = |pose: Pose| {
        let quad = size.quad(pose);
        troops(field, field.side_of(unit).other()).any(|(_, enemy)| table::quads_touch(&quad, enemy.quad()))
    };
    let about = pose.about(size.depth);
    if super::programme::fits(field, unit, &size.quad(turned)) && !touches_enemy(turned) {
        turned
    } else if about.facing.apart(facing) < pose.facing.apart(facing) {
        about
    } else {
        pose
    }
}
