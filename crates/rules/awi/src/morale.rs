//! Chapter 6: morale. One test, its odds, and the nested tests that follow a rout or a commander's death. R01 to R04,
//! R33, R38, R39.

use super::Awi;
use super::charts::Charts;
use super::clause::Clause;
use super::event::{AwiEvent, Cause};
use super::field::{Few, Field, facts, is_engaged, is_routing, is_there, soldiers, touching_enemies, troops};
use super::officers::{self, Help};
use super::order::{Decision, Order};
use super::rout;
use super::sequence::Phase;
use super::settings::{MoraleDie, Settings};
use super::unit::{Arm, Class};
use engine::{Asked, Cited, CommanderId, Die, Event, Flow, Pool, Reckoning, Spread, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::{Length, Pose, Quad, SLACK};

/// What a test needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The score to reach; nothing means it passes without a die.
    pub need: Option<Cited<i32>>,
    /// The officer who counts.
    pub help: Option<Help>,
    /// The die.
    pub die: Die,
    /// The row of the table it comes from.
    pub row: Clause,
}

impl Trial {
    /// Whether a pip passes.
    pub fn passes(&self, pip: i32) -> bool {
        self.need.is_none_or(|need| pip + self.help.map_or(0, |help| help.factor.value) >= need.value)
    }

    /// Pass or fail, over every face.
    pub fn odds(&self) -> Spread<bool> {
        match self.need {
            None => Spread::certain(true),
            Some(_) => Spread::of_pool(Pool::one(self.die), |pips| self.passes(i32::from(pips[0]))),
        }
    }

    /// The reckoning a player reads, once the die has fallen or before; empty where none is thrown.
    pub fn reckoning(&self, pip: Option<i32>) -> Reckoning {
        let mut reckoning = Reckoning::new();
        let Some(need) = self.need else { return reckoning };
        reckoning.look(self.row, "score needed", need);
        if let Some(pip) = pip {
            reckoning.add(Clause::OnlyOfficersCount, "die", Cited::derived(pip));
        }
        if let Some(help) = self.help {
            reckoning.add(help.rating.clause(), format!("{} officer", help.rating.word()), help.factor);
        }
        reckoning
    }
}

/// What a unit would need now: class and marks left (R04), the best officer in reach.
pub fn trial(field: &Field, unit: UnitId) -> Trial {
    trial_with(field, facts(field, unit).class, soldiers(field, unit).marks, officers::help(field, unit))
}

/// The same for any class and strength.
pub fn trial_with(field: &Field, class: Class, marks: u8, help: Option<Help>) -> Trial {
    trial_of(field.charts(), field.settings(), class, marks, help)
}

/// The same without a table.
pub fn trial_of(charts: &Charts, settings: &Settings, class: Class, marks: u8, help: Option<Help>) -> Trial {
    let row = &charts.class(class).morale;
    let cell = usize::from(marks).checked_sub(1).and_then(|n| row.value.get(n));
    let die = match settings.morale_die {
        MoraleDie::D6 => Die::D6,
        // tidy: allow(the name of the die, which the setting spells out)
        MoraleDie::D4 => Die::new(4),
    };
    Trial { need: cell.map(|need| Cited::new(need.get(), row.source)), help, die, row: class.morale_clause() }
}

fn clause_of(cause: Cause) -> Clause {
    match cause {
        Cause::Charge => Clause::TestToCharge,
        Cause::Receive => Clause::TestToReceive,
        Cause::RoutNearby => Clause::TestForRoutNearby,
        Cause::CommanderKilled => Clause::TestForCommander,
        Cause::Stay => Clause::TestToStay,
        Cause::Rally | Cause::HaltPursuit => Clause::TestToRally,
        Cause::Support => Clause::TestToSupport,
        Cause::BreakOff => Clause::TestToBreakOff,
    }
}

fn second_clause(cause: Cause, class: Class) -> Option<Clause> {
    match cause {
        Cause::Charge => Some(Clause::ChargeTest),
        Cause::Support => Some(Clause::SupportTest),
        Cause::Stay => Some(Clause::LoserTests),
        Cause::BreakOff => Some(Clause::BreakOff),
        Cause::HaltPursuit if class == Class::Raw => Some(Clause::RawPursuerStops),
        Cause::HaltPursuit => Some(Clause::PursuerStops),
        _ => None,
    }
}

