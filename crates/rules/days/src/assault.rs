//! 5.1 to 5.4 and 2.2: close assault, reinforcement, results, compulsory moves, break-throughs. Section 17.5, C-18 to C-20,
//!

pub mod factors;
pub mod melee;
pub mod moves;
pub mod results;
#[cfg(test)]
mod tests;

use super::Days;
use super::charts::count as figure;
use super::clause::Clause;
use super::event::{Cause, ChargeEnd, DaysEvent, Doing, MeleeResult};
use super::field::{self, Few, Field};
use super::order::{Decision, Order};
use super::sequence::{self, Given, Phase};
use super::unit::{Arm, Charge, ChargeStage};
use super::{charge, damage};
use super::{morale, rout, staff};
use engine::event::Leaving;
use engine::{BySide, Event, Flow, Side, Umpire, UnitId, Verdict, View, Who};
use results::{Beaten, Fought, Victor};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::{Angle, Length};

pub use factors::scores;
pub use melee::{Melee, is_charging, may_still_shoot, melees};
pub use moves::{may_decline, may_stay, wheels};

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    /// Who stays, who does not follow.
    #[default]
    Choices,
    /// 5.2 and 5.3: dice, losses, states.
    Fight,
    /// 5.4: losers.
    Losers,
    /// 5.4: winners, one after another.
    Winners,
    /// Records for the next turn.
    Records,
}

/// How far the fights have got.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Assault {
    stage: Stage,
    /// Who stays in its cover if it loses.
    stay: Vec<UnitId>,
    /// Who does not follow if it wins.
    decline: Vec<UnitId>,
    /// What has been fought.
    fights: Vec<Fought>,
    /// Winners still to go on.
    victors: Vec<Victor>,
}

/// 2.2: units struck by a break-through last turn test; who fails routs, and the victor goes on.
pub fn break_throughs(umpire: &mut Umpire<'_, Days>) {
    let mut tested = Few::new();
    // A victor who goes on may strike somebody new, who is tested in his turn; its way gets shorter each time.
    while let Some((victor, struck, left)) = next_break_through(umpire.state(), &tested) {
        if !tested.contains(&struck) {
            tested.push(struck);
            test_struck(umpire, victor, struck);
        }
        let field = umpire.state();
        let gave_way = field::is_there(field, struck) && field::is_routing(field, struck);
        if gave_way && field::is_there(field, victor) {
            umpire.announce(Event::own(Clause::GivingWayToIt, DaysEvent::BreaksInto { unit: victor, into: None }));
            let parted = DaysEvent::Parted { unit: victor, from: Some(struck) };
            umpire.announce(Event::own(Clause::GivingWayToIt, parted));
            // On in the old direction, whichever way he faces.
            let field = umpire.state();
            let onward = field::troops(field, victor).onward.map(Angle::unit);
            let onward = onward.unwrap_or_else(|| field.unit(victor).pose().forward());
            moves::go(umpire, victor, onward, left, Clause::GivingWayToIt);
        }
    }
}

/// The next break-through whose victim has still to be tested, or has given way; whoever has the initiative is tested
/// first.
fn next_break_through(field: &Field, tested: &Few) -> Option<(UnitId, UnitId, Length)> {
    let waits = |struck: UnitId| {
        field::is_there(field, struck) && (!tested.contains(&struck) || field::is_routing(field, struck))
    };
    sequence::in_turn(field).into_iter().find_map(|side| {
        let victors = field.present(side.other()).filter_map(|(id, unit)| {
            let (struck, left) = unit.own.broke_into?;
            waits(struck).then_some((struck, id, left))
        });
        victors.min_by_key(|(struck, id, _)| (*struck, *id)).map(|(struck, id, left)| (id, struck, left))
    })
}

/// The test of a unit struck by a break-through; whoever runs already takes none.
fn test_struck(umpire: &mut Umpire<'_, Days>, victor: UnitId, struck: UnitId) {
    if field::is_routing(umpire.state(), struck) {
        return;
    }
    let occasion = morale::Occasion { against: Some(victor), helped_by: None, break_through: true };
    morale::being_charged(umpire, struck, &occasion);
    let field = umpire.state();
    if field::is_there(field, struck) && !field::is_routing(field, struck) {
        let told = DaysEvent::Did { unit: struck, doing: Doing::Stood };
        umpire.announce(Event::own(Clause::StandingUpToIt, told));
    }
}

