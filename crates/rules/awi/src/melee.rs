//! Chapter 5: melee, by compared dice. Groups, rounds, officers struck down, push-back. R49 to R53, R61.

use super::Awi;
use super::charts::plain;
use super::clause::Clause;
use super::event::AwiEvent;
use super::field::{
    Cover, Field, all_troops, cover_against, facts, is_closed, is_there, level, soldiers, touching_enemies,
};
use super::fire;
use super::morale::Panic;
use super::movement;
use super::officers;
use super::order::{Decision, Order};
use super::sequence::Phase;
use super::settings::MeleeLosses;
use super::unit::{Arm, Aspect};
use engine::{BySide, Cited, CommanderId, Deed, Event, Flow, Pool, Reckoning, Side, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::{Length, SLACK, Vec2};

/// The Melee part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Melee {
    /// Whose turn it is.
    pub side: Side,
    /// Units that have fought in it.
    pub done: Vec<UnitId>,
}

/// One round of one group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Round {
    pub side: Side,
    pub units: Vec<UnitId>,
    pub step: Step,
    /// Marks lost so far, in the order they were lost.
    pub losses: Vec<UnitId>,
    /// Comparisons won.
    pub wins: BySide<u8>,
    /// Unopposed wins not yet charged to a unit.
    pub unopposed: BySide<u8>,
    pub killed: SmallVec<[CommanderId; 2]>,
    /// How many dice each unit threw: the push-back follows the strongest.
    pub dice: Vec<(UnitId, u8)>,
}

/// Where a round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Step {
    Throw,
    Allot,
    Divert(Side),
    Marks,
    Push,
    Test,
}

/// Turns the page of the Melee part.
pub fn advance(umpire: &mut Umpire<'_, Awi>, melee: Melee) -> Flow<Awi> {
    let groups = groups(umpire.state(), &melee.done);
    match groups.as_slice() {
        [] => Flow::Done,
        [only] => {
            begin(umpire, only.clone());
            Flow::Again
        }
        several => {
            let units = several.iter().filter_map(|group| group.first().copied()).collect();
            Flow::Ask(Who::One(melee.side), Decision::MeleeNext { units })
        }
    }
}

/// Connected sets of touching enemies, roster order (R52).
pub fn groups(field: &Field, done: &[UnitId]) -> Vec<Vec<UnitId>> {
    let mut found: Vec<Vec<UnitId>> = Vec::new();
    for (id, _) in all_troops(field) {
        if done.contains(&id) || found.iter().any(|group| group.contains(&id)) {
            continue;
        }
        let mut group = vec![id];
        let mut next = 0;
        while let Some(&unit) = group.get(next) {
            for enemy in touching_enemies(field, unit) {
                if !group.contains(&enemy) && !done.contains(&enemy) {
                    group.push(enemy);
                }
            }
            next += 1;
        }
        if group.len() > 1 {
            group.sort();
            found.push(group);
        }
    }
    found
}

fn begin(umpire: &mut Umpire<'_, Awi>, units: Vec<UnitId>) {
    let Some(Phase::Melee(melee)) = umpire.phase() else { return umpire.fault("a melee outside its part") };
    melee.done.extend(&units);
    let side = melee.side;
    umpire.begin(Phase::Round(Round {
        side,
        units,
        step: Step::Throw,
        losses: Vec::new(),
        wins: BySide::default(),
        unopposed: BySide::default(),
        killed: SmallVec::new(),
        dice: Vec::new(),
    }));
}

/// Judges which melee is fought next.
pub fn check_next(units: &[UnitId], order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Fight { unit } if units.contains(unit) => Verdict::fine(),
        _ => Verdict::refused(Clause::CompareScores, "name one of the melees still to be fought"),
    }
}

/// Begins the melee that was chosen.
pub fn execute_next(umpire: &mut Umpire<'_, Awi>, units: &[UnitId], order: &Order) {
    let chosen = match order {
        Order::Fight { unit } => Some(*unit),
        _ => units.iter().min().copied(),
    };
    let Some(Phase::Melee(melee)) = umpire.top() else { return umpire.fault("a melee outside its part") };
    let group =
        groups(umpire.state(), &melee.done).into_iter().find(|group| chosen.is_some_and(|id| group.contains(&id)));
    if let Some(group) = group {
        begin(umpire, group);
    }
}

