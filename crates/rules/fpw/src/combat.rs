//! The combat phase: groups of touching enemies, their rounds, dice and markers. Section D, P4; R74 to R78, R80.

#[cfg(test)]
mod tests;

use super::Fpw;
use super::clause::Clause;
use super::contact;
use super::event::{FpwEvent, Throw};
use super::field::{Field, is_there, soldiers};
use super::followup::Yielding;
use super::markers;
use super::order::{Decision, Order};
use super::sequence::Phase;
use super::strikes::{self, Choice, Strike, choices, opponents, touching_stands};
use engine::{Cited, Event, Flow, Pool, Reckoning, Side, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};

/// The combat phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Combat {
    /// Whose turn it is.
    pub side: Side,
}

impl Combat {
    /// The combat phase of a side's turn.
    pub fn new(side: Side) -> Combat {
        Combat { side }
    }
}

/// One group of touching enemies fighting its rounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fight {
    /// Whose turn it is; his dice come first.
    pub side: Side,
    /// Who is in it.
    pub units: Vec<UnitId>,
    /// Rounds fought so far.
    pub round: u8,
    /// What comes next.
    pub step: FightStep,
    /// Whom stands strike where their owners had a choice.
    pub whom: Vec<Choice>,
}

/// What comes next in a fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FightStep {
    /// Owners choose whom their stands strike.
    Choose,
    /// The dice.
    Throw,
    /// Whoever had to has yielded; is there another round?
    After,
}

/// Turns the page of the combat phase.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, combat: Combat) -> Flow<Fpw> {
    contact::settle(umpire, Clause::CarriedOver);
    let groups = groups(umpire.state());
    match groups.as_slice() {
        [] => Flow::Done,
        [only] => {
            begin(umpire, combat.side, only.clone());
            Flow::Again
        }
        several => {
            let units = several.iter().filter_map(|group| group.first().copied()).collect();
            Flow::Ask(Who::One(combat.side), Decision::NextFight { units })
        }
    }
}

/// Connected sets of touching enemies who have rounds left to fight, roster order.
pub fn groups(field: &Field) -> Vec<Vec<UnitId>> {
    let mut found: Vec<Vec<UnitId>> = Vec::new();
    for (id, unit) in field.units() {
        if !unit.is_present() || found.iter().any(|group| group.contains(&id)) {
            continue;
        }
        let group = connected(field, vec![id]);
        if group.len() > 1 {
            found.push(group);
        }
    }
    found
}

fn connected(field: &Field, mut group: Vec<UnitId>) -> Vec<UnitId> {
    let mut next = 0;
    while let Some(&unit) = group.get(next) {
        for enemy in opponents(field, unit) {
            if !group.contains(&enemy) {
                group.push(enemy);
            }
        }
        next += 1;
    }
    group.sort();
    group
}

fn begin(umpire: &mut Umpire<'_, Fpw>, side: Side, units: Vec<UnitId>) {
    umpire.begin(Phase::Fight(Fight { side, units, round: 0, step: FightStep::Choose, whom: Vec::new() }));
}

/// Judges which fight is next.
pub fn check_next(units: &[UnitId], order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Fight { unit } if units.contains(unit) => Verdict::fine(),
        _ => Verdict::refused(Clause::TouchingFight, "name one of the fights still to be fought"),
    }
}

/// Begins it.
pub fn execute_next(umpire: &mut Umpire<'_, Fpw>, units: &[UnitId], order: &Order) {
    let chosen = match order {
        Order::Fight { unit } => Some(*unit),
        _ => units.iter().min().copied(),
    };
    let Some(Phase::Combat(combat)) = umpire.top() else { return umpire.fault("a fight outside its phase") };
    let group = groups(umpire.state()).into_iter().find(|group| chosen.is_some_and(|id| group.contains(&id)));
    if let Some(group) = group {
        begin(umpire, combat.side, group);
    }
}