/// 5.1: routers in contact, first and apart; whoever cannot fight is taken.
pub fn routers(umpire: &mut Umpire<'_, Days>) {
    take_the_helpless(umpire);
    for side in sequence::in_turn(umpire.state()) {
        let field = umpire.state();
        let caught = |id: UnitId| field::is_routing(field, id) && victor_over(field, id).is_some();
        let caught: Few = field.present(side).map(|(id, _)| id).filter(|id| caught(*id)).collect();
        for unit in caught {
            run_down(umpire, unit);
        }
    }
    end_stray_charges(umpire);
    let done: Few = umpire.state().units().filter(|(_, unit)| unit.own.contact.is_empty()).map(|(id, _)| id).collect();
    for unit in done {
        results::end_charge(umpire, unit);
    }
}

/// No charge outlives the Movement Phase without having come home; whoever was met on the way fights as a charger.
fn end_stray_charges(umpire: &mut Umpire<'_, Days>) {
    let is_stray = |charge: &Charge| charge.stage != ChargeStage::Home;
    let units = umpire.state().units().filter(|(_, unit)| unit.own.charge.as_deref().is_some_and(is_stray));
    let stray: Few = units.map(|(id, _)| id).collect();
    for unit in stray {
        if field::troops(umpire.state(), unit).contact.is_empty() {
            charge::end(umpire, unit, ChargeEnd::Blocked);
        } else {
            charge::drive::goes(umpire, unit, ChargeStage::Home, Length::ZERO, Clause::TouchingMeansFighting);
        }
    }
}

/// An enemy in contact with a unit that does not run itself.
fn victor_over(field: &Field, unit: UnitId) -> Option<UnitId> {
    let contact = &field::troops(field, unit).contact;
    contact.iter().copied().find(|enemy| field::is_there(field, *enemy) && !field::is_routing(field, *enemy))
}

/// Staff, parties, wagons, horse holders and guns without gunners that an enemy touches.
fn take_the_helpless(umpire: &mut Umpire<'_, Days>) {
    for side in sequence::in_turn(umpire.state()) {
        let field = umpire.state();
        let touching = field.present(side).filter(|(_, unit)| !unit.own.contact.is_empty());
        let touching: Few = touching.map(|(id, _)| id).collect();
        for unit in touching {
            staff::overrun(umpire, unit);
            let field = umpire.state();
            if field::is_there(field, unit) && melee::is_helpless(field, unit) {
                take(umpire, unit);
            }
        }
    }
}

fn take(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    let Some(by) = victor_over(field, unit) else { return };
    let staff = field::facts(field, unit).arm == Arm::Engineers;
    let clause = if staff { Clause::StaffRiddenDown } else { Clause::TouchingMeansFighting };
    umpire.announce(Event::own(clause, DaysEvent::Captured { unit, by: Some(by) }));
    damage::remove_by(umpire, unit, Leaving::Caught, clause);
}

/// A router loses outright and runs; whoever caught it neither moves nor loses anybody.
fn run_down(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    let Some(by) = victor_over(field, unit).filter(|_| field::is_there(field, unit)) else { return };
    let (loser, winner) = (field.side_of(unit), field.side_of(by));
    let lost = figure(field.charts().result.major.loser_loses) as u8;
    let victors: Few = field::troops(field, unit).contact.iter().copied().collect();
    let mut sides = BySide::<SmallVec<[UnitId; 2]>>::default();
    sides[loser].push(unit);
    sides[winner].extend(victors.iter().copied());
    let BySide([a, b]) = sides;
    let told = DaysEvent::Melee { a, b, scores: BySide::default(), winner: Some(winner), result: MeleeResult::Major };
    let event = Event::own(Clause::RoutersAreDealtWithFirst, told)
        .also(Clause::RoutersLoseOutright)
        .also(Clause::ComradesAreNotAffected)
        .also(Clause::NoChaseAfterRouters);
    umpire.announce(event);
    staff::risk(umpire, unit, winner);
    let parted = DaysEvent::Parted { unit, from: None };
    umpire.announce(Event::own(Clause::RoutersLoseOutright, parted));
    damage::lose_stands(umpire, unit, lost, Cause::Routers, Some(by));
    if field::is_there(umpire.state(), unit) {
        rout::begin(umpire, unit, Some(by), Clause::RoutersLoseOutright);
    }
    for victor in victors {
        if field::is_there(umpire.state(), victor) {
            let told = DaysEvent::Did { unit: victor, doing: Doing::Fought };
            umpire.announce(Event::own(Clause::NoChaseAfterRouters, told));
            remember(umpire, victor);
        }
    }
    if field::is_there(umpire.state(), unit) {
        remember(umpire, unit);
    }
}

