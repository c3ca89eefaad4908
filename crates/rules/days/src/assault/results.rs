//! Dice, results and losses. 17.5-a, -b, 17.5.2, C-19, C-20, A-58 to.

use super::super::Days;
use super::super::charge;
use super::super::charts::{AssaultResult, Condition, Fate, Results, count as figure};
use super::super::clause::Clause;
use super::super::damage;
use super::super::event::{Cause, ChargeEnd, DaysEvent, Doing, MeleeResult};
use super::super::field::{self, Field};
use super::super::sequence;
use super::super::unit::{ChargeStage, OrderState};
use super::super::{ground, morale, staff, target};
use super::factors;
use super::melee::{self, Melee};
use engine::{BySide, Event, Roll, Side, Umpire, UnitId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// A unit that lost its fight, and what that means for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Beaten {
    /// Who.
    pub unit: UnitId,
    /// By whom.
    pub by: UnitId,
    /// How badly.
    pub result: MeleeResult,
    /// A square against horse does not fall back a little (C-20).
    pub square: bool,
}

/// A unit that won its fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Victor {
    /// Who.
    pub unit: UnitId,
    /// Over whom.
    pub over: UnitId,
    /// How well.
    pub result: MeleeResult,
    /// It came by a charge: it goes on along its line.
    pub charged: bool,
}

/// A fight that has been scored.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Fought {
    /// Who fought.
    pub melee: Melee,
    /// Who won; nobody where it is locked.
    pub winner: Option<Side>,
    /// Losers, those behind before those in front of them.
    pub beaten: Vec<Beaten>,
    /// Winners, those in front first.
    pub victors: Vec<Victor>,
    /// What each side loses.
    losses: BySide<u8>,
}

/// The row of the chart for a result.
pub fn row(results: &Results, result: MeleeResult) -> &AssaultResult {
    match result {
        MeleeResult::Locked => &results.locked,
        MeleeResult::Marginal => &results.marginal,
        MeleeResult::Minor => &results.minor,
        MeleeResult::Major => &results.major,
    }
}

/// The result of a difference.
pub fn result_of(results: &Results, difference: i32) -> MeleeResult {
    let best_first = [MeleeResult::Major, MeleeResult::Minor, MeleeResult::Marginal];
    let reached = |result: &MeleeResult| difference >= row(results, *result).from.value.get();
    best_first.into_iter().find(reached).unwrap_or(MeleeResult::Locked)
}

/// Throws for all fights. Nothing is applied before all are scored.
pub fn fight_all(umpire: &mut Umpire<'_, Days>) -> Vec<Fought> {
    let melees = melee::melees(umpire.state());
    melees.into_iter().map(|melee| fight(umpire, melee)).collect()
}

fn fight(umpire: &mut Umpire<'_, Days>, melee: Melee) -> Fought {
    let (scores, winner, result) = match melee.walk_over() {
        Some(side) => (BySide::default(), Some(side), MeleeResult::Major),
        None => throw(umpire, &melee),
    };
    let field = umpire.state();
    let result = match winner {
        Some(side) => greater_for_all(field, &melee, side.other(), result),
        None => result,
    };
    let fought = settle(field, melee, winner, result);
    let melee = &fought.melee;
    let clause =
        if melee.ridden_down.is_empty() { Clause::MarginDecidesTheResult } else { Clause::HorseAmongSkirmishers };
    let supported = Side::BOTH.into_iter().any(|side| !melee.supports[side].is_empty());
    let sheltered = melee.all().any(|unit| ground::area_at(field, melee::place(field, unit)).is_some());
    let side = |side: Side| melee.of(side).collect();
    let told = DaysEvent::Melee { a: side(Side::A), b: side(Side::B), scores, winner, result };
    let event = Event::own(clause, told)
        .also(Clause::TouchingMeansFighting)
        .also(Clause::EveryStandCounts)
        .also_if(supported, Clause::SupportFromBehind)
        .also_if(supported, Clause::SupportsMustFaceTheFoe)
        .also_if(sheltered, Clause::FightingInStreetsAndWoods);
    umpire.announce(event);
    fought
}

