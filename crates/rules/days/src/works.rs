//! Engineers at work, fords looked for, woods found out, barricades. Sections 11, 15.4, 15.5, 15.8-b, 17.5.6, A-77, A-82
//! to A-84.

pub mod ford;
pub mod judge;
#[cfg(test)]
mod tests;

pub use ford::{along, find_woods};

use super::Days;
use super::charts::{count as figure, plain, reach};
use super::clause::Clause;
use super::event::{Barrier, DaysEvent, Doing, Span};
use super::field::{self, Field, is_there, stands, troops};
use super::hidden;
use super::order::Order;
use super::settings::Weight;
use super::unit::{Task, Work};
use engine::{Event, FeatureId, Reckoning, Side, Umpire, UnitId, Verdict, View};
use table::terrain::Feature;
use table::{Length, Point, Quad};

/// The features of the table with their numbers.
pub fn features(field: &Field) -> impl Iterator<Item = (FeatureId, &Feature)> {
    field.ground().numbered().map(|(id, feature)| (FeatureId(id.0), feature))
}

/// The feature with this number.
pub fn feature(field: &Field, id: FeatureId) -> Option<&Feature> {
    field.ground().features.get(usize::from(id.0))
}

/// Whether a piece of ground burns, or is built of wood.
pub fn is_wooden(field: &Field, id: FeatureId) -> bool {
    field.muster().scenario.natures.get(usize::from(id.0)).is_some_and(|nature| nature.wooden)
}

/// Judges `Work` and `SearchFord`.
pub fn check(view: &View<'_, Days>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Work { unit, task } => judge::work(view, side, *unit, task, &mut verdict),
        Order::SearchFord { unit, river } => ford::judge(view, side, *unit, *river, &mut verdict),
        _ => drop(verdict.refuse(Clause::MiningABridge, "this is no work")),
    }
    verdict
}

/// Carries them out: work is entered; it is counted at the end of the Movement Phase.
pub fn execute(umpire: &mut Umpire<'_, Days>, side: Side, order: &Order) {
    match order {
        Order::Work { unit, task } if judge::is_own(umpire.state(), side, *unit) => enter(umpire, *unit, task),
        Order::SearchFord { unit, river } if judge::is_own(umpire.state(), side, *unit) => {
            ford::search(umpire, *unit, *river);
        }
        _ => {}
    }
}

/// The clause a piece of work is done under.
const fn clause_of(task: &Task) -> Clause {
    match task {
        Task::Demolish { .. } | Task::Sever { .. } => Clause::MiningABridge,
        Task::Clear { .. } | Task::Breach { .. } => Clause::OpeningAnObstacle,
        Task::Bridge { .. } => Clause::BuildingAPontoonBridge,
        Task::Barricade => Clause::ThrowingUpBarricades,
    }
}

/// How many Movement Phases it takes.
pub fn phases_for(field: &Field, task: &Task) -> u32 {
    let work = &field.charts().work;
    figure(match task {
        // Boats are a wooden bridge.
        Task::Sever { .. } => work.wooden_bridge,
        Task::Demolish { bridge } if is_wooden(field, *bridge) => work.wooden_bridge,
        Task::Demolish { .. } => work.stone_bridge,
        Task::Clear { .. } | Task::Breach { .. } => work.clear,
        Task::Bridge { .. } => work.pontoon,
        Task::Barricade => work.barricade,
    })
}

fn enter(umpire: &mut Umpire<'_, Days>, unit: UnitId, task: &Task) {
    let before = troops(umpire.state(), unit).work.as_ref().filter(|work| work.task == *task);
    let phases = before.map_or(0, |work| work.phases);
    put_down(umpire, unit, Some(Work { task: task.clone(), phases }), clause_of(task));
    let mut hands = vec![unit];
    if let Task::Bridge { hands: lent, .. } = task {
        hands.extend(lent);
    }
    for one in hands {
        let did = Event::own(clause_of(task), DaysEvent::Did { unit: one, doing: Doing::Worked });
        hidden::announce(umpire, one, did);
    }
}

fn put_down(umpire: &mut Umpire<'_, Days>, unit: UnitId, work: Option<Work>, clause: Clause) {
    let event = Event::own(clause, DaysEvent::Works { unit, work: work.map(Box::new) });
    hidden::announce(umpire, unit, event);
}

/// Whether a unit has done nothing else this turn that interrupts work.
pub fn is_idle(field: &Field, unit: UnitId) -> bool {
    let own = troops(field, unit);
    let turn = &own.turn;
    let acted = turn.moved || turn.reformed || turn.fired > 0 || turn.tried_charge || turn.charged || turn.evaded;
    let fought = turn.fought || turn.pushed || turn.rallied || turn.passed_lines || turn.forced || turn.screened;
    let ran = turn.routed > Length::ZERO || field::is_routing(field, unit);
    let engaged = own.charge.is_some() || !own.contact.is_empty();
    is_there(field, unit) && !acted && !fought && !ran && !engaged && !turn.searched
}

/// Everybody at work, in roster order.
fn workers(field: &Field) -> Vec<(UnitId, Work)> {
    field.units().filter_map(|(id, unit)| Some((id, *unit.own.work.clone()?))).collect()
}