/// What a unit throws and adds in a round: the pure facts of a fight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fighter {
    /// How many dice.
    pub dice: Cited<i32>,
    /// Valid from this natural score.
    pub valid_from: Cited<i32>,
    /// Added to each valid die.
    pub modifiers: SmallVec<[(Clause, &'static str, Cited<i32>); 4]>,
    /// The row its dice come from.
    pub row: Clause,
}

impl Fighter {
    /// Valid scores of a throw with modifiers, highest first.
    pub fn scores(&self, pips: &[u8]) -> SmallVec<[i8; 4]> {
        let modifier: i32 = self.modifiers.iter().map(|line| line.2.value).sum();
        let mut scores: SmallVec<[i8; 4]> = pips
            .iter()
            .filter(|pip| i32::from(**pip) >= self.valid_from.value)
            .map(|pip| (i32::from(*pip) + modifier).clamp(-100, 100) as i8)
            .collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        scores
    }

    /// The pool.
    pub fn pool(&self) -> Pool {
        Pool::d6(self.dice.value.clamp(0, 60) as u8)
    }

    /// The reckoning a player reads.
    pub fn reckoning(&self) -> Reckoning {
        let mut reckoning = Reckoning::new();
        reckoning.look(self.row, "dice", self.dice);
        reckoning.look(Clause::ValidFrom, "valid from", self.valid_from);
        for (clause, label, value) in &self.modifiers {
            reckoning.add(*clause, *label, *value);
        }
        reckoning
    }
}

/// What a unit brings to a round against the enemies it touches (5a, 5b, R51, R53).
pub fn fighter(field: &Field, unit: UnitId, enemies: &[UnitId]) -> Fighter {
    let (facts, own) = (facts(field, unit), soldiers(field, unit));
    let (row, chart) = (&field.charts().class(facts.class).melee, &field.charts().melee);
    let dice = match (facts.arm, row.horse) {
        (Arm::Cavalry, Some(horse)) => plain(horse),
        _ => plain(row.foot),
    };
    let mut modifiers: SmallVec<[(Clause, &'static str, Cited<i32>); 4]> = SmallVec::new();
    let height = fighting_level(field, unit);
    if !enemies.is_empty() && enemies.iter().all(|enemy| height > fighting_level(field, *enemy)) {
        modifiers.push((Clause::HigherGround, "higher ground", plain(chart.modifier.higher_ground)));
    }
    if own.charged_in {
        modifiers.push((Clause::ChargeBonus, "charged in", plain(chart.modifier.first_round_of_charge)));
    }
    if own.counter_bonus {
        modifiers.push((
            Clause::ChargingTheDisordered,
            "charged the disordered",
            plain(chart.modifier.target_disordered),
        ));
    }
    match defending_cover(field, unit, enemies) {
        Some(Cover::Hard) => {
            modifiers.push((Clause::DefendingHardCover, "behind hard cover", plain(chart.modifier.hard_cover)))
        }
        Some(Cover::Soft) => {
            modifiers.push((Clause::DefendingLightCover, "behind light cover", plain(chart.modifier.light_cover)))
        }
        None => {}
    }
    let aspects = enemies.iter().filter_map(|enemy| own.attack_on(*enemy)).map(|attack| attack.aspect);
    match aspects.max() {
        Some(Aspect::Rear) => modifiers.push((Clause::RearAttack, "attacking the rear", plain(chart.modifier.rear))),
        Some(Aspect::Flank) => {
            modifiers.push((Clause::FlankAttack, "attacking the flank", plain(chart.modifier.flank)))
        }
        _ => {}
    }
    Fighter { dice, valid_from: plain(chart.valid_from), modifiers, row: facts.class.melee_clause() }
}

/// In its first round a charger counts at the level its charge began from (R51).
fn fighting_level(field: &Field, unit: UnitId) -> u8 {
    let own = soldiers(field, unit);
    if own.charged_in { own.charge_level } else { level(field, unit) }
}

/// Cover is for the unit that was charged, against whoever charged it.
fn defending_cover(field: &Field, unit: UnitId, enemies: &[UnitId]) -> Option<Cover> {
    let attacks = enemies.iter().filter_map(|enemy| soldiers(field, *enemy).attack_on(unit));
    attacks.filter_map(|attack| cover_against(field, unit, attack.from.vec(), field.unit(unit).quad().centre)).max()
}

/// Comparisons won by each of two sorted lists, and how many of them unopposed (E.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[allow(missing_docs)]
pub struct Comparison {
    pub wins: [u8; 2],
    pub unopposed: [u8; 2],
}

/// Compares sorted scores from the highest down; `lost` hears which die of which side lost.
pub fn compare<T: Copy>(a: &[(i8, T)], b: &[(i8, T)], mut lost: impl FnMut(usize, T)) -> Comparison {
    let mut result = Comparison::default();
    for n in 0..a.len().max(b.len()) {
        match (a.get(n), b.get(n)) {
            (Some(one), Some(two)) if one.0 > two.0 => {
                result.wins[0] += 1;
                lost(1, two.1);
            }
            (Some(one), Some(two)) if one.0 < two.0 => {
                result.wins[1] += 1;
                lost(0, one.1);
            }
            (Some(_), None) => {
                result.wins[0] += 1;
                result.unopposed[0] += 1;
            }
            (None, Some(_)) => {
                result.wins[1] += 1;
                result.unopposed[1] += 1;
            }
            _ => {}
        }
    }
    result
}

/// Turns the page of a round.
pub fn advance_round(umpire: &mut Umpire<'_, Awi>, mut round: Round) -> Flow<Awi> {
    match round.step {
        Step::Throw => throw(umpire, &mut round),
        Step::Allot => {
            if let Some((side, among)) = allot(umpire.state(), &mut round) {
                umpire.replace(Phase::Round(round));
                return Flow::Ask(Who::One(side), Decision::UnopposedLoss { among });
            }
            trim(umpire.state(), &mut round);
            round.step = Step::Divert(round.side);
        }
        Step::Divert(side) => {
            let hits = round.losses.iter().filter(|unit| umpire.state().side_of(**unit) != side).count() as u8;
            let able = officers_in_melee(umpire.state(), &round, side);
            if hits > 0 && !able.is_empty() {
                umpire.replace(Phase::Round(round));
                return Flow::Ask(Who::One(side), Decision::DivertHits { hits, able });
            }
            round.step = after_divert(&round, side);
        }
        Step::Marks => {
            take_all(umpire, &round);
            finish(umpire, &round);
            round.step = Step::Push;
            let panic = Panic::of_commanders(umpire.state(), &round.killed);
            umpire.replace(Phase::Round(round));
            if !panic.is_empty() {
                umpire.begin(Phase::Panic(panic));
            }
            return Flow::Again;
        }
        Step::Push => {
            push_back(umpire, &round);
            round.step = Step::Test;
        }
        Step::Test => {
            umpire.end();
            let losers: Vec<UnitId> = losers(umpire.state(), &round);
            if !losers.is_empty() {
                umpire.begin(Phase::Panic(Panic::of_losers(losers)));
            }
            return Flow::Again;
        }
    }
    umpire.replace(Phase::Round(round));
    Flow::Again
}

fn after_divert(round: &Round, side: Side) -> Step {
    if side == round.side { Step::Divert(side.other()) } else { Step::Marks }
}

/// M1 and M2: one pool each, the active side's units first.
fn throw(umpire: &mut Umpire<'_, Awi>, round: &mut Round) {
    let mut scores: BySide<Vec<(i8, UnitId)>> = BySide::default();
    for side in [round.side, round.side.other()] {
        for unit in round.units.iter().copied().filter(|unit| umpire.state().side_of(*unit) == side).collect::<Vec<_>>()
        {
            let enemies = touching_enemies(umpire.state(), unit);
            let fighter = fighter(umpire.state(), unit, &enemies);
            let roll = umpire.roll(fighter.pool(), side);
            let valid = fighter.scores(&roll.pips);
            let discarded = valid.len() < roll.pips.len();
            scores[side].extend(valid.iter().map(|score| (*score, unit)));
            round.dice.push((unit, roll.pips.len() as u8));
            let event = Event::own(Clause::ValidFrom, AwiEvent::MeleeDice { unit, scores: valid })
                .also_if(discarded, Clause::InvalidDiscarded)
                .also_if(!fighter.modifiers.is_empty(), Clause::ModifiersOnValidDice)
                .also_if(umpire.state().unit(unit).own.charged_in, Clause::ChargeBackIn);
            umpire.announce(event.rolled(roll).because(fighter.reckoning()));
        }
    }
    let own = &mut scores[round.side];
    own.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let enemy = &mut scores[round.side.other()];
    enemy.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let losses = &mut round.losses;
    let result = compare(&scores[round.side], &scores[round.side.other()], |_, unit| losses.push(unit));
    round.wins[round.side] = result.wins[0];
    round.wins[round.side.other()] = result.wins[1];
    round.unopposed[round.side] = result.unopposed[0];
    round.unopposed[round.side.other()] = result.unopposed[1];
    let event = AwiEvent::MeleeRound { side: round.side, won: result.wins[0], lost: result.wins[1] };
    let alone = result.unopposed != [0, 0];
    umpire.announce(Event::own(Clause::CompareScores, event).also_if(alone, Clause::UnopposedDie));
    round.step = Step::Allot;
}

/// Charges unopposed wins to the strongest enemy; names those it must choose among (R52).
fn allot(field: &Field, round: &mut Round) -> Option<(Side, Vec<UnitId>)> {
    for side in [round.side, round.side.other()] {
        while round.unopposed[side] > 0 {
            let left = |unit: UnitId| {
                let lost = round.losses.iter().filter(|other| **other == unit).count();
                usize::from(soldiers(field, unit).marks).saturating_sub(lost)
            };
            let enemies = round.units.iter().copied().filter(|unit| field.side_of(*unit) != side);
            let most = enemies.clone().map(left).max().unwrap_or(0);
            let among: Vec<UnitId> = enemies.filter(|unit| left(*unit) == most).collect();
            match among.as_slice() {
                [] => round.unopposed[side] = 0,
                // Where nobody has a mark left to lose there is nothing to choose.
                [first, rest @ ..] if rest.is_empty() || most == 0 => {
                    round.losses.push(*first);
                    round.unopposed[side] -= 1;
                }
                _ => return Some((side, among)),
            }
        }
    }
    None
}

/// The other readings of who loses marks (R49).
fn trim(field: &Field, round: &mut Round) {
    let (a, b) = (round.wins[Side::A], round.wins[Side::B]);
    let mut keep = BySide::from_fn(|side| round.wins[side.other()]);
    match field.settings().melee_losses {
        MeleeLosses::PerPair => return,
        MeleeLosses::WinnerOnly => {
            keep[Side::A] = if a < b { b } else { 0 };
            keep[Side::B] = if b < a { a } else { 0 };
        }
        MeleeLosses::Net => {
            keep[Side::A] = b.saturating_sub(a);
            keep[Side::B] = a.saturating_sub(b);
        }
    }
    round.losses.retain(|unit| {
        let left = &mut keep[field.side_of(*unit)];
        let kept = *left > 0;
        *left = left.saturating_sub(1);
        kept
    });
}

/// Judges whom an unopposed die costs a mark.
pub fn check_strike(among: &[UnitId], order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Strike { unit } if among.contains(unit) => Verdict::fine(),
        _ => Verdict::refused(Clause::UnopposedDie, "name one of the equally strong enemies"),
    }
}

/// Charges the unopposed die as chosen.
pub fn execute_strike(umpire: &mut Umpire<'_, Awi>, among: &[UnitId], order: &Order) {
    let Some(Phase::Round(mut round)) = umpire.top() else { return umpire.fault("a strike outside a melee") };
    let unit = match order {
        Order::Strike { unit } => Some(*unit),
        _ => among.iter().min().copied(),
    };
    if let Some(unit) = unit {
        let by = umpire.state().side_of(unit).other();
        round.losses.push(unit);
        round.unopposed[by] = round.unopposed[by].saturating_sub(1);
    }
    umpire.replace(Phase::Round(round));
}

/// Enemy officers in the thick of it: touching a unit of this side, or a friend who is (7b-d).
fn officers_in_melee(field: &Field, round: &Round, side: Side) -> Vec<CommanderId> {
    let in_group = |of: Side| round.units.iter().copied().filter(move |unit| field.side_of(*unit) == of);
    field
        .commanders()
        .filter(|(id, officer)| officer.is_present() && field.muster().commander(*id).side != side)
        .filter(|(id, officer)| {
            let own = field.muster().commander(*id).side;
            in_group(side).chain(in_group(own)).any(|unit| table::quads_touch(field.unit(unit).quad(), officer.quad()))
        })
        .map(|(id, _)| id)
        .collect()
}

/// Judges hits spent on officers.
pub fn check_divert(hits: u8, able: &[CommanderId], order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Divert { on } => {
            let mut verdict = Verdict::fine();
            if on.len() > usize::from(hits) {
                verdict.refuse(Clause::AttemptSpendsHit, format!("only {hits} hit(s) were scored"));
            }
            if on.iter().any(|officer| !able.contains(officer)) {
                verdict.refuse(Clause::OfficerInMelee, "this commander is not in the melee");
            }
            verdict
        }
        _ => Verdict::refused(Clause::OfficerInMelee, "the question is whether to spend hits on commanders"),
    }
}

/// Spends hits on officers (M3).
pub fn execute_divert(umpire: &mut Umpire<'_, Awi>, side: Side, order: &Order) {
    let Some(Phase::Round(mut round)) = umpire.top() else { return umpire.fault("diverted hits outside a melee") };
    if let Order::Divert { on } = order {
        for &officer in on {
            let spent = round.losses.iter().rposition(|unit| umpire.state().side_of(*unit) != side);
            if let Some(place) = spent {
                round.losses.remove(place);
            }
            let alive = umpire.state().commander(officer).is_present();
            if alive && fire::strike_officer(umpire, officer, side, Clause::OfficerInMelee) {
                round.killed.push(officer);
            }
        }
    }
    round.step = after_divert(&round, side);
    umpire.replace(Phase::Round(round));
}

fn take_all(umpire: &mut Umpire<'_, Awi>, round: &Round) {
    for &unit in &round.units {
        let lost = round.losses.iter().filter(|other| **other == unit).count() as u8;
        fire::take_marks(umpire, unit, lost, Clause::CompareScores);
    }
}

/// M9: whoever fought has had the first round of its charge. It is over before anybody runs, for a pursuer that runs
/// into fresh troops has charged in anew (R35).
fn finish(umpire: &mut Umpire<'_, Awi>, round: &Round) {
    for &unit in &round.units {
        if is_there(umpire.state(), unit) {
            umpire.announce(Event::own(Clause::ChargeBonus, AwiEvent::Fought { unit }));
        }
    }
}

fn loser_side(round: &Round) -> Option<Side> {
    let (a, b) = (round.wins[Side::A], round.wins[Side::B]);
    match a.cmp(&b) {
        std::cmp::Ordering::Less => Some(Side::A),
        std::cmp::Ordering::Greater => Some(Side::B),
        std::cmp::Ordering::Equal => None,
    }
}

fn losers(field: &Field, round: &Round) -> Vec<UnitId> {
    let Some(side) = loser_side(round) else { return Vec::new() };
    round
        .units
        .iter()
        .copied()
        .filter(|unit| {
            field.side_of(*unit) == side && is_there(field, *unit) && !super::field::is_routing(field, *unit)
        })
        .collect()
}

/// Losers go back along the winner's facing, winners keep touch; where one of them has no room they all stop (R50).
fn push_back(umpire: &mut Umpire<'_, Awi>, round: &Round) {
    let field = umpire.state();
    let dice = |unit: &UnitId| round.dice.iter().find(|entry| entry.0 == *unit).map_or(0, |entry| entry.1);
    let mut pushed: Vec<(UnitId, Vec2)> = Vec::new();
    for loser in losers(field, round) {
        let touching = touching_enemies(field, loser);
        let Some(winner) = touching.iter().copied().max_by(|a, b| dice(a).cmp(&dice(b)).then(b.cmp(a))) else {
            continue;
        };
        let along = field.unit(winner).pose().forward();
        pushed.push((loser, along));
        for unit in touching {
            if pushed.iter().all(|known| known.0 != unit) {
                pushed.push((unit, along));
            }
        }
    }
    let most = field.charts().melee.push_back.value.0;
    let room = pushed.iter().map(|(unit, along)| room_ahead(field, round, *unit, *along, most));
    let go = room.min().unwrap_or(Length::ZERO);
    if go <= SLACK {
        return;
    }
    for (unit, along) in pushed {
        let from = umpire.state().unit(unit).pose();
        let to = from.shifted(along * go.as_f64());
        umpire.announce(Event::new(Clause::PushBack, Deed::Moved { unit, to, path: Vec::new() }));
        movement::tread_along(umpire, unit, from.at);
    }
    officers::make_room(umpire);
}

/// How far a unit can be carried before something outside the melee stops it.
fn room_ahead(field: &Field, round: &Round, unit: UnitId, along: Vec2, most: Length) -> Length {
    let quad = *field.unit(unit).quad();
    let arm = facts(field, unit).arm;
    let mut go = most;
    for (_, other) in all_troops(field).filter(|(id, _)| !round.units.contains(id)) {
        if let Some(at) = table::reach(&quad, along, go, other.quad()) {
            go = go.min(at);
        }
    }
    for feature in field.ground().features.iter().filter(|feature| is_closed(feature.kind, arm)) {
        if let Some((from, _)) = feature.shape.sweep(&quad, along * go.as_f64()).first() {
            go = go.min(go.times(*from));
        }
    }
    // The table edge: as far as every corner stays on it.
    let fits = |length: Length| field.ground().holds(&quad.shifted(along * length.as_f64()));
    if fits(go) {
        return go;
    }
    let (mut low, mut high) = (Length::ZERO, go);
    while high - low > SLACK {
        let middle = (low + high).half();
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}