/// Both sides throw, whoever has the initiative first.
fn throw(umpire: &mut Umpire<'_, Days>, melee: &Melee) -> (BySide<i8>, Option<Side>, MeleeResult) {
    let sums = factors::scores(umpire.state(), melee);
    let dice = umpire.charts().assault.dice.value.0;
    let mut totals = BySide::<i32>::default();
    for side in sequence::in_turn(umpire.state()) {
        let roll = umpire.roll(dice, side);
        totals[side] = sums[side].whole() + roll.total();
        let told = DaysEvent::Score { side, units: melee.counted(side).collect(), total: small(totals[side]) };
        let field = umpire.state();
        let housed = |id: UnitId| {
            let there = field::stands(field, id);
            there.iter().any(|one| {
                ground::area_at(field, one.centre).is_some_and(|(feature, _)| ground::is_urban(field, feature))
            })
        };
        let among_houses = melee.counted(side).any(housed);
        let event = Event::own(Clause::ScoreInCloseAssault, told)
            .also_if(among_houses, Clause::FlanksAmongHouses)
            .rolled(roll)
            .because(sums[side].clone());
        umpire.announce(event);
    }
    let difference = totals[Side::A] - totals[Side::B];
    let winner = match difference.signum() {
        1 => Some(Side::A),
        -1 => Some(Side::B),
        _ => None,
    };
    let result = result_of(&umpire.charts().result, difference.abs());
    let winner = winner.filter(|_| result != MeleeResult::Locked);
    (BySide(Side::BOTH.map(|side| small(totals[side]))), winner, result)
}

fn small(number: i32) -> i8 {
    number.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8
}

/// The result is read as the greater one where it is so for every loser.
pub fn greater_for_all(field: &Field, melee: &Melee, losers: Side, result: MeleeResult) -> MeleeResult {
    let all = melee.of(losers).all(|unit| result_for(field, melee, unit, result) == MeleeResult::Major);
    if all { MeleeResult::Major } else { result }
}

/// What a result means for one loser: skirmishers, and squares that horse has beaten, break sooner (C-20).
pub fn result_for(field: &Field, melee: &Melee, unit: UnitId, result: MeleeResult) -> MeleeResult {
    let special = &field.charts().special;
    let loose = field::skirmishes(field, unit) && special.skirmishers_minor.value == Fate::Major;
    let square = is_square_against_horse(field, unit) && special.square_minor.value == Fate::Major;
    let sooner = result == MeleeResult::Minor && (loose || square);
    if melee.ridden_down.contains(&unit) || sooner { MeleeResult::Major } else { result }
}

fn is_square_against_horse(field: &Field, unit: UnitId) -> bool {
    target::in_square(field, unit) && melee::opponents(field, unit).any(|enemy| field::is_mounted(field, enemy))
}

/// What follows for everybody in a fight.
fn settle(field: &Field, melee: Melee, winner: Option<Side>, result: MeleeResult) -> Fought {
    let line = row(&field.charts().result, result);
    let (lost, paid) = (figure(line.loser_loses) as u8, figure(line.winner_loses) as u8);
    let mut fought = Fought { winner, ..Fought::default() };
    for side in Side::BOTH {
        let beaten = winner == Some(side.other());
        fought.losses[side] = if winner == Some(side) { paid } else { lost };
        let losers = melee.of(side).rev().filter(|unit| beaten || melee.ridden_down.contains(unit));
        fought.beaten.extend(losers.filter_map(|unit| {
            let by = opponent(field, &melee, unit)?;
            let square = is_square_against_horse(field, unit);
            Some(Beaten { unit, by, result: result_for(field, &melee, unit, result), square })
        }));
        let winners = melee.counted(side).filter(|_| winner == Some(side));
        fought.victors.extend(winners.filter_map(|unit| {
            let over = opponent(field, &melee, unit)?;
            Some(Victor { unit, over, result, charged: melee::is_charging(field, unit) })
        }));
    }
    fought.melee = melee;
    fought
}

/// Whom a unit fights first of all; whoever backs others up shares their enemy.
fn opponent(field: &Field, melee: &Melee, unit: UnitId) -> Option<UnitId> {
    let side = field.side_of(unit);
    let own = field::troops(field, unit).charge.as_deref().map(|charge| charge.at);
    let touched = || melee::opponents(field, unit).next();
    let charged = own.filter(|at| field::troops(field, unit).contact.contains(at) && melee::can_fight(field, *at));
    charged.or_else(touched).or_else(|| melee.fighters[side.other()].first().copied())
}

