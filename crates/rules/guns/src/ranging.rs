//! P2: markers for indirect fire, observers and their sight, new observers (R67). What a marked battery does in P6 is
//! worked out here too: see [`strike`].

use super::Guns;
use super::clause::Clause;
use super::event::{GunsEvent, Manner};
use super::field::{Field, distance, facts, is_deployed, is_there, present, troops};
use super::nearby::Nearby;
use super::order::{Decision, Marking, Order};
use super::sequence::{Given, Phase, ask};
use super::shooting::judgement::{self, Reasons, is_known, is_own, reasons, spared};
use super::unit::{Observer, Registration};
use super::{artillery, blast, hidden, sight, zone};
use engine::verdict::Mark;
use engine::{BySide, Event, Flow, Side, Umpire, UnitId, Verdict, View};
use table::{Point, SLACK};

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>, asked: bool) -> Flow<Guns> {
    if asked {
        return Flow::Done;
    }
    forget(umpire);
    replace_observers(umpire);
    umpire.replace(Phase::Ranging { asked: true });
    let field = umpire.state();
    let choice = BySide([Side::A, Side::B].map(|side| has_target(field, side)));
    ask(choice, Decision::Mark).unwrap_or(Flow::Done)
}

fn has_target(field: &Field, side: Side) -> bool {
    let mut batteries = present(field, side).filter(|(id, _)| silence(field, *id).is_empty()).peekable();
    if batteries.peek().is_none() {
        return false;
    }
    let enemies = Nearby::known(field, side.other());
    batteries.any(|(id, _)| fair_game(field, id, &enemies).next().is_some())
}

/// Guns that have moved, or whose target is gone, have to range afresh.
pub fn forget(umpire: &mut Umpire<'_, Guns>) {
    let stale = |field: &Field, id: UnitId| {
        let own = troops(field, id);
        let moved = !is_deployed(field, id) || own.bound.moved;
        own.registration.as_ref().is_some_and(|registration| moved || !is_there(field, registration.at))
    };
    let field = umpire.state();
    let batteries: Vec<UnitId> = field.units().map(|(id, _)| id).filter(|id| stale(field, *id)).collect();
    for battery in batteries {
        let event = GunsEvent::Registered { battery, registration: None };
        hidden::announce(umpire, battery, Event::own(Clause::RangeAfresh, event));
    }
}

/// A successor for every observer overrun long enough ago, beside his battery.
fn replace_observers(umpire: &mut Umpire<'_, Guns>) {
    let field = umpire.state();
    let due = |id: &UnitId| {
        let lost = matches!(troops(field, *id).observer, Some(Observer::Lost { until }) if field.turn() >= until);
        lost && is_there(field, *id)
    };
    let batteries: Vec<UnitId> = field.units().map(|(id, _)| id).filter(due).collect();
    for battery in batteries {
        let at = beside(umpire.state(), battery);
        let event = GunsEvent::ObserverMoved { battery, observer: Some(Observer::At(at)) };
        let event = Event::own(Clause::NewObserver, event).also(Clause::ObserverCounter);
        hidden::announce(umpire, battery, event);
    }
}

/// Behind the guns and touching them; the counter is half an element wide.
fn beside(field: &Field, battery: UnitId) -> Point {
    let (unit, facts) = (field.unit(battery), facts(field, battery));
    let back = facts.element.depth + facts.element.depth.half().half();
    let place = unit.pose().ahead(-back).at;
    if field.ground().bounds().contains(place.vec()) { place } else { unit.pose().at }
}

/// Why a battery cannot be told to fire in an arc.
pub fn silence(field: &Field, battery: UnitId) -> Reasons {
    let (facts, own) = (facts(field, battery), troops(field, battery));
    if !facts.indirect || !facts.is_battery() || !facts.weapon.artillery {
        return reasons(&[(true, Clause::IndirectByPeriod, "it does not know indirect fire")]);
    }
    let mut all = judgement::silence(field, battery);
    all.extend(reasons(&[
        (!is_deployed(field, battery), Clause::GunCycle, "its guns are not in battery"),
        (own.guns == 0, Clause::GunsCounted, "none of its guns is served"),
        (own.observer.is_none(), Clause::ObserverNeeded, "it has no observer on the table"),
        (matches!(own.observer, Some(Observer::Lost { .. })), Clause::NewObserver, "its observer was overrun"),
    ]));
    all
}

/// Where a battery's observer stands.
fn observer(field: &Field, battery: UnitId) -> Option<Point> {
    match troops(field, battery).observer {
        Some(Observer::At(point)) => Some(point),
        _ => None,
    }
}

/// Whether a battery's observer sees a target.
pub fn observed(field: &Field, battery: UnitId, target: UnitId) -> bool {
    observer(field, battery).is_some_and(|point| sight::sees_unit(field, &[point.vec()], None, target, false))
}