/// Takes a test and announces it.
pub fn test(umpire: &mut Umpire<'_, Awi>, unit: UnitId, cause: Cause) -> bool {
    let field = umpire.state();
    let trial = trial(field, unit);
    let (class, side) = (facts(field, unit).class, field.side_of(unit));
    let event = |passed| {
        let mut event = Event::own(clause_of(cause), AwiEvent::Tested { unit, cause, passed }).also(Clause::MoraleTest);
        event.also.extend(second_clause(cause, class).map(Into::into));
        event
    };
    if trial.need.is_none() {
        umpire.announce(event(true).also(Clause::AutomaticPass));
        return true;
    }
    let roll = umpire.roll(Pool::one(trial.die), side);
    let reckoning = trial.reckoning(Some(roll.single()));
    let mut also: SmallVec<[Clause; 2]> = SmallVec::new();
    if let Some(help) = trial.help {
        also.extend(help.is_division.then_some(Clause::BothLevels));
        also.extend(help.others.then_some(Clause::NotAdded));
    }
    let passed = trial.passes(roll.single());
    let mut event = event(passed).rolled(roll).because(reckoning);
    event.also.extend(also.into_iter().map(Into::into));
    umpire.announce(event);
    passed
}

/// A rout or a dead commander being worked off: first all tests, then whoever failed runs and may be pursued, then the
/// friends nearby test, then those of them who failed run, and nothing further follows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Panic {
    tests: Vec<(UnitId, Cause)>,
    breaking: Vec<UnitId>,
    chase: Option<Chase>,
    /// Where each stood before it ran.
    fled: Vec<(UnitId, Pose)>,
    /// Whoever tested for a dead commander does not test again for the rout of his other units.
    tested: Vec<UnitId>,
    spreading: bool,
    /// The charger the first unit flees from, where its charge would have ended, and who rides with it.
    charger: Option<(UnitId, Pose, SmallVec<[CommanderId; 1]>)>,
}

/// Pursuit of one unit that broke.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chase {
    quarry: UnitId,
    ran: Length,
    pursuers: Few,
}

impl Panic {
    /// After a lost round: the losers test to stay.
    pub fn of_losers(losers: impl IntoIterator<Item = UnitId>) -> Panic {
        Panic { tests: losers.into_iter().map(|unit| (unit, Cause::Stay)).collect(), ..Panic::default() }
    }

    /// A charged unit that would not stand.
    pub fn of_charged(unit: UnitId, charger: UnitId, contact: Pose, with: SmallVec<[CommanderId; 1]>) -> Panic {
        Panic { breaking: vec![unit], charger: Some((charger, contact, with)), ..Panic::default() }
    }

    /// Brigade commanders killed in one stroke: their units near them test once, and not again for each other's rout.
    pub fn of_commanders(field: &Field, killed: &[CommanderId]) -> Panic {
        Panic::of_fallen(field, killed.iter().map(|officer| (*officer, *field.commander(*officer).quad())))
    }

    /// The same, each with the place where he fell.
    pub fn of_fallen(field: &Field, fallen: impl IntoIterator<Item = (CommanderId, Quad)>) -> Panic {
        let mut panic = Panic::default();
        for (officer, place) in fallen {
            if field.muster().commander(officer).facts.level == super::unit::Level::Brigade {
                for unit in officers::bereaved(field, officer, &place) {
                    if !panic.tested.contains(&unit) {
                        panic.tested.push(unit);
                        panic.tests.push((unit, Cause::CommanderKilled));
                    }
                }
            }
        }
        panic.tests.sort_by_key(|test| test.0);
        panic
    }

    /// Whether there is nothing to work off.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.breaking.is_empty()
    }
}

