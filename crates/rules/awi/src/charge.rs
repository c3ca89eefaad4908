//! Chapter 3b: charges, from the declaration to contact, with the fire that meets them (4b, 4c). R21 to R31, R54.

use super::Awi;
use super::charts::plain;
use super::clause::Clause;
use super::courier;
use super::event::{AwiEvent, Cause};
use super::field::{self, Field, facts, is_routing, is_there, sees_unit, soldiers, troops};
use super::fire::{self, Manner, Shot};
use super::morale::{self, Panic};
use super::movement;
use super::officers;
use super::order::{Decision, Order, Piece};
use super::sequence::Phase;
use super::support;
use super::unit::{Arm, Aspect, Attack, Class, Condition, Formation, Task};
use engine::{
    Cited, CommanderId, Deed, Event, Fixed, Flow, Leaving, Mark, Reckoning, Source, Step as Line, Umpire, UnitId,
    Verdict, View, Who,
};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::{Angle, Footprint, Length, Point, Pose, Quad, SLACK, Zone, quads_overlap, zone};

/// A charge in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Charge {
    pub unit: UnitId,
    pub at: UnitId,
    /// Officers riding along.
    pub with: SmallVec<[CommanderId; 1]>,
    /// Where it stood before it pivoted.
    pub from: Pose,
    /// Where it stands when the footprints touch.
    pub contact: Pose,
    pub step: Step,
    /// Hits scored on it so far.
    pub hits: u8,
    pub killed: SmallVec<[CommanderId; 2]>,
    /// Supporters already asked to fire.
    pub supported: Vec<UnitId>,
}

/// Where a charge is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Step {
    FellShort,
    Receive,
    Fire,
    Support,
    GoIn,
}

/// The straight line of a charge (R26): the pivoted pose, the first enemy on it and how far he is.
pub struct Path {
    /// The pose after the pivot.
    pub start: Pose,
    /// The first enemy met.
    pub meets: Option<(Length, UnitId)>,
}

/// The pose a charge starts from: turned on the flag toward the middle of the target, or along the bearing given.
pub fn pivoted(field: &Field, unit: UnitId, at: UnitId, bearing: Option<Angle>) -> Pose {
    let pose = field.unit(unit).pose();
    let toward = || Angle::of(field.unit(at).quad().centre - pose.at.vec());
    Pose { facing: bearing.unwrap_or_else(toward), ..pose }
}

/// The line a unit would charge along.
pub fn path(field: &Field, unit: UnitId, at: UnitId, bearing: Option<Angle>) -> Path {
    let start = pivoted(field, unit, at, bearing);
    let quad = footprint(field, unit).quad(start);
    let ahead = start.forward();
    // Nobody behind the nearest one found so far needs a second look.
    let meets = troops(field, field.side_of(unit).other()).fold(None, |best: Option<(Length, UnitId)>, (id, enemy)| {
        let most = best.map_or(Length::MAX, |(gap, _)| gap);
        let found = table::reach(&quad, ahead, most, enemy.quad()).map(|gap| (gap, id));
        match (best, found) {
            (Some(best), Some(found)) => Some(best.min(found)),
            (best, found) => found.or(best),
        }
    });
    Path { start, meets }
}

fn footprint(field: &Field, unit: UnitId) -> Footprint {
    field.footprint(unit, field.unit(unit).body.formation)
}

/// From which side an attack from a point strikes (R54).
pub fn aspect(field: &Field, target: UnitId, from: Point) -> Aspect {
    match zone(field.unit(target).pose(), footprint(field, target), from.vec()) {
        Zone::Front => Aspect::Front,
        Zone::Flank(_) => Aspect::Flank,
        Zone::Rear => Aspect::Rear,
    }
}