/// The middle of a target, where a marker is laid.
pub fn middle(field: &Field, target: UnitId) -> Point {
    let held = zone::garrison(field, target).map(|(_, quad)| quad.centre);
    Point::from_vec(held.unwrap_or(field.unit(target).quad().centre))
}

/// Whether a target is near enough to a marker for the guns to be laid on it.
fn is_ranged_on(field: &Field, target: UnitId, marker: Point) -> bool {
    middle(field, target).distance(marker) <= distance(field, &field.charts().indirect.rerange) + SLACK
}

fn fair_game<'f>(field: &'f Field, battery: UnitId, enemies: &'f Nearby) -> impl Iterator<Item = UnitId> + use<'f> {
    let near = enemies.around(field.unit(battery).quad(), zone::farthest_over_heads(field, battery));
    near.map(|(id, _)| id).filter(move |id| {
        spared(field, battery, *id).is_empty()
            && zone::over_heads(field, battery, *id).is_some()
            && observed(field, battery, *id)
    })
}

/// Enemies a battery may be told to fire at indirectly.
pub fn targets(field: &Field, battery: UnitId) -> Vec<UnitId> {
    if !silence(field, battery).is_empty() {
        return Vec::new();
    }
    let enemies = Nearby::known(field, field.side_of(battery).other());
    let mut found: Vec<UnitId> = fair_game(field, battery, &enemies).collect();
    found.sort_unstable();
    found
}

/// Every battery of a side that may be told to fire indirectly, with the enemies each may be told to fire at.
pub fn shots(field: &Field, side: Side) -> Vec<(UnitId, Vec<UnitId>)> {
    let enemies = Nearby::known(field, side.other());
    let able = present(field, side).map(|(id, _)| id).filter(|id| silence(field, *id).is_empty());
    let with_targets = able.map(|id| {
        let mut found: Vec<UnitId> = fair_game(field, id, &enemies).collect();
        found.sort_unstable();
        (id, found)
    });
    with_targets.filter(|(_, found)| !found.is_empty()).collect()
}

/// Judges markers and patterns.
pub fn check(view: &View<'_, Guns>, side: Side, order: &Order) -> Verdict {
    let field: &Field = view;
    let mut verdict = Verdict::fine();
    let shots = match order {
        Order::Pass => return verdict,
        Order::Mark { shots } => shots,
        _ => return Verdict::refused(Clause::RangingSecond, "the question is what the guns range on"),
    };
    for (n, shot) in shots.iter().enumerate() {
        let battery = shot.battery;
        if !is_own(field, side, battery) {
            verdict.refuse(Clause::ObserverNeeded, "whoever fires must be a battery of yours on the table");
            continue;
        }
        if shots[..n].iter().any(|other| other.battery == battery) {
            verdict.refuse(Clause::OneCalculation, "it is told to fire two times").about(battery);
            continue;
        }
        let silence = silence(field, battery);
        for (clause, text) in &silence {
            verdict.refuse(*clause, *text).about(battery);
        }
        if silence.is_empty() {
            check_target(field, shot, &mut verdict);
            check_pattern(field, shot, &mut verdict);
        }
    }
    verdict
}

fn check_target(field: &Field, shot: &Marking, verdict: &mut Verdict) {
    let (battery, at) = (shot.battery, shot.at);
    if !is_known(field, at) {
        verdict.refuse(Clause::EnemyInZone, "there is no such target").about(battery);
        return;
    }
    let spared = spared(field, battery, at);
    for (clause, text) in &spared {
        verdict.refuse(*clause, *text).about(battery);
    }
    if !spared.is_empty() {
        return;
    }
    let line = |from: Point| Mark::Line(from, middle(field, at));
    if zone::over_heads(field, battery, at).is_none() {
        let text = "the target is outside the traverse of the guns or beyond their extreme range";
        verdict.refuse(Clause::BatteryTraverse, text).about(battery).at(line(field.unit(battery).pose().at));
    }
    if !observed(field, battery, at) {
        let note = verdict.refuse(Clause::ObserverNeeded, "the observer does not see the target").about(battery);
        if let Some(from) = observer(field, battery) {
            note.at(line(from));
        }
    }
    if let Some(point) = shot.point.filter(|point| !is_ranged_on(field, at, *point)) {
        let text = "the marker lies too far from the target for the guns to find it";
        verdict.refuse(Clause::RangeAfresh, text).about(battery).at(Mark::Spot(point));
    }
}