/// 5.3: losses of all fights, the risk to generals, states.
pub fn apply_all(umpire: &mut Umpire<'_, Days>, fights: &[Fought]) {
    for fought in fights {
        for unit in fought.melee.all() {
            let by = damage::enemy_of(umpire, unit);
            staff::risk(umpire, unit, by);
        }
    }
    for fought in fights {
        for side in sequence::in_turn(umpire.state()) {
            share_out(umpire, fought, side);
        }
    }
    for fought in fights {
        worsen(umpire, fought);
        for unit in fought.melee.all() {
            close(umpire, unit);
        }
    }
}

/// Losses of a side fall evenly on its units; guns that are lost themselves lose nothing else.
fn share_out(umpire: &mut Umpire<'_, Days>, fought: &Fought, side: Side) {
    let units: SmallVec<[UnitId; 4]> =
        fought.melee.counted(side).filter(|unit| field::is_there(umpire.state(), *unit)).collect();
    let mut rolls = SmallVec::<[Roll; 2]>::new();
    let mut shares = split(umpire, &units, fought.losses[side], &mut rolls);
    let walk_over = fought.melee.walk_over() == Some(side.other());
    let field = umpire.state();
    // Those who are ridden down lose apart from the rest.
    let major = figure(field.charts().result.major.loser_loses) as u8;
    let run_over: SmallVec<[UnitId; 4]> =
        fought.melee.of(side).filter(|unit| fought.melee.ridden_down.contains(unit)).collect();
    if walk_over {
        shares = split(umpire, &run_over, fought.losses[side], &mut rolls);
    } else {
        shares.extend(run_over.into_iter().map(|unit| (unit, major)));
    }
    let field = umpire.state();
    let mixed = shares.iter().any(|(unit, _)| field::is_mounted(field, *unit))
        && shares.iter().any(|(unit, _)| field::is_foot(field, *unit));
    shares.retain(|(_, lost)| *lost > 0);
    if shares.is_empty() && rolls.is_empty() {
        return;
    }
    let told = DaysEvent::LossesShared { side, shares: shares.clone() };
    let mut event = Event::own(Clause::LossesSharedOut, told)
        .also(Clause::LossesByTheResult)
        .also(Clause::WhoBearsTheOddLoss)
        .also_if(mixed, Clause::HorseAndFootTogether);
    for roll in rolls {
        event = event.rolled(roll);
    }
    umpire.announce(event);
    for (unit, lost) in shares {
        pay(umpire, fought, unit, lost);
    }
}

/// One unit's share. A stand's worth of loss costs a battery some of its crew.
fn pay(umpire: &mut Umpire<'_, Days>, fought: &Fought, unit: UnitId, lost: u8) {
    let field = umpire.state();
    let by = fought.beaten.iter().find(|beaten| beaten.unit == unit);
    if !field::facts(field, unit).is_battery() {
        damage::lose_stands(umpire, unit, lost, Cause::Assault, by.map(|beaten| beaten.by));
        return;
    }
    let taken = by.is_some_and(|beaten| beaten.result >= MeleeResult::Minor);
    if !taken {
        let each = figure(field.charts().special.guns_marginal_crew) as u8;
        damage::lose_crew(umpire, unit, lost.saturating_mul(each));
    }
}

/// So many losses over so many units of a side.
fn split(
    umpire: &mut Umpire<'_, Days>,
    units: &[UnitId],
    losses: u8,
    rolls: &mut SmallVec<[Roll; 2]>,
) -> Vec<(UnitId, u8)> {
    let field = umpire.state();
    let claim = |unit: &UnitId| (field::facts(field, *unit).class, melee::touching(field, *unit));
    let claims: Vec<(u8, u32)> = units.iter().map(claim).collect();
    let shares = shares(&claims, losses, |tied| {
        let tied: SmallVec<[(usize, UnitId); 4]> =
            tied.iter().filter_map(|place| units.get(*place).map(|unit| (*place, *unit))).collect();
        draw_lots(umpire, &tied, rolls)
    });
    units.iter().copied().zip(shares).collect()
}

