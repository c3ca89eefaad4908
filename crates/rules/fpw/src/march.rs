//! Marches: paths of units that obey, carried out with the enemy's fire in between. MARCH of section D, R26, R29 to R33,
//! R39, R43, R96, R97, R100.

use super::Fpw;
use super::clause::Clause;
use super::event::FpwEvent;
use super::field::{self, Field, bodies_at, facts, gap_between, is_there, known, reactive_range, soldiers, stands_at};
use super::fire::Reaction;
use super::firemove::Pullback;
use super::movement::{self, Plan};
use super::order::{Going, Occasion, Order, Step};
use super::sequence::Phase;
use super::unit::{Advance, Formation};
use super::{contact, generals, hidden, markers, sight};
use engine::{Deed, Event, Flow, Leaving, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};
use table::march::{Leg, Track};
use table::{Angle, Length, Pose, Quad, SLACK};

/// How finely a path is searched for the place where something comes near or in sight.
const LOOKS: u32 = 24;

/// Units on the move under one order, or one on its own initiative.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Marching {
    /// Whose.
    pub side: Side,
    /// What each does.
    pub steps: Vec<Step>,
    /// Which is going.
    pub at: usize,
    /// How far it has come.
    pub stage: Stage,
    /// Who has really moved.
    pub moved: Vec<UnitId>,
}

/// How far a move has come.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Stage {
    Going,
    /// Halted on the edge of the zone to be shot at; the rest of the path.
    Leaving {
        rest: Vec<Leg>,
    },
    /// All have moved and may be shot at.
    Moved,
    /// And may be pulled back.
    UnderFire,
}

/// Sets units on the march. No check is made: orders were checked, and blunders go where they must.
pub fn begin(umpire: &mut Umpire<'_, Fpw>, side: Side, steps: Vec<Step>) {
    let steps = in_turn(umpire.state(), steps);
    umpire.begin(Phase::March(Marching { side, steps, at: 0, stage: Stage::Going, moved: Vec::new() }));
}

/// The units of one order in the order they set off: nobody before those who still stand where he is going.
fn in_turn(field: &Field, mut steps: Vec<Step>) -> Vec<Step> {
    let mut sorted = Vec::with_capacity(steps.len());
    while steps.len() > 1 {
        let is_open = |step: &Step| {
            let end = Plan::of(field, step).bodies(field);
            let mut others = steps.iter().filter(|other| other.unit != step.unit);
            others.all(|other| !overlap(&end, &field::bodies(field, other.unit)))
        };
        let next = steps.iter().position(is_open).unwrap_or(0);
        sorted.push(steps.remove(next));
    }
    sorted.append(&mut steps);
    sorted
}

fn overlap(some: &[Quad], others: &[Quad]) -> bool {
    some.iter().any(|one| others.iter().any(|other| table::quads_overlap(one, other)))
}

/// The share of its path a unit really walks where a comrade of the same order was halted before it: it stops short of
/// him. Those who are still to set off are no obstacle.
fn behind_comrades(field: &Field, plan: &Plan, step: &Step, until: f64, to_come: &[UnitId]) -> f64 {
    let is_clear = |share: f64| {
        let pose = plan.track.at(share);
        let facing = step.facing.filter(|_| step.after).unwrap_or(pose.facing);
        let end = bodies_at(field, plan.unit, Pose { at: pose.at, facing }, plan.formation);
        movement::is_free_but(field, plan.unit, &end, to_come)
    };
    // tidy: allow(how finely room is looked for)
    let pause = (Length::whole_inches(1) / 4).as_f64() / plan.track.length().as_f64().max(1.0);
    let mut share = until;
    while share > 0.0 && !is_clear(share) {
        share = (share - pause).max(0.0);
    }
    share
}