/// A unit has fought at close quarters: it counts from the next test on.
fn remember(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let whole = field::whole(umpire.state(), unit);
    if !field::troops(umpire.state(), whole).fought_before {
        umpire.announce(Event::own(Clause::TouchingMeansFighting, DaysEvent::FoughtBefore { unit: whole }));
    }
}

/// 5.2 to 5.4.
pub fn advance(umpire: &mut Umpire<'_, Days>, mut assault: Assault) -> Flow<Days> {
    match assault.stage {
        Stage::Choices => {
            assault.stage = Stage::Fight;
            let question = choices(umpire.state());
            umpire.replace(Phase::Assault(assault));
            return question.unwrap_or(Flow::Again);
        }
        Stage::Fight => {
            assault.fights = results::fight_all(umpire);
            results::apply_all(umpire, &assault.fights);
            assault.stage = Stage::Losers;
        }
        Stage::Losers => {
            for beaten in in_order(umpire.state(), assault.fights.iter().flat_map(|fought| fought.beaten.clone())) {
                moves::fall_back(umpire, &beaten, assault.stay.contains(&beaten.unit));
            }
            let victors = assault.fights.iter().flat_map(|fought| fought.victors.clone());
            assault.victors = in_order(umpire.state(), victors);
            assault.stage = Stage::Winners;
        }
        Stage::Winners => match assault.victors.first().copied() {
            Some(victor) => {
                if let Some(owner) = wants_to_know(umpire.state(), &victor, &assault.decline) {
                    umpire.replace(Phase::Assault(assault));
                    return Flow::Ask(Who::One(owner), Decision::GoOn { unit: victor.unit });
                }
                go_on(umpire, &assault, &victor);
                assault.victors.remove(0);
            }
            None => assault.stage = Stage::Records,
        },
        Stage::Records => {
            keep_records(umpire, &assault.fights);
            return Flow::Done;
        }
    }
    umpire.replace(Phase::Assault(assault));
    Flow::Again
}

/// Something that belongs to a unit.
trait Of {
    fn unit(&self) -> UnitId;
}

impl Of for Beaten {
    fn unit(&self) -> UnitId {
        self.unit
    }
}

impl Of for Victor {
    fn unit(&self) -> UnitId {
        self.unit
    }
}

/// Those of whoever has the initiative first; the order within a fight is kept.
fn in_order<T: Of>(field: &Field, all: impl Iterator<Item = T>) -> Vec<T> {
    let first = field.ledger().initiative;
    let mut all: Vec<T> = all.collect();
    all.sort_by_key(|one| field.side_of(one.unit()) != first);
    all
}

/// The question who stays and who does not follow, if anybody has the choice.
fn choices(field: &Field) -> Option<Flow<Days>> {
    let mut stay = BySide::<Vec<UnitId>>::default();
    let mut follow = BySide::<Vec<UnitId>>::default();
    for melee in melee::melees(field) {
        let (may_stay, may_decline) = moves::choosers(field, &melee);
        for unit in may_stay {
            stay[field.side_of(unit)].push(unit);
        }
        for unit in may_decline {
            follow[field.side_of(unit)].push(unit);
        }
    }
    let has_choice = BySide(Side::BOTH.map(|side| !stay[side].is_empty() || !follow[side].is_empty()));
    sequence::ask(has_choice, Decision::Assault { stay, follow })
}

/// Whose question it is where a victor's enemy is gone and another within reach of a wheel.
fn wants_to_know(field: &Field, victor: &Victor, decline: &[UnitId]) -> Option<Side> {
    let by = moves::advance_of(field, victor)?;
    let gone = !field::is_there(field, victor.over);
    let asks = gone && !decline.contains(&victor.unit) && !moves::wheels(field, victor.unit, by).is_empty();
    asks.then(|| field.side_of(victor.unit))
}