/// Judges a charge: everything but the reach, which nobody may measure.
pub fn check(
    view: &View<'_, Awi>,
    unit: UnitId,
    at: UnitId,
    bearing: Option<Angle>,
    with: &[CommanderId],
    verdict: &mut Verdict,
) {
    let field: &Field = view;
    if facts(field, unit).arm == Arm::Artillery {
        verdict.refuse(Clause::ChargeTest, "guns do not charge").about(unit);
        return;
    }
    if field.settings().column_restricted && field.unit(unit).body.formation == Formation::Column {
        verdict.refuse(Clause::FormationChange, "a column does not charge in this battle").about(unit);
    }
    if !is_there(field, at) || field.side_of(at) == field.side_of(unit) {
        verdict.refuse(Clause::ChargeTest, "the target is not an enemy on the table").about(at);
        return;
    }
    for &officer in with {
        if !officers::companions(field, unit).any(|id| id == officer) {
            verdict
                .refuse(Clause::BothLevels, "an officer rides along only with a unit of his that he touches")
                .about(unit);
        }
    }
    let path = path(field, unit, at, bearing);
    let line = Mark::Line(field.unit(unit).pose().at, field.unit(at).pose().at);
    let most = field.charts().charge.pivot.value.get();
    let pivot = Angle::whole(most);
    if path.start.facing.apart(field.unit(unit).pose().facing) > pivot {
        let text = format!("a charge turns at most {most}° before it goes straight");
        verdict.refuse(Clause::StraightCharge, text).about(unit).at(line.clone());
    }
    if !sees_unit(field, unit, at) {
        verdict.refuse(Clause::Amicable, "it does not see whom it is to charge").about(at).at(line.clone());
    }
    let Some((gap, _)) = path.meets else {
        verdict.refuse(Clause::StraightCharge, "the straight line does not meet an enemy").about(at).at(line);
        return;
    };
    let quad = footprint(field, unit).quad(path.start);
    for (id, friend) in troops(field, field.side_of(unit)).filter(|(id, _)| *id != unit) {
        if crosses(field.unit(unit).pose(), &quad, path.start, gap, friend.quad()) {
            let text = format!("{} stands across the line", field.card(id).name);
            verdict.refuse(Clause::StraightCharge, text).about(id).at(line.clone());
        }
    }
    let by = path.start.forward() * gap.as_f64();
    for feature in field.ground().features.iter().filter(|f| field::is_closed(f.kind, facts(field, unit).arm)) {
        if !feature.shape.overlaps_quad(&quad) && !feature.shape.sweep(&quad, by).is_empty() {
            verdict
                .refuse(Clause::StraightCharge, format!("the line crosses {}, which is impassable", feature.kind))
                .at(line.clone());
        }
    }
    courier::check_charge(field, unit, at, verdict);
}

/// Whether a friend stands between: neighbours in line, brushed only by the pivot, do not.
fn crosses(from: Pose, quad: &Quad, start: Pose, gap: Length, friend: &Quad) -> bool {
    // Most friends are nowhere near the line, which the reach tells at once.
    if table::reach(quad, start.forward(), gap, friend).is_none_or(|at| at + SLACK >= gap) {
        return false;
    }
    let ahead_of = |pose: Pose| friend.corners.iter().any(|corner| pose.to_local(*corner).y > SLACK.as_f64());
    let brushed = table::quads_touch(quad, friend) && !ahead_of(from);
    ahead_of(start) && !brushed
}

/// What the ground along a charge costs beyond its length (R28, R46).
pub struct Ground {
    woods: SmallVec<[(f64, f64); 4]>,
    /// Woods on the way that do not slow these troops.
    free_woods: bool,
    /// Places where a fixed price falls due, and the price.
    tolls: SmallVec<[(f64, Cited<Length>, Clause); 4]>,
    factor: Cited<i32>,
}