/// Judges the paths of units that obey.
pub fn check(view: &View<'_, Fpw>, units: &[UnitId], going: Going, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let steps = match order {
        Order::Pass => return verdict,
        Order::March { moves } => moves.clone(),
        Order::Together { legs } => together(units, legs),
        _ => return Verdict::refused(Clause::UnitOrBrigade, "the question is which way the units go that obey"),
    };
    for (n, step) in steps.iter().enumerate() {
        if !units.contains(&step.unit) {
            verdict.refuse(Clause::LowEnoughActs, "this unit was not ordered, or does not obey").about(step.unit);
        }
        if steps.iter().skip(n + 1).any(|other| other.unit == step.unit) {
            verdict.refuse(Clause::MoveOnce, "a unit has one path").about(step.unit);
        }
    }
    if verdict.is_legal() {
        movement::check_steps(view, &steps, going, &mut verdict);
    }
    verdict
}

/// The same legs for every unit.
pub fn together(units: &[UnitId], legs: &[Leg]) -> Vec<Step> {
    let step = |unit: &UnitId| Step { unit: *unit, formation: None, facing: None, after: false, legs: legs.to_vec() };
    units.iter().map(step).collect()
}

/// Sends the units off that obey.
pub fn execute(umpire: &mut Umpire<'_, Fpw>, units: &[UnitId], going: Going, order: Order) {
    umpire.end();
    let steps = match order {
        Order::March { moves } => moves,
        Order::Together { legs } => together(units, &legs),
        _ => return,
    };
    let Some(first) = steps.first() else { return };
    let side = umpire.state().side_of(first.unit);
    for step in &steps {
        // Only a march column that marches may be ordered to march again.
        let marches =
            matches!(going, Going::Move | Going::ByRoad) && field::formation(umpire.state(), step.unit).is_march();
        let used = FpwEvent::MoveUsed { unit: step.unit, halted: !marches };
        let clause = if marches { Clause::ThreeMarchOrders } else { Clause::MoveOnce };
        hidden::announce(umpire, step.unit, Event::own(clause, used));
    }
    begin(umpire, side, steps);
}

/// Carries the next piece of the march out.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, mut marching: Marching) -> Flow<Fpw> {
    match std::mem::replace(&mut marching.stage, Stage::Going) {
        Stage::Going => match marching.steps.get(marching.at).cloned() {
            Some(step) => go(umpire, marching, &step),
            None => {
                marching.stage = Stage::Moved;
                umpire.replace(Phase::March(marching));
            }
        },
        Stage::Leaving { rest } => {
            if let Some(step) = marching.steps.get(marching.at).cloned() {
                resume(umpire, &step, &rest);
            }
            next(umpire, marching);
        }
        Stage::Moved => {
            generals::make_room(umpire);
            let targets: Vec<UnitId> =
                marching.moved.iter().copied().filter(|unit| is_there(umpire.state(), *unit)).collect();
            let by = marching.side.other();
            marching.stage = Stage::UnderFire;
            umpire.replace(Phase::March(marching));
            umpire.begin(Phase::Reaction(Reaction { by, targets, occasion: Occasion::Moved }));
        }
        Stage::UnderFire => {
            umpire.replace(Phase::Pullback(Pullback { units: marching.moved }));
        }
    }
    Flow::Again
}

fn next(umpire: &mut Umpire<'_, Fpw>, mut marching: Marching) {
    marching.at += 1;
    marching.stage = Stage::Going;
    umpire.replace(Phase::March(marching));
}

/// Where a path is cut short, and whether somebody may shoot before it is done.
struct Course {
    /// The share of the track that is walked.
    until: f64,
    /// Halted in sight of the enemy (R33), or by a unit nobody knew of (R99).
    halted: bool,
    /// The share of the track at which leaving fire is due (R43, R100).
    leaving: Option<f64>,
}