/// Judges whom a stand strikes.
pub fn check_whom(among: &[UnitId], order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Strike { unit } if among.contains(unit) => Verdict::fine(),
        _ => Verdict::refused(Clause::TouchingFight, "name one of the enemies the stand touches"),
    }
}

/// Notes it.
pub fn execute_whom(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, stand: u8, among: &[UnitId], order: &Order) {
    let at = match order {
        Order::Strike { unit } => Some(*unit),
        _ => among.iter().min().copied(),
    };
    if let (Some(Phase::Fight(fight)), Some(at)) = (umpire.phase(), at) {
        fight.whom.push((unit, stand, at));
    }
}

/// Units of a fight that strike in the next round, the side on turn first, roster order.
fn fighters(field: &Field, fight: &Fight) -> Vec<UnitId> {
    let engaged = |unit: &UnitId| is_there(field, *unit) && !opponents(field, *unit).is_empty();
    let mut units: Vec<UnitId> = fight.units.iter().copied().filter(engaged).collect();
    units.extend(strikes::supporters(field, &units));
    units.sort_by_key(|unit| (field.side_of(*unit) != fight.side, *unit));
    units
}

/// Turns the page of a fight.
pub fn advance_fight(umpire: &mut Umpire<'_, Fpw>, mut fight: Fight) -> Flow<Fpw> {
    match fight.step {
        FightStep::Choose => {
            let field = umpire.state();
            let units = fighters(field, &fight);
            if units.is_empty() {
                return Flow::Done;
            }
            if let Some((unit, stand, among)) = open_choice(field, &units, &fight.whom) {
                return Flow::Ask(Who::One(field.side_of(unit)), Decision::Whom { unit, stand, among });
            }
            fight.step = FightStep::Throw;
            umpire.replace(Phase::Fight(fight));
        }
        FightStep::Throw => {
            let yielding = fight_round(umpire, &fight);
            fight.round += 1;
            fight.step = FightStep::After;
            fight.whom.clear();
            umpire.replace(Phase::Fight(fight));
            umpire.begin(Phase::Yielding(yielding));
        }
        FightStep::After => {
            // Whoever a follow-up has run into is in the fight now.
            fight.units = connected(umpire.state(), fight.units);
            fight.units.retain(|unit| is_there(umpire.state(), *unit));
            fight.step = FightStep::Choose;
            umpire.replace(Phase::Fight(fight));
        }
    }
    Flow::Again
}

fn open_choice(field: &Field, units: &[UnitId], made: &[Choice]) -> Option<(UnitId, u8, Vec<UnitId>)> {
    units.iter().find_map(|unit| {
        let open = choices(field, *unit).into_iter().find(|(stand, among)| {
            among.len() > 1 && !made.iter().any(|choice| choice.0 == *unit && choice.1 == *stand)
        });
        open.map(|(stand, among)| (*unit, stand, among.into_vec()))
    })
}

/// One round: all dice, then all markers.
fn fight_round(umpire: &mut Umpire<'_, Fpw>, fight: &Fight) -> Yielding {
    let units = fighters(umpire.state(), fight);
    let field = umpire.state();
    let pairs: Vec<(UnitId, Vec<UnitId>)> =
        units.iter().map(|unit| (*unit, opponents(field, *unit).into_vec())).collect();
    let plans: Vec<(UnitId, Vec<Strike>)> =
        units.iter().map(|unit| (*unit, strikes::strikes(field, *unit, &fight.whom))).collect();
    let mut hits: Vec<(UnitId, UnitId, u8)> = Vec::new();
    for (unit, strikes) in &plans {
        throw(umpire, *unit, strikes, &mut hits);
    }
    let touching: Vec<(UnitId, Vec<u8>)> =
        pairs.iter().map(|(unit, foes)| (*unit, touched(umpire.state(), *unit, foes))).collect();
    let sum = |of: &dyn Fn(&(UnitId, UnitId, u8)) -> bool| {
        hits.iter().filter(|hit| of(hit)).fold(0u8, |sum, hit| sum.saturating_add(hit.2))
    };
    for (unit, _) in &pairs {
        let (given, taken) = (sum(&|hit| hit.0 == *unit), sum(&|hit| hit.1 == *unit));
        let fought = FpwEvent::RoundFought { unit: *unit, given, taken };
        umpire.announce(Event::own(Clause::CombatDice, fought));
    }
    for (unit, stands) in &touching {
        let taken = sum(&|hit| hit.1 == *unit);
        if taken > 0 {
            markers::degrade(umpire, *unit, taken, stands);
        }
    }
    Yielding::new(fight.side, pairs)
}