impl Ground {
    /// Looks along a line of this length.
    pub fn along(field: &Field, unit: UnitId, start: Pose, length: Length) -> Ground {
        let quad = footprint(field, unit).quad(start);
        let by = start.forward() * length.as_f64();
        let moves = &field.charts().r#move;
        let factor = plain(moves.woods_factor);
        let mut ground = Ground { woods: SmallVec::new(), free_woods: false, tolls: SmallVec::new(), factor };
        let mut bog: Option<f64> = None;
        for feature in &field.ground().features {
            let going = field::going(feature.kind);
            if matches!(
                going,
                field::Going::Open | field::Going::Road | field::Going::Crossing | field::Going::Impassable
            ) {
                continue;
            }
            let within = feature.shape.sweep(&quad, by);
            let Some(first) = within.first() else { continue };
            match going {
                field::Going::Woods if facts(field, unit).woods_free => ground.free_woods = true,
                field::Going::Woods => ground.woods.extend(within),
                field::Going::Difficult => bog = Some(bog.map_or(first.0, |known: f64| known.min(first.0))),
                field::Going::Obstacle | field::Going::Building if !feature.shape.overlaps_quad(&quad) => {
                    ground.tolls.push((first.0, moves.obstacle.map(|toll| toll.0), Clause::Obstacle));
                }
                _ => {}
            }
        }
        ground.tolls.extend(bog.map(|at| (at, moves.difficult.map(|toll| toll.0), Clause::DifficultGround)));
        ground
    }

    /// The price of the first part of the line, as a share of `length`.
    fn price(&self, share: f64, length: Length) -> Length {
        let tolls: Length = self.tolls.iter().filter(|toll| toll.0 < share).map(|toll| toll.1.value).sum();
        length.times(share) + self.woods_price(share, length) + tolls
    }

    /// What woods add to the first part of the line.
    fn woods_price(&self, share: f64, length: Length) -> Length {
        let woods: f64 = self.woods.iter().map(|(from, to)| (to.min(share) - from).max(0.0)).sum();
        length.times(woods) * (self.factor.value - 1)
    }

    /// The price of the whole line as a player reads it (C4).
    fn reckoning(&self, length: Length) -> Reckoning {
        let mut reckoning = Reckoning::new();
        movement::note(&mut reckoning, Clause::StraightCharge, "straight to the enemy", length, Source::Derived);
        let woods = self.woods_price(1.0, length);
        if woods > Length::ZERO {
            movement::note(&mut reckoning, Clause::Woods, "inches in woods, paid again", woods, self.factor.source);
        }
        for (_, toll, clause) in &self.tolls {
            let label = if *clause == Clause::Obstacle { "obstacle" } else { "difficult ground" };
            movement::note(&mut reckoning, *clause, label, toll.value, toll.source);
        }
        reckoning
    }

    /// How far along the line a distance pays for.
    pub fn affordable(&self, distance: Length, length: Length) -> Length {
        if self.price(1.0, length) <= distance + SLACK {
            return length;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = (low + high) * 0.5;
            if self.price(middle, length) <= distance { low = middle } else { high = middle }
        }
        length.times(low)
    }
}

/// How far a unit charges: figure or die (C3). Elite and Line know it beforehand.
pub fn certain_distance(field: &Field, unit: UnitId) -> Option<Cited<Length>> {
    if matches!(facts(field, unit).class, Class::Inferior | Class::Raw) {
        return None;
    }
    let (basic, _, _) = movement::basic(field, unit);
    let factor = field.charts().charge.factor;
    Some(Cited::new(basic.value * factor.value.get(), factor.source))
}

fn throw_distance(umpire: &mut Umpire<'_, Awi>, unit: UnitId) -> Length {
    let side = umpire.state().side_of(unit);
    let mut reckoning = Reckoning::new();
    let figure = |length: Length| Fixed((length.as_inches() * 100.0).round() as i32);
    if let Some(certain) = certain_distance(umpire.state(), unit) {
        let (label, step) = match umpire.charts().charge.factor.value.get() {
            2 => ("twice the basic move".into(), Line::Double),
            factor => (format!("{factor} times the basic move").into(), Line::Look),
        };
        reckoning.total = figure(certain.value);
        reckoning.line(Clause::SteadyChargeDistance.into(), label, step, figure(certain.value), certain.source);
        let event = AwiEvent::ChargeDistance { unit, distance: certain.value };
        umpire.announce(Event::own(Clause::SteadyChargeDistance, event).because(reckoning));
        return certain.value;
    }
    let factor = officers::charge_factor(umpire.state(), unit);
    let roll = umpire.roll(umpire.charts().charge.die.value.0, side);
    reckoning.add(Clause::ShakyChargeDistance, "die", Cited::derived(roll.total()));
    if let Some((rating, factor)) = factor {
        reckoning.add(rating.clause(), format!("{} brigade commander", rating.word()), factor);
    }
    let distance = Length::whole_inches(reckoning.whole()).max(Length::ZERO);
    let event = Event::own(Clause::ShakyChargeDistance, AwiEvent::ChargeDistance { unit, distance });
    umpire.announce(event.rolled(roll).because(reckoning));
    distance
}