fn go(umpire: &mut Umpire<'_, Fpw>, mut marching: Marching, step: &Step) {
    let unit = step.unit;
    if !is_there(umpire.state(), unit) {
        return next(umpire, marching);
    }
    marching.moved.push(unit);
    let plan = Plan::of(umpire.state(), step);
    if !step.after {
        reform(umpire, unit, plan.start, plan.on_the_way);
    }
    if !plan.moves() {
        if step.after {
            reform(umpire, unit, plan.end, plan.formation);
        }
        meet_scouts(umpire, unit, &plan.track);
        hidden::moved(umpire, unit);
        return next(umpire, marching);
    }
    let field = umpire.state();
    let within = sight::enemy_near(field, unit, reactive_range(field));
    let mut course = course(field, &plan, within);
    let to_come: Vec<UnitId> = marching.steps.iter().skip(marching.at + 1).map(|step| step.unit).collect();
    course.until = behind_comrades(field, &plan, step, course.until, &to_come);
    course.leaving = course.leaving.filter(|at| *at < course.until);
    // A march column that begins under the enemy's guns has this one move (R33).
    let threatened = || {
        let seen = sight::seen_enemies(field, unit, reactive_range(field));
        seen.iter().any(|(_, enemy)| !facts(field, *enemy).is_scout())
    };
    let spent = plan.on_the_way.is_march() && within && !soldiers(field, unit).turn.halted && threatened();
    let toward = goes_toward(field, &plan, course.until);
    let legs = cut(&step.legs, &plan.track, course.until);
    let first = course.leaving.map(|at| cut(&step.legs, &plan.track, at));
    let walked = first.clone().unwrap_or_else(|| legs.clone());
    let track = Track::plot(plan.start, field.footprint(unit, plan.on_the_way), &walked);
    let advance = Advance { from: plan.start, legs, within, toward };
    let record = FpwEvent::Advanced { unit, advance: Some(Box::new(advance)) };
    hidden::announce(umpire, unit, Event::own(Clause::UnderFire, record));
    walk(umpire, &plan, walked, course.leaving.unwrap_or(course.until));
    meet_scouts(umpire, unit, &track);
    if course.halted || spent {
        let event = Event::own(Clause::MarchHalts, FpwEvent::Halted { unit });
        hidden::announce(umpire, unit, event);
    }
    hidden::moved(umpire, unit);
    if let Some(at) = course.leaving {
        let rest = rest(&step.legs, &plan.track, at, course.until);
        marching.stage = Stage::Leaving { rest };
        let by = marching.side.other();
        umpire.replace(Phase::March(marching));
        let targets = vec![unit];
        umpire.begin(Phase::Reaction(Reaction { by, targets, occasion: Occasion::Leaving }));
        return;
    }
    if step.after {
        let pose = umpire.state().unit(unit).pose();
        let end = Pose { at: pose.at, facing: step.facing.unwrap_or(pose.facing) };
        reform(umpire, unit, end, plan.formation);
    }
    next(umpire, marching);
}

/// Finishes a move after leaving fire, unless the fire drove the unit off.
fn resume(umpire: &mut Umpire<'_, Fpw>, step: &Step, rest: &[Leg]) {
    let unit = step.unit;
    let field = umpire.state();
    // Withdrawing clears the record of the advance.
    if !is_there(field, unit) || soldiers(field, unit).turn.advance.is_none() {
        return;
    }
    let from = field.unit(unit).pose();
    let formation = field::formation(field, unit);
    let track = Track::plot(from, field.footprint(unit, formation), rest);
    let to = track.end();
    let deed = Deed::Moved { unit, to, path: rest.to_vec() };
    hidden::announce(umpire, unit, Event::new(Clause::LeavingFire, deed));
    generals::follow(umpire, unit, from, to);
    meet_scouts(umpire, unit, &track);
    if step.after {
        let end = Pose { at: to.at, facing: step.facing.unwrap_or(to.facing) };
        reform(umpire, unit, end, step.formation.unwrap_or(formation));
    }
    hidden::moved(umpire, unit);
}

/// Patrols the mover has come upon leave the table, and so does a patrol that has ridden into the enemy (scouting-f).
fn meet_scouts(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, track: &Track) {
    let field = umpire.state();
    if !facts(field, unit).is_scout() {
        return contact::scatter_scouts(umpire, unit, track);
    }
    let met = field::touching_enemies(field, unit).into_iter().any(|enemy| !facts(field, enemy).is_scout());
    if met {
        markers::remove(umpire, unit, Leaving::Spent, Clause::ScoutsLeave);
    }
}