/// Stands of a unit that touch any of its opponents.
fn touched(field: &Field, unit: UnitId, foes: &[UnitId]) -> Vec<u8> {
    let mut stands: Vec<u8> = foes.iter().flat_map(|foe| touching_stands(field, unit, *foe)).collect();
    stands.sort_unstable();
    stands.dedup();
    stands
}

/// One unit's dice: stand by stand, one pool.
fn throw(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, strikes: &[Strike], hits: &mut Vec<(UnitId, UnitId, u8)>) {
    let dice: i32 = strikes.iter().map(|strike| strike.dice.value).sum();
    if dice <= 0 {
        return;
    }
    let side = umpire.state().side_of(unit);
    let roll = umpire.roll(Pool::d6(dice.min(i32::from(u8::MAX)) as u8), side);
    let each = strikes.iter().flat_map(|strike| std::iter::repeat_n(strike, strike.dice.value.max(0) as usize));
    let mut throws = Vec::new();
    for (strike, pip) in each.zip(&roll.pips) {
        let hit = strike.hits(*pip);
        let factor = strike.factor().clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8;
        throws.push(Throw { by: unit, stand: strike.stand, pip: *pip, factor, hit });
        if hit {
            match hits.iter_mut().find(|known| known.0 == unit && known.1 == strike.at) {
                Some(known) => known.2 = known.2.saturating_add(1),
                None => hits.push((unit, strike.at, 1)),
            }
        }
    }
    let scored = throws.iter().filter(|throw| throw.hit).count() as u8;
    let fight = &soldiers(umpire.state(), unit).fight;
    let (second, at_once) = (fight.rounds > 0 && !fight.followed_up, fight.followed_up);
    let carried_over = fight.rounds == 0 && (fight.given > 0 || fight.taken > 0);
    let doubled = umpire.charts().combat.dice.value.get();
    let event = Event::own(Clause::CombatDice, FpwEvent::CombatDice { unit, throws, hits: scored })
        .also(Clause::TouchingFight)
        .also_if(second, Clause::SecondRound)
        .also_if(at_once, Clause::RoundAtOnce)
        .also_if(carried_over, Clause::CarriedOver)
        .also_if(strikes.iter().any(|strike| strike.second_rank), Clause::SecondRank)
        .also_if(strikes.iter().any(|strike| strike.dice.value > doubled), Clause::DoubleDice);
    umpire.announce(event.rolled(roll).because(reckoning(strikes)));
}

/// What all stands have in common is added up; what only some have is told beside it.
pub fn reckoning(strikes: &[Strike]) -> Reckoning {
    let mut reckoning = Reckoning::new();
    let Some(first) = strikes.first() else { return reckoning };
    reckoning.look(Clause::CombatDice, "modified score that hits", first.need);
    reckoning.look(Clause::CombatDice, "stands that fight", Cited::derived(strikes.len() as i32));
    let common = |line: &(Clause, &'static str, Cited<i32>)| strikes.iter().all(|s| s.modifiers.contains(line));
    for line in first.modifiers.iter().filter(|line| common(line)) {
        reckoning.add(line.0, line.1, line.2);
    }
    for strike in strikes {
        for line in strike.modifiers.iter().filter(|line| !common(line)) {
            reckoning.look(line.0, format!("stand {}: {}", strike.stand + 1, line.1), line.2);
        }
    }
    reckoning
}