/// C1 to C5: declaration, start test, distance, and whether it reaches.
pub fn declare(umpire: &mut Umpire<'_, Awi>, unit: UnitId, at: UnitId, bearing: Option<Angle>, with: Vec<CommanderId>) {
    let line = path(umpire.state(), unit, at, bearing);
    let declared = AwiEvent::ChargeDeclared { unit, at, bearing: line.start.facing };
    umpire
        .announce(Event::own(Clause::StraightCharge, declared).also(Clause::KindsOfMove).also(Clause::NoPremeasuring));
    if !morale::test(umpire, unit, Cause::Charge) {
        let raw = facts(umpire.state(), unit).class == Class::Raw;
        let event = Event::own(Clause::TestToCharge, AwiEvent::Task { unit, task: Task::Stuck });
        umpire.announce(event.also_if(raw, Clause::RawOneThing));
        return;
    }
    umpire.announce(Event::own(Clause::ChargeTest, AwiEvent::Task { unit, task: Task::Charged }));
    let distance = throw_distance(umpire, unit);
    let Some((gap, at)) = line.meets else { return umpire.fault("a charge at nothing") };
    let from = umpire.state().unit(unit).pose();
    let ground = Ground::along(umpire.state(), unit, line.start, gap);
    let reached = ground.affordable(distance, gap);
    let measured = AwiEvent::Measured { from: Piece::Unit(unit), to: Piece::Unit(at), distance: gap };
    let measured = Event::own(Clause::StraightCharge, measured).because(ground.reckoning(gap));
    umpire.announce(measured.also_if(ground.free_woods, Clause::Woods));
    let with: SmallVec<[CommanderId; 1]> = with.into_iter().collect();
    let contact = line.start.ahead(gap);
    let mut charge = Charge {
        unit,
        at,
        with,
        from,
        contact,
        step: Step::Receive,
        hits: 0,
        killed: SmallVec::new(),
        supported: Vec::new(),
    };
    if reached < gap {
        // It stops clear, even where only the last step was not paid for.
        let go = reached.min(gap - SLACK - SLACK).max(Length::ZERO);
        advance_body(umpire, unit, &charge.with, line.start.ahead(go), Clause::ChargeFallsShort);
        let measured = AwiEvent::FellShort { unit, at };
        umpire.announce(Event::own(Clause::ChargeFallsShort, measured).also(Clause::StraightCharge));
        let disorder = AwiEvent::Condition { unit, to: Condition::Disordered, quarry: None };
        umpire.announce(Event::own(Clause::ChargeFallsShort, disorder));
        charge.step = Step::FellShort;
    }
    umpire.begin(Phase::Charge(charge));
}

/// Moves the charger and whoever rides with it.
pub fn advance_body(umpire: &mut Umpire<'_, Awi>, unit: UnitId, with: &[CommanderId], to: Pose, clause: Clause) {
    let from = umpire.state().unit(unit).pose();
    umpire.announce(Event::new(clause, Deed::Moved { unit, to, path: Vec::new() }).also(Clause::StraightCharge));
    officers::take_along(umpire, with, from, to);
    officers::make_room(umpire);
    movement::tread_along(umpire, unit, from.at);
}