/// Turns the page of a panic.
pub fn advance(umpire: &mut Umpire<'_, Awi>, mut panic: Panic) -> Flow<Awi> {
    if !panic.tests.is_empty() {
        let (unit, cause) = panic.tests.remove(0);
        let stands = is_there(umpire.state(), unit) && !is_routing(umpire.state(), unit);
        if stands && !test(umpire, unit, cause) {
            panic.breaking.push(unit);
        }
        umpire.replace(Phase::Panic(panic));
        return Flow::Again;
    }
    if let Some(chase) = &mut panic.chase {
        return match next_pursuer(umpire.state(), chase) {
            None => {
                panic.chase = None;
                umpire.replace(Phase::Panic(panic));
                Flow::Again
            }
            Some(unit) if facts(umpire.state(), unit).class == Class::Raw => {
                chase.pursuers.retain(|other| *other != unit);
                let (quarry, ran) = (chase.quarry, chase.ran);
                umpire.replace(Phase::Panic(panic));
                rout::pursue(umpire, unit, quarry, ran, Clause::RawMustPursue);
                Flow::Again
            }
            Some(unit) => {
                let quarry = chase.quarry;
                let side = umpire.state().side_of(unit);
                umpire.replace(Phase::Panic(panic));
                Flow::Ask(Who::One(side), Decision::Pursue { unit, quarry })
            }
        };
    }
    if !panic.breaking.is_empty() {
        let unit = panic.breaking.remove(0);
        flee(umpire, unit, &mut panic);
        umpire.replace(Phase::Panic(panic));
        return Flow::Again;
    }
    if panic.spreading {
        return Flow::Done;
    }
    panic.spreading = true;
    panic.tests = neighbours(umpire.state(), &panic);
    umpire.replace(Phase::Panic(panic));
    Flow::Again
}

fn next_pursuer(field: &Field, chase: &mut Chase) -> Option<UnitId> {
    // A quarry that is gone leaves nothing to pursue (R39).
    if !is_there(field, chase.quarry) {
        return None;
    }
    chase.pursuers.retain(|unit| is_there(field, *unit) && !is_engaged(field, *unit));
    chase.pursuers.first().copied()
}

fn flee(umpire: &mut Umpire<'_, Awi>, unit: UnitId, panic: &mut Panic) {
    let field = umpire.state();
    if !is_there(field, unit) {
        return;
    }
    let charger = panic.charger.take();
    let mut pursuers: Few = Few::new();
    if !panic.spreading {
        panic.fled.push((unit, field.unit(unit).pose()));
        pursuers = touching_enemies(field, unit);
        pursuers.extend(charger.iter().map(|(charger, _, _)| *charger));
        pursuers.retain(|id| facts(field, *id).arm != Arm::Artillery && !is_routing(field, *id));
    }
    let ran = rout::run(umpire, unit, if panic.spreading { Clause::NoRipple } else { Clause::KindsOfMove });
    if let Some((charger, contact, with)) = charger {
        super::charge::advance_body(umpire, charger, &with, contact, Clause::TestToReceive);
    }
    if let Some(ran) = ran
        && !pursuers.is_empty()
    {
        panic.chase = Some(Chase { quarry: unit, ran, pursuers });
    }
}

/// Friends within reach of where somebody broke (R38).
fn neighbours(field: &Field, panic: &Panic) -> Vec<(UnitId, Cause)> {
    let reach = field.charts().panic.reach.value.0 + SLACK;
    let mut tests: Vec<(UnitId, Cause)> = Vec::new();
    for (runner, pose) in &panic.fled {
        let place = field.footprint(*runner, field.unit(*runner).body.formation).quad(*pose);
        for (id, unit) in troops(field, field.side_of(*runner)) {
            let known = panic.tested.contains(&id) || tests.iter().any(|test| test.0 == id);
            let ran_too = panic.fled.iter().any(|(fled, _)| *fled == id);
            if !known && !ran_too && !is_routing(field, id) && table::gap(unit.quad(), &place) <= reach {
                tests.push((id, Cause::RoutNearby));
            }
        }
    }
    tests.sort_by_key(|test| test.0);
    tests
}

/// Judges the answer to a pursuit question.
pub fn check_pursue(_asked: &Asked<Awi>, order: &Order) -> Verdict {
    match order {
        Order::Pursue | Order::Pass => Verdict::fine(),
        _ => Verdict::refused(Clause::MayPursue, "the question is whether to pursue"),
    }
}

/// Does what was answered.
pub fn execute_pursue(umpire: &mut Umpire<'_, Awi>, unit: UnitId, quarry: UnitId, order: &Order) {
    let Some(Phase::Panic(mut panic)) = umpire.top() else { return umpire.fault("a pursuit without a rout") };
    let mut ran = Length::ZERO;
    if let Some(chase) = &mut panic.chase {
        chase.pursuers.retain(|other| *other != unit);
        ran = chase.ran;
    }
    umpire.replace(Phase::Panic(panic));
    if *order == Order::Pursue {
        rout::pursue(umpire, unit, quarry, ran, Clause::MayPursue);
    }
}