/// A winner goes on, or stays.
fn go_on(umpire: &mut Umpire<'_, Days>, assault: &Assault, victor: &Victor) {
    let Some(by) = moves::advance_of(umpire.state(), victor) else { return };
    if assault.decline.contains(&victor.unit) {
        moves::declines(umpire, victor, by);
    } else {
        moves::follow(umpire, victor, by, &beaten_by(assault, victor));
    }
}

/// Whom a victor and those who fought with him have beaten.
fn beaten_by(assault: &Assault, victor: &Victor) -> Few {
    let his = assault.fights.iter().filter(|fought| fought.victors.contains(victor));
    his.flat_map(|fought| fought.beaten.iter().map(|beaten| beaten.unit)).collect()
}

/// Who won a round that goes on, who has fought.
fn keep_records(umpire: &mut Umpire<'_, Days>, fights: &[Fought]) {
    for fought in fights {
        for unit in fought.melee.all() {
            remember(umpire, unit);
            let field = umpire.state();
            let goes_on = melee::opponents(field, unit).next().is_some();
            // Whoever was struck just now is a new fight.
            let fresh = field::troops(field, unit).broke_into.is_some();
            let won = fought.winner == Some(field.side_of(unit)) && goes_on && !fresh;
            if field::troops(field, unit).won_last != won {
                let told = DaysEvent::WonLast { unit, won };
                umpire.announce(Event::own(Clause::ScoreInCloseAssault, told));
            }
        }
    }
}

/// Judges who stays and who does not follow.
pub fn check(view: &View<'_, Days>, stay: &[UnitId], follow: &[UnitId], order: &Order) -> Verdict {
    let (stays, declines) = match order {
        Order::Pass => return Verdict::fine(),
        Order::Assault { stay, decline } => (stay, decline),
        _ => return Verdict::refused(Clause::RefusingToLeaveCover, "the question is who stays where it is"),
    };
    let mut verdict = Verdict::fine();
    let known = |unit: &UnitId| view.muster().units.len() > unit.index();
    for unit in stays.iter().filter(|unit| !stay.contains(unit)) {
        let note = verdict.refuse(Clause::RefusingToLeaveCover, "this unit may not refuse to fall back");
        if known(unit) {
            note.about(*unit);
        }
    }
    for unit in declines.iter().filter(|unit| !follow.contains(unit)) {
        let note = verdict.refuse(Clause::StayingBehindTheWall, "this unit has no cover to stay in: it must follow");
        if known(unit) {
            note.about(*unit);
        }
    }
    verdict
}

/// Takes the choices down.
pub fn execute(umpire: &mut Umpire<'_, Days>, given: Given) {
    let Some(Phase::Assault(mut assault)) = umpire.top() else { return };
    for order in given.0.into_iter().flatten() {
        if let Order::Assault { stay, decline } = order {
            assault.stay.extend(stay);
            assault.decline.extend(decline);
        }
    }
    umpire.replace(Phase::Assault(assault));
}

/// How far a victor may go who is asked for his way.
pub fn reach_of(field: &Field, unit: UnitId) -> Option<Length> {
    let asked = field.agenda().iter().rev().find_map(|phase| match phase {
        Phase::Assault(assault) => assault.victors.iter().find(|victor| victor.unit == unit),
        _ => None,
    });
    moves::advance_of(field, asked?)
}

/// Judges the wheel of a victor whose enemy is gone.
pub fn check_go_on(view: &View<'_, Days>, unit: UnitId, order: &Order) -> Verdict {
    match (order, reach_of(view, unit)) {
        (Order::Pass, _) => Verdict::fine(),
        (Order::GoOn { by }, Some(most)) => moves::judge_wheel(view, unit, most, *by),
        _ => Verdict::refused(Clause::NobodyLeftToChase, "the question is by how much the victor wheels"),
    }
}

/// Goes on.
pub fn execute_go_on(umpire: &mut Umpire<'_, Days>, unit: UnitId, given: Given) {
    let Some(Phase::Assault(mut assault)) = umpire.top() else { return };
    let Some(place) = assault.victors.iter().position(|victor| victor.unit == unit) else { return };
    let victor = assault.victors.remove(place);
    umpire.replace(Phase::Assault(assault.clone()));
    let Some(by) = moves::advance_of(umpire.state(), &victor) else { return };
    match sequence::single(given) {
        Some((_, Order::GoOn { by: turn })) => moves::wheel_and_go(umpire, unit, by, turn),
        _ => moves::follow(umpire, &victor, by, &beaten_by(&assault, &victor)),
    }
}