/// Turns the page of a charge.
pub fn advance(umpire: &mut Umpire<'_, Awi>, mut charge: Charge) -> Flow<Awi> {
    let (unit, at) = (charge.unit, charge.at);
    let passive = umpire.state().side_of(at);
    match charge.step {
        Step::FellShort => {
            umpire.end();
            let field = umpire.state();
            let able = is_there(field, at) && is_there(field, unit) && fire::can_answer(field, at);
            if able && fire::may_declare(field, at, unit, false) {
                umpire.begin(Phase::Offered { unit: at, at: unit });
            }
            Flow::Again
        }
        Step::Receive if is_routing(umpire.state(), at) => {
            umpire.end();
            umpire.announce(Event::new(Clause::Caught, Deed::Removed { unit: at, why: Leaving::Caught }));
            advance_body(umpire, unit, &charge.with, charge.contact, Clause::Caught);
            Flow::Again
        }
        Step::Receive => {
            if morale::test(umpire, at, Cause::Receive) {
                charge.step = Step::Fire;
                umpire.replace(Phase::Charge(charge));
            } else {
                umpire.replace(Phase::Panic(Panic::of_charged(at, unit, charge.contact, charge.with)));
            }
            Flow::Again
        }
        Step::Fire => {
            let contact = charge.contact;
            charge.step = Step::Support;
            umpire.replace(Phase::Charge(charge));
            if !fire::can_answer(umpire.state(), at) {
                return Flow::Again;
            }
            let grape = soldiers(umpire.state(), at).grape_left > 0 && fire::is_battery(umpire.state(), at);
            umpire.begin(Phase::Shot(Shot::of(Manner::Defensive, at, unit, false, Some(contact))));
            if grape {
                return Flow::Ask(Who::One(passive), Decision::DefensiveGrape { unit: at, at: unit });
            }
            Flow::Again
        }
        Step::Support => {
            let mut able = support::supporters(umpire.state(), unit, at, charge.from, charge.contact);
            able.retain(|id| !charge.supported.contains(id));
            if able.is_empty() {
                charge.step = Step::GoIn;
                umpire.replace(Phase::Charge(charge));
                return Flow::Again;
            }
            Flow::Ask(Who::One(passive), Decision::Support { charger: unit, target: at, able })
        }
        Step::GoIn => {
            umpire.end();
            go_in(umpire, charge);
            Flow::Again
        }
    }
}

/// C8 end and C9: marks off, then contact, then the tests for officers killed on the way.
fn go_in(umpire: &mut Umpire<'_, Awi>, charge: Charge) {
    fire::take_marks(umpire, charge.unit, charge.hits, Clause::FireDoesNotStopACharge);
    if is_there(umpire.state(), charge.unit) {
        let from = umpire.state().unit(charge.unit).pose();
        let counter = soldiers(umpire.state(), charge.at).condition == Condition::Disordered;
        close_in_from(umpire, charge.unit, charge.at, charge.contact, &charge.with, from);
        let field = umpire.state();
        let attack = Attack { on: charge.at, aspect: aspect(field, charge.at, charge.from.at), from: charge.from.at };
        let level = field.ground().level_at(charge.from.at.vec());
        let contact = AwiEvent::Contact { unit: charge.unit, attack, level, counter, by_pursuit: false };
        let event = Event::own(Clause::FireDoesNotStopACharge, contact).also(Clause::ChargeBonus);
        let event = event.also_if(counter, Clause::ChargingTheDisordered).also_if(counter, Clause::DisorderedIsOpen);
        umpire.announce(event);
    }
    let panic = Panic::of_fallen(umpire.state(), fallen(umpire.state(), &charge));
    if !panic.is_empty() {
        umpire.begin(Phase::Panic(panic));
    }
}

/// Officers killed by the fire that met a charge, with the place where each fell: a rider at the point of contact.
fn fallen(field: &Field, charge: &Charge) -> Vec<(CommanderId, Quad)> {
    let place = |officer: CommanderId| {
        let stand = field.muster().commander(officer).facts.stand;
        match charge.with.contains(&officer) {
            true => stand.quad(officers::carried(field, officer, charge.from, charge.contact)),
            false => *field.commander(officer).quad(),
        }
    };
    charge.killed.iter().map(|officer| (*officer, place(*officer))).collect()
}