/// 4.13: counts a phase for everybody at work who did nothing else, and finishes what is done.
pub fn count_phases(umpire: &mut Umpire<'_, Days>) {
    for (unit, work) in workers(umpire.state()) {
        let clause = clause_of(&work.task);
        if !is_idle(umpire.state(), unit) || !judge::can_go_on(umpire.state(), unit, &work.task) {
            put_down(umpire, unit, None, clause);
            continue;
        }
        let phases = work.phases.saturating_add(1);
        if u32::from(phases) < phases_for(umpire.state(), &work.task) {
            put_down(umpire, unit, Some(Work { task: work.task, phases }), clause);
        } else {
            finish(umpire, unit, &work.task);
            let done = DaysEvent::WorkDone { unit, task: work.task };
            hidden::announce(umpire, unit, Event::own(clause, done));
            put_down(umpire, unit, None, clause);
        }
    }
}

/// The turn ends: whoever fought or ran in the Close Assault Phase has to begin again.
pub fn interrupt(umpire: &mut Umpire<'_, Days>) {
    for (unit, work) in workers(umpire.state()) {
        if !is_idle(umpire.state(), unit) {
            put_down(umpire, unit, None, clause_of(&work.task));
        }
    }
}

fn finish(umpire: &mut Umpire<'_, Days>, unit: UnitId, task: &Task) {
    match task {
        Task::Demolish { bridge } => {
            let bridge = *bridge;
            blow_up(umpire, unit, |fell| DaysEvent::BridgeMined { bridge, fell });
        }
        Task::Sever { at } => {
            if let Some(span) = span_at(umpire.state(), *at) {
                blow_up(umpire, unit, |fell| DaysEvent::SpanMined { span: span as u16, fell });
            }
        }
        Task::Breach { at } => {
            if let Some(barrier) = barrier_at(umpire.state(), *at) {
                let happens = DaysEvent::Breached { barrier: barrier as u16, at: *at };
                umpire.announce(Event::own(Clause::OpeningAnObstacle, happens));
            }
        }
        Task::Clear { obstacle, at } => {
            let happens = DaysEvent::GapCleared { obstacle: *obstacle, at: *at };
            umpire.announce(Event::own(Clause::OpeningAnObstacle, happens));
        }
        Task::Bridge { water, at, to, .. } => {
            let field = umpire.state();
            let length = at.distance(*to);
            let left = (troops(field, unit).pontoons - length).max(Length::ZERO);
            let span = Span { water: *water, from: *at, to: *to, mined: false };
            let happens = DaysEvent::SpanLaid { span, party: unit, left };
            umpire.announce(Event::own(Clause::BuildingAPontoonBridge, happens));
        }
        Task::Barricade => {
            for (from, to) in fronts(umpire.state(), unit) {
                let barrier = Barrier { from, to, weight: Weight::Light, wooden: true };
                let event = Event::own(Clause::ThrowingUpBarricades, DaysEvent::Raised { barrier });
                umpire.announce(event.also(Clause::SizeOfABarricade).also(Clause::TwoTurnsToBuild));
            }
        }
    }
}

/// The charge is fired; whether the span goes or not, nobody tries again (days.11-d, -e).
fn blow_up(umpire: &mut Umpire<'_, Days>, unit: UnitId, happens: impl Fn(bool) -> DaysEvent) {
    let (pool, need) = (umpire.charts().test.dice.value.0, plain(umpire.charts().work.bridge_falls));
    let side = umpire.state().side_of(unit);
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::DoesTheBridgeGo, "falls from", need);
    let roll = umpire.roll(pool, side);
    let fell = roll.total() >= need.value;
    let event = Event::own(Clause::DoesTheBridgeGo, happens(fell));
    let event = event.also(Clause::MiningABridge).also(Clause::OneTryAtEachBridge);
    umpire.announce(event.rolled(roll).because(reckoning));
}

/// The barricade or bought works that run past a place, near enough to be cleared there.
pub fn barrier_at(field: &Field, at: Point) -> Option<usize> {
    let near = reach(field.charts().work.clear_width).half().as_f64();
    let apart = |barrier: &Barrier| table::convex::distance(&[barrier.from.vec(), barrier.to.vec()], at.vec());
    let all = field.ledger().barriers.iter().enumerate().map(|(no, barrier)| (apart(barrier), no));
    all.filter(|(apart, _)| *apart <= near).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, no)| no)
}

/// The span of boats at a place.
pub fn span_at(field: &Field, at: Point) -> Option<usize> {
    let near = reach(field.charts().work.pontoon_width).half().as_f64() + table::SLACK.as_f64();
    let apart = |span: &Span| table::convex::distance(&[span.from.vec(), span.to.vec()], at.vec());
    let all = field.ledger().spans.iter().enumerate().map(|(no, span)| (apart(span), no));
    all.filter(|(apart, _)| *apart <= near).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, no)| no)
}

/// The front of a line: one stretch where it is straight, one for each stand where it is bent.
fn fronts(field: &Field, unit: UnitId) -> Vec<(Point, Point)> {
    let quads = stands(field, unit);
    let ends = |quad: &Quad| (Point::from_vec(quad.corners[0]), Point::from_vec(quad.corners[1]));
    if field::formation(field, unit).is_bent() {
        return quads.iter().map(ends).collect();
    }
    match (quads.first(), quads.last()) {
        (Some(left), Some(right)) => vec![(ends(left).0, ends(right).1)],
        _ => Vec::new(),
    }
}

/// How near one has to be to what one works at: touching distance on the table, an inch.
fn at_hand(field: &Field) -> Length {
    reach(field.charts().constant.contact)
}