/// Changes formation or facing on the spot, where it is a change.
pub fn reform(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, to: Pose, formation: Formation) {
    let piece = umpire.state().unit(unit);
    let (old, from) = (piece.body.formation, piece.pose());
    if old == formation && from == to {
        return;
    }
    let arm = facts(umpire.state(), unit).arm;
    let clause = match formation {
        _ if old == formation => arm.form_clause(),
        Formation::March => Clause::MarchColumn,
        Formation::Line => Clause::Line,
        Formation::Dense | Formation::Column => Clause::Dense,
        Formation::Limbered | Formation::Deployed => Clause::LimberingIsForm,
    };
    let event = Event::new(clause, Deed::Reformed { unit, formation, to })
        .also(arm.form_clause())
        .also(Clause::ReformOrder)
        .also(Clause::ThreeFormations);
    hidden::announce(umpire, unit, event);
    generals::follow(umpire, unit, from, to);
}

fn walk(umpire: &mut Umpire<'_, Fpw>, plan: &Plan, legs: Vec<Leg>, share: f64) {
    let field = umpire.state();
    let (unit, arm) = (plan.unit, facts(field, plan.unit).arm);
    let ground = movement::ground_of(field, plan.on_the_way, &plan.track);
    let dense = ground == field::Rough::Dense;
    let march = plan.on_the_way.is_march();
    let passes = !movement::passes_through(field, plan, &[]).is_empty();
    let from = field.unit(unit).pose();
    let to = plan.track.at(share);
    let event = Event::new(arm.pace_clause(), Deed::Moved { unit, to, path: legs })
        .also_if(arm.is_artillery(), if arm.is_mounted() { Clause::HorsePace } else { Clause::FootPace })
        .also_if(plan.forms, arm.form_clause())
        .also_if(!plan.forms, Clause::StraightAhead)
        .also_if(passes, Clause::FormHalves)
        .also_if(ground == field::Rough::Terrain || (dense && march), Clause::TerrainHalves)
        .also_if(dense && !march, Clause::DenseQuarters)
        .also_if(plan.by_road, Clause::MarchByRoad);
    hidden::announce(umpire, unit, event);
    generals::follow(umpire, unit, from, to);
}

/// Whether the end is nearer to the nearest known enemy than the start.
fn goes_toward(field: &Field, plan: &Plan, until: f64) -> bool {
    let enemies = |quads: &[Quad]| {
        known(field, field.side_of(plan.unit).other())
            .map(|(id, _)| gap_between(quads, &field::bodies(field, id)))
            .min()
            .unwrap_or(Length::MAX)
    };
    let at = |pose: Pose| bodies_at(field, plan.unit, pose, plan.on_the_way);
    enemies(&at(plan.track.at(until))) + SLACK < enemies(&at(plan.start))
}

fn course(field: &Field, plan: &Plan, within: bool) -> Course {
    let unit = plan.unit;
    let side = field.side_of(unit);
    let range = reactive_range(field);
    let march = plan.on_the_way.is_march();
    let mut course = Course { until: 1.0, halted: false, leaving: None };
    let reach = range + plan.track.length();
    let near = |id: &UnitId| !field::surely_beyond(field.unit(unit).quad(), field.unit(*id).quad(), reach);
    let enemies: Vec<UnitId> = field.present(side.other()).map(|(id, _)| id).filter(near).collect();
    if enemies.is_empty() {
        return course;
    }
    // A patrol rides on until it would spot even men under cover: what halts it must be uncovered by it.
    let spots = if facts(field, unit).is_scout() { field.charts().scouting.cover.value.0 } else { range };
    let is_near = |share: f64, id: UnitId| -> bool {
        let quads = bodies_at(field, unit, plan.track.at(share), plan.on_the_way);
        let reach = if field::is_hidden(field.unit(id)) { spots } else { range };
        gap_between(&quads, &field::bodies(field, id)) <= reach + SLACK
    };
    let at = |share: f64| stands_at(field, unit, plan.track.at(share), plan.on_the_way);
    let meets = |share: f64, id: UnitId| {
        is_near(share, id) && sight::sees_at(field, unit, &at(share), id, &field::stands(field, id))
    };
    let is_watched = |share: f64, id: UnitId| {
        is_near(share, id) && sight::sees_at(field, id, &field::stands(field, id), unit, &at(share))
    };
    for &id in &enemies {
        let concealed = field::is_hidden(field.unit(id));
        // A march column halts at whatever it sees; anybody halts at what he did not know was there.
        if (march && !within && !facts(field, id).is_scout()) || concealed {
            let found = first_share(|share| meets(share, id));
            if let Some(at) = found.filter(|at| *at < course.until) {
                course.until = at;
                course.halted = true;
            }
        }
    }
    if course.halted {
        return course;
    }
    for &id in enemies.iter().filter(|id| !field::is_hidden(field.unit(**id)) && !facts(field, **id).is_scout()) {
        let share = last_share(|share| is_watched(share, id)).filter(|at| *at < 1.0);
        course.leaving = match (course.leaving, share) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        };
    }
    course
}