/// Whether an officer rides with the charge in progress.
pub fn rides_along(field: &Field, officer: CommanderId) -> bool {
    field.agenda().iter().any(|phase| matches!(phase, Phase::Charge(charge) if charge.with.contains(&officer)))
}

/// Squares up against an enemy already touched (C.7).
pub fn close_in(umpire: &mut Umpire<'_, Awi>, unit: UnitId, enemy: UnitId) {
    let pose = umpire.state().unit(unit).pose();
    close_in_from(umpire, unit, enemy, pose, &[], pose);
}

fn close_in_from(
    umpire: &mut Umpire<'_, Awi>,
    unit: UnitId,
    enemy: UnitId,
    contact: Pose,
    with: &[CommanderId],
    from: Pose,
) {
    let field = umpire.state();
    let size = footprint(field, unit);
    let square = table::conform(contact, size, field.unit(enemy).quad());
    let fits = |quad: &Quad| {
        field.ground().holds(quad)
            && field::all_troops(field).all(|(id, other)| id == unit || !quads_overlap(quad, other.quad()))
            && field.ground().features.iter().all(|feature| {
                !field::is_closed(feature.kind, facts(field, unit).arm) || !feature.shape.overlaps_quad(quad)
            })
    };
    let to = if fits(&size.quad(square)) { square } else { contact };
    umpire.announce(Event::new(Clause::StraightCharge, Deed::Moved { unit, to, path: Vec::new() }));
    officers::take_along(umpire, with, from, to);
    officers::make_room(umpire);
    movement::tread_along(umpire, unit, from.at);
}

/// Judges the defender's answers during a charge.
pub fn check_answer(decision: &Decision, order: &Order) -> Verdict {
    match (decision, order) {
        (_, Order::Pass) => Verdict::fine(),
        (Decision::FailedChargeVolley { .. }, Order::Shoot) => Verdict::fine(),
        (Decision::DefensiveGrape { .. }, Order::Grape) => Verdict::fine(),
        (Decision::Support { able, .. }, Order::Support { unit }) if able.contains(unit) => Verdict::fine(),
        (Decision::Support { .. }, Order::Support { unit }) => {
            let mut verdict = Verdict::fine();
            verdict.refuse(Clause::SupportReach, "it is not near enough to the melee, or cannot fire").about(*unit);
            verdict.refuse(Clause::SupportArc, "or the charger does not cross its arc").about(*unit);
            verdict
        }
        (Decision::FailedChargeVolley { .. }, _) => {
            Verdict::refused(Clause::DisorderedIsOpen, "the question is whether to fire at the charge that fell short")
        }
        (Decision::DefensiveGrape { .. }, _) => {
            Verdict::refused(Clause::Grapeshot, "the question is grapeshot or plain shot")
        }
        _ => Verdict::refused(Clause::SupportingFire, "the question is who supports the charged unit with fire"),
    }
}

/// Carries the defender's answer out.
pub fn execute_answer(umpire: &mut Umpire<'_, Awi>, decision: &Decision, order: &Order) {
    match (decision, order) {
        (Decision::FailedChargeVolley { unit, at }, Order::Shoot) => {
            umpire.replace(Phase::Shot(Shot::of(Manner::AtFailedCharge, *unit, *at, false, None)));
        }
        (Decision::FailedChargeVolley { .. }, _) => umpire.end(),
        (Decision::DefensiveGrape { .. }, Order::Grape) => {
            if let Some(Phase::Shot(shot)) = umpire.phase() {
                shot.grape = true;
            }
        }
        (Decision::Support { charger, .. }, Order::Support { unit }) => {
            let (unit, charger) = (*unit, *charger);
            let contact = match umpire.phase() {
                Some(Phase::Charge(charge)) => {
                    charge.supported.push(unit);
                    charge.contact
                }
                _ => return umpire.fault("support without a charge"),
            };
            support::support(umpire, unit, charger, contact);
        }
        (Decision::Support { .. }, _) => {
            if let Some(Phase::Charge(charge)) = umpire.phase() {
                charge.step = Step::GoIn;
            }
        }
        _ => {}
    }
}