fn check_pattern(field: &Field, shot: &Marking, verdict: &mut Verdict) {
    if shot.blocks.is_empty() || !is_known(field, shot.at) || !is_there(field, shot.at) {
        return;
    }
    let guns = usize::from(troops(field, shot.battery).guns);
    if shot.blocks.len() != guns {
        let text = format!("{} blocks are laid and {guns} guns are served", shot.blocks.len());
        verdict.refuse(Clause::BlockPerGun, text).about(shot.battery);
    }
    if shot.blocks.len() <= usize::from(u8::MAX) && !blast::is_joined(&shot.blocks) {
        let text = "every block must be joined to the marker's by a full face";
        verdict.refuse(Clause::BlocksJoin, text).about(shot.battery);
    }
    let point = shot.point.unwrap_or_else(|| middle(field, shot.at));
    let area = blast::blocks(field, shot.battery, point, &shot.blocks);
    if let Some(out) = area.iter().find(|block| !blast::in_reach(field, shot.battery, block)) {
        let spot = Mark::Spot(Point::from_vec(out.centre));
        verdict.refuse(Clause::BlockPerGun, "a block lies beyond extreme range").about(shot.battery).at(spot);
    }
}

/// Lays them.
pub fn execute(umpire: &mut Umpire<'_, Guns>, given: Given) {
    for order in given.0.into_iter().flatten() {
        let Order::Mark { mut shots } = order else { continue };
        shots.sort_by_key(|shot| shot.battery);
        for shot in shots {
            mark(umpire, shot);
        }
    }
}

fn mark(umpire: &mut Umpire<'_, Guns>, shot: Marking) {
    let field = umpire.state();
    if !is_there(field, shot.battery) || !is_there(field, shot.at) {
        return;
    }
    let before = troops(field, shot.battery).registration.as_deref().filter(|before| before.at == shot.at);
    let holds = |before: &&Registration| {
        let same_point = shot.point.is_none_or(|point| point == before.point);
        before.ranged && same_point && is_ranged_on(field, shot.at, before.point)
    };
    let kept = before.filter(holds).map(|before| before.point);
    let clause = match (kept, before) {
        (Some(_), _) => Clause::RangedFire,
        (None, Some(_)) => Clause::RangeAfresh,
        (None, None) => Clause::FirstBoundRanging,
    };
    let blocks = if shot.blocks.is_empty() { blast::usual_pattern(field, shot.battery) } else { shot.blocks };
    let registration = Registration {
        at: shot.at,
        point: kept.or(shot.point).unwrap_or_else(|| middle(field, shot.at)),
        ranged: kept.is_some(),
        marked: true,
        blocks,
    };
    let event = GunsEvent::Registered { battery: shot.battery, registration: Some(Box::new(registration)) };
    let event = Event::own(clause, event)
        .also(Clause::ObserverNeeded)
        .also(Clause::IndirectByPeriod)
        .also(Clause::BlockPerGun)
        .also(Clause::BlocksJoin);
    hidden::announce(umpire, shot.battery, event);
}

/// What a marked battery's fire comes to in P6.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strike {
    /// The battery.
    pub battery: UnitId,
    /// Whom it was marked for.
    pub at: UnitId,
    /// Where the middle of the area falls.
    pub point: Point,
    /// Its blocks within reach.
    pub blocks: Vec<(i8, i8)>,
    /// Ranging, or fire on a target already ranged.
    pub manner: Manner,
    /// What the battery is ranged on afterwards.
    pub after: Option<Registration>,
}

/// The indirect fire a battery was marked for, as everything stands now; nothing where it cannot be given (R67).
pub fn strike(field: &Field, battery: UnitId) -> Option<Strike> {
    let marked = troops(field, battery).registration.as_deref().filter(|registration| registration.marked)?;
    if !artillery::silence(field, battery).is_empty() || !is_there(field, marked.at) {
        return None;
    }
    observer(field, battery)?;
    let target = middle(field, marked.at);
    let near = is_ranged_on(field, marked.at, marked.point);
    // What was never ranged and has run away leaves the guns firing at the marker, and nothing is learnt.
    let lost = !marked.ranged && !near;
    let open = zone::over_heads(field, battery, marked.at).is_some() && observed(field, battery, marked.at);
    if !lost && !open {
        return None;
    }
    let point = if lost { marked.point } else { target };
    let blocks = in_reach(field, battery, point, &marked.blocks);
    if blocks.is_empty() {
        return None;
    }
    let manner = if marked.ranged && near { Manner::Indirect } else { Manner::Ranging };
    let registered_at = if near { marked.point } else { target };
    let after = Registration { point: registered_at, ranged: true, ..marked.clone() };
    Some(Strike { battery, at: marked.at, point, blocks, manner, after: (!lost).then_some(after) })
}

/// The blocks of a pattern that a battery can reach: one for each gun, none beyond extreme range.
fn in_reach(field: &Field, battery: UnitId, point: Point, pattern: &[(i8, i8)]) -> Vec<(i8, i8)> {
    let guns = usize::from(troops(field, battery).guns);
    let pattern = &pattern[..pattern.len().min(guns)];
    let area = blast::blocks(field, battery, point, pattern);
    let reached = area.iter().map(|block| blast::in_reach(field, battery, block));
    pattern.iter().zip(reached).filter(|(_, reached)| *reached).map(|(block, _)| *block).collect()
}