/// The first share of a path at which something is so, to a thousandth of the path.
fn first_share(test: impl Fn(f64) -> bool) -> Option<f64> {
    let step = |n: u32| f64::from(n) / f64::from(LOOKS);
    let n = (0..=LOOKS).find(|n| test(step(*n)))?;
    if n == 0 {
        return Some(0.0);
    }
    let (mut not_yet, mut so) = (step(n - 1), step(n));
    for _ in 0..12 {
        let middle = (not_yet + so) * 0.5;
        if test(middle) { so = middle } else { not_yet = middle }
    }
    Some(so)
}

/// The last share of a path at which something is so; nothing where it is never so.
fn last_share(test: impl Fn(f64) -> bool) -> Option<f64> {
    first_share(|share| test(1.0 - share)).map(|share| 1.0 - share)
}

/// The legs up to a share of the track.
pub fn cut(legs: &[Leg], track: &Track, share: f64) -> Vec<Leg> {
    if share >= 1.0 {
        return legs.to_vec();
    }
    let mut left = track.length().as_f64() * share;
    let mut walked = Vec::new();
    for (leg, stage) in legs.iter().zip(track.stages()) {
        let length = stage.travelled.as_f64();
        if left >= length {
            walked.push(*leg);
            left -= length;
        } else {
            walked.extend(part(*leg, 0.0, left / length));
            break;
        }
    }
    walked
}

/// The legs between two shares of the track.
fn rest(legs: &[Leg], track: &Track, from: f64, to: f64) -> Vec<Leg> {
    let whole = track.length().as_f64();
    let (mut begin, end) = (whole * from, whole * to);
    let mut done = 0.0;
    let mut rest = Vec::new();
    for (leg, stage) in legs.iter().zip(track.stages()) {
        let length = stage.travelled.as_f64();
        let (here, there) = (done, done + length);
        done = there;
        if length <= 0.0 {
            if here > begin {
                rest.push(*leg);
            }
            continue;
        }
        if there <= begin || here >= end {
            continue;
        }
        let (a, b) = ((begin - here).max(0.0) / length, (end - here).min(length) / length);
        rest.extend(part(*leg, a, b));
        begin = begin.max(here);
    }
    rest
}

/// A piece of a leg.
fn part(leg: Leg, from: f64, to: f64) -> Option<Leg> {
    let share = to - from;
    if share >= 1.0 {
        return Some(leg);
    }
    let some = |length: Length| length.times(share);
    let turned = |by: Angle| Angle::millidegrees((f64::from(by.signed()) * share).round() as i32);
    match leg {
        _ if share <= 0.0 => None,
        Leg::Ahead(go) => Some(Leg::Ahead(some(go))),
        Leg::Back(go) => Some(Leg::Back(some(go))),
        Leg::Sideways(go) => Some(Leg::Sideways(some(go))),
        Leg::Oblique { by, go } => Some(Leg::Oblique { by, go: some(go) }),
        Leg::Wheel { pivot, by } => Some(Leg::Wheel { pivot, by: turned(by) }),
        Leg::Turn(by) => Some(Leg::Turn(turned(by))),
        // A flag that goes to a spot is cut short only by stopping on the way, which its pose tells.
        Leg::Straight(_) | Leg::About => None,
    }
}