/// Evenly; a spare loss goes to the lowest class, then to most stands in contact, then by a die.
pub fn shares(claims: &[(u8, u32)], losses: u8, mut by_die: impl FnMut(&[usize]) -> Option<usize>) -> Vec<u8> {
    let Some(each) = losses.checked_div(claims.len() as u8) else { return Vec::new() };
    let mut shares = vec![each; claims.len()];
    let mut left: Vec<usize> = (0..claims.len()).collect();
    let worth = |place: usize| claims.get(place).map(|(class, touching)| (*class, std::cmp::Reverse(*touching)));
    for _ in 0..usize::from(losses) % claims.len() {
        let least = left.iter().map(|place| worth(*place)).min();
        let tied: Vec<usize> = left.iter().copied().filter(|place| Some(worth(*place)) == least).collect();
        let chosen = match tied[..] {
            [only] => Some(only),
            _ => by_die(&tied),
        };
        left.retain(|place| Some(*place) != chosen);
        chosen.and_then(|place| shares.get_mut(place)).into_iter().for_each(|share| *share += 1);
    }
    shares
}

/// One of several, by a die between two at a time: the first on an even throw.
fn draw_lots(
    umpire: &mut Umpire<'_, Days>,
    tied: &[(usize, UnitId)],
    rolls: &mut SmallVec<[Roll; 2]>,
) -> Option<usize> {
    let dice = umpire.charts().assault.dice.value.0;
    let mut chosen = tied.first().copied()?;
    for other in tied.iter().skip(1) {
        let by = damage::enemy_of(umpire, chosen.1);
        let roll = umpire.roll(dice, by);
        if roll.total() % 2 != 0 {
            chosen = *other;
        }
        rolls.push(roll);
    }
    Some(chosen.0)
}

/// New rungs for both sides; routs come with the moves.
fn worsen(umpire: &mut Umpire<'_, Days>, fought: &Fought) {
    let results = umpire.charts().result.clone();
    let special = umpire.charts().special.clone();
    let mut falls: Vec<(UnitId, Condition)> = Vec::new();
    if fought.winner.is_none() {
        falls.extend(fought.melee.all().map(|unit| (unit, results.locked.loser_state.value)));
    }
    for beaten in &fought.beaten {
        let held = beaten.square && beaten.result == MeleeResult::Marginal;
        let usual = row(&results, beaten.result).loser_state.value;
        falls.push((beaten.unit, if held { special.square_marginal_state.value } else { usual }));
    }
    for victor in &fought.victors {
        falls.push((victor.unit, row(&results, victor.result).winner_state.value));
    }
    for (unit, condition) in falls {
        let order = match condition {
            Condition::Disordered => OrderState::Disordered,
            Condition::Shaken => OrderState::Shaken,
            Condition::Good | Condition::Routing | Condition::ToGround => continue,
        };
        if field::is_there(umpire.state(), unit) && field::order(umpire.state(), unit) < order {
            morale::worsen(umpire, unit, order, Clause::MarginDecidesTheResult);
        }
    }
}

/// The fight is over for a unit: so is its charge, so is its break-through.
pub fn close(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    if !field::is_there(umpire.state(), unit) {
        return;
    }
    umpire.announce(Event::own(Clause::TouchingMeansFighting, DaysEvent::Did { unit, doing: Doing::Fought }));
    end_charge(umpire, unit);
    if field::troops(umpire.state(), unit).broke_into.is_some() {
        umpire.announce(Event::own(Clause::BreakingThrough, DaysEvent::BreaksInto { unit, into: None }));
    }
}

/// A charge that came home ends with its fight.
pub fn end_charge(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let home = |field: &Field| {
        let charge = field::troops(field, unit).charge.as_deref();
        charge.is_some_and(|charge| charge.stage == ChargeStage::Home)
    };
    if home(umpire.state()) {
        charge::end(umpire, unit, ChargeEnd::Fought);
    }
    if home(umpire.state()) {
        let event = DaysEvent::ChargeEnds { unit, why: ChargeEnd::Fought };
        umpire.announce(Event::own(Clause::TouchingMeansFighting, event));
    }
}
