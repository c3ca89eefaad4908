//! Exact odds from the very resolvers the umpire uses: fire, flinch tests, activation, rally. Each comes in two forms: of
//! an order on the table, and of figures given in words.

use super::Guns;
use super::blast::{self, Everybody};
use super::charts::{Charts, plain};
use super::command::answer::{self, Call};
use super::event::Manner;
use super::field::{Field, chain, facts, is_there, present, troops};
use super::order::{Decision, Move, Nomination, Order, Shot};
use super::ranging::{self, Strike};
use super::shooting::judgement::{is_known, is_own};
use super::shooting::{Calculation, ReadyShot};
use super::unit::Ability;
use super::{artillery, flinch, musketry};
use book::telling::voice;
use engine::{Asked, CommanderId, Odds, Side, Spread, Stake, UnitId, View};

/// Odds of an order, as far as its side may know them.
pub fn odds(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, order: &Order) -> Option<Odds> {
    let field: &Field = view;
    let charges = |pairs: &[(UnitId, UnitId)]| {
        let known = pairs.iter().filter(|(unit, at)| is_own(field, side, *unit) && is_known(field, *at));
        joined(known.map(|(unit, at)| of_charge(field, *unit, *at)))
    };
    match (&asked.decision, order) {
        (Decision::Nominate, Order::Nominate { brigades, .. }) => of_nominations(field, side, brigades),
        (Decision::Guns, Order::Fire { shots, hold }) => of_guns(field, side, shots, hold),
        (Decision::Musketry, Order::Fire { shots, .. }) => {
            let ready = legal(field, side, shots).filter_map(|shot| musketry::ready(field, shot, Manner::Musketry));
            joined(ready.map(|shot| of_shot(field, &shot)))
        }
        (Decision::Plot, Order::Plot { moves, .. }) => charges(&charges_of(moves)),
        (Decision::CounterCharge { able }, Order::CounterCharge { units }) => {
            let rides = able[side].iter().filter(|shot| units.contains(&shot.unit));
            charges(&rides.map(|shot| (shot.unit, shot.at)).collect::<Vec<_>>())
        }
        (Decision::PressOn { unit, .. }, Order::PressOn { at }) => charges(&[(*unit, *at)]),
        _ => None,
    }
}

/// Several plots in a row.
fn joined(mut plots: impl Iterator<Item = Odds>) -> Option<Odds> {
    let first = plots.next()?;
    Some(plots.fold(first, Odds::followed_by))
}

fn charges_of(moves: &[Move]) -> Vec<(UnitId, UnitId)> {
    let charge = |step: &Move| match step {
        Move::Charge { unit, at, .. } => Some((*unit, *at)),
        _ => None,
    };
    moves.iter().filter_map(charge).collect()
}

/// Shots whose firer and target are on the table.
fn legal<'f>(field: &'f Field, side: Side, shots: &'f [Shot]) -> impl Iterator<Item = Shot> + 'f {
    let there =
        move |shot: &Shot| is_own(field, side, shot.unit) && is_known(field, shot.at) && is_there(field, shot.at);
    shots.iter().copied().filter(there)
}

// --- Fire -----------------------------------------------------------------------------------

/// How many points a calculation takes off.
pub fn fire_spread(charts: &Charts, sums: &Calculation) -> Spread<u8> {
    Spread::of_pool(charts.combat.die.value.0, |pips| sums.result(charts, pips.first().copied().unwrap_or_default()).1)
}

/// The plot of a calculation.
pub fn fire(charts: &Charts, title: impl Into<String>, sums: &Calculation) -> Odds {
    counting(charts, sums, Odds::plot(title, &fire_spread(charts, sums), |damage| points(*damage)))
}

/// Says what counts in a calculation, and what each truth in it makes: the points lost on average without it.
fn counting(charts: &Charts, sums: &Calculation, plot: Odds) -> Odds {
    let mean = |sums: &Calculation| fire_spread(charts, sums).map(|damage| i32::from(*damage)).mean();
    let whole = mean(sums);
    let mut plot = plot.counting(&sums.before_the_die(charts));
    for factor in &mut plot.factors {
        let less = sums.without(&factor.clause);
        factor.makes = (less != *sums).then(|| Stake::Mean("points").tell(whole - mean(&less)));
    }
    plot
}

fn points(damage: u8) -> String {
    match damage {
        0 => "no damage".to_owned(),
        1 => "1 point".to_owned(),
        more => format!("{more} points"),
    }
}

/// The plot of a shot on the table. What would finish the target is told as such.
fn of_shot(field: &Field, shot: &ReadyShot) -> Odds {
    let (by, at) = (voice::unit(field, shot.by), voice::unit(field, shot.at));
    let title = format!("{by} at {at}: {} counted", shot.calculation.counted);
    let left = troops(field, shot.at).status;
    let finishes = !facts(field, shot.at).screen;
    let taken =
        fire_spread(field.charts(), &shot.calculation).map(|damage| if finishes { left.min(*damage) } else { *damage });
    let plot = Odds::plot(title, &taken, |damage| match *damage {
        damage if finishes && damage == left => format!("{}, finished", points(damage)),
        damage => points(damage),
    });
    counting(field.charts(), &shot.calculation, plot)
}

/// Direct fire as ordered, and indirect fire that was marked and is not held.
fn of_guns(field: &Field, side: Side, shots: &[Shot], hold: &[UnitId]) -> Option<Odds> {
    let direct = legal(field, side, shots).filter_map(|shot| artillery::ready(field, shot, Manner::Direct, 0));
    let mut ready: Vec<ReadyShot> = direct.collect();
    let busy = |id: &UnitId| hold.contains(id) || shots.iter().any(|shot| shot.unit == *id);
    let marked = present(field, side).map(|(id, _)| id).filter(|id| !busy(id));
    let strikes: Vec<Strike> = marked.filter_map(|id| ranging::strike(field, id)).collect();
    if !strikes.is_empty() {
        let everybody = Everybody::of(field);
        for strike in &strikes {
            let area = blast::blocks(field, strike.battery, strike.point, &strike.blocks);
            let under = everybody.under(field, &area).into_iter();
            let shot = |(at, blocks)| artillery::ready(field, Shot { unit: strike.battery, at }, strike.manner, blocks);
            ready.extend(under.filter_map(shot));
        }
    }
    joined(ready.iter().map(|shot| of_shot(field, shot)))
}

// --- Flinch tests and rallies ---------------------------------------------------------------

/// Whether a die is no more than a total.
fn at_most(charts: &Charts, total: i32) -> Spread<bool> {
    let die = charts.flinch.die.value.0;
    Spread::of_pool(die, |pips| i32::from(pips.first().copied().unwrap_or_default()) <= total)
}

/// The plot of a flinch test against a total.
pub fn flinch_test(charts: &Charts, title: impl Into<String>, total: i32) -> Odds {
    Odds::plot(title, &at_most(charts, total), |passed| if *passed { "goes in" } else { "flinches" }.to_owned())
}

/// The plot of a rally test at a status.
pub fn rally(charts: &Charts, title: impl Into<String>, status: u8) -> Odds {
    let passed = at_most(charts, i32::from(status));
    Odds::plot(title, &passed, |passed| if *passed { "rallies" } else { "goes on retiring" }.to_owned())
}

/// The test of a charge as everything stands now; fire before it may still change the total.
fn of_charge(field: &Field, unit: UnitId, at: UnitId) -> Odds {
    let sum = flinch::reckoning(field, unit, Some(at));
    let total = sum.whole();
    let title = format!("{}, on {total} or less as things stand", voice::does(voice::unit(field, unit), "go in"));
    let goes_in = |total: i32| at_most(field.charts(), total).chance(|passed| *passed);
    flinch_test(field.charts(), title, total).weighing(&sum, Stake::Chance, goes_in)
}

/// The rally test of a broken unit at the end of the bound.
pub fn of_rally(field: &Field, unit: UnitId) -> Odds {
    let status = troops(field, unit).status;
    let title = format!("{} on {status} or less", voice::does(voice::unit(field, unit), "rally"));
    rally(field.charts(), title, status)
}

// --- Activation -----------------------------------------------------------------------------

/// More brigades than this are not reckoned together; no side has so many.
const MOST_BRIGADES: usize = 12;

/// What a brigade needs on its die.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needy {
    /// Its name.
    pub name: String,
    /// The lowest face that activates it.
    pub need: i32,
}

/// What a brigadier of an ability needs with a sum of modifiers.
pub fn need(charts: &Charts, ability: Ability, modifiers: i32) -> i32 {
    plain(charts.command.rating(ability).need).value - modifiers
}

/// How many of the named brigades are activated when the dice are dealt as well as they can be, and for each how likely
/// it is that the dice hold one it can use.
pub fn activation(charts: &Charts, brigades: &[Needy]) -> Odds {
    let brigades = &brigades[..brigades.len().min(MOST_BRIGADES)];
    let die = Spread::of_pool(charts.command.dice.value.0, |pips| i32::from(pips.first().copied().unwrap_or_default()));
    let mut needs: Vec<i32> = brigades.iter().map(|brigade| brigade.need).collect();
    needs.sort_unstable();
    let faces: Vec<i32> = die.chances().map(|(face, _)| *face).collect();
    // Dice are alike: what counts is how many show each face.
    let hands = (0..brigades.len()).fold(Spread::certain(vec![0u8; faces.len()]), |hands, _| {
        hands.then(|hand| die.map(|face| with_one_more(hand, &faces, *face)))
    });
    let dealt = hands.map(|hand| activated(hand, &faces, &needs));
    let label = |count: &usize| voice::count(*count, "brigade");
    let title = format!("brigades activated of {}", brigades.len());
    brigades.iter().fold(Odds::plot(title, &dealt, label), |odds, brigade| {
        let usable = hands.map(|hand| has_usable(hand, &faces, brigade.need));
        let title = format!("a die for {}, on {} or more", brigade.name, brigade.need);
        odds.followed_by(Odds::plot(title, &usable, |usable| if *usable { "usable" } else { "none" }.to_owned()))
    })
}

fn with_one_more(hand: &[u8], faces: &[i32], face: i32) -> Vec<u8> {
    let grown = |(count, own): (&u8, &i32)| count.saturating_add(u8::from(*own == face));
    hand.iter().zip(faces).map(grown).collect()
}

fn has_usable(hand: &[u8], faces: &[i32], need: i32) -> bool {
    hand.iter().zip(faces).any(|(count, face)| *count > 0 && *face >= need)
}

/// The most brigades a hand activates: the least demanding first, each with the lowest die that will do.
fn activated(hand: &[u8], faces: &[i32], needs: &[i32]) -> usize {
    let mut hand = hand.to_vec();
    let mut served = 0;
    for need in needs {
        let Some(place) = hand.iter().zip(faces).position(|(count, face)| *count > 0 && face >= need) else { continue };
        hand[place] -= 1;
        served += 1;
    }
    served
}

fn of_nominations(field: &Field, side: Side, brigades: &[Nomination]) -> Option<Odds> {
    let commands = field.muster().commands.len();
    let known = brigades.iter().filter(|it| it.brigade.index() < commands);
    let own = known.filter(|it| field.muster().command(it.brigade).side == side);
    let needy: Vec<Needy> =
        own.map(|it| Needy { name: voice::command(field, it.brigade).to_owned(), need: need_of(field, it) }).collect();
    (!needy.is_empty()).then(|| activation(field.charts(), &needy))
}

/// The lowest face at which anybody of a brigade answers; one more than the die has where nobody does (R45 to R47).
fn need_of(field: &Field, nomination: &Nomination) -> i32 {
    let above = chain(field, nomination.brigade);
    let known = |general: &CommanderId| above.contains(general);
    let call = Call {
        brigade: nomination.brigade,
        issuer: answer::issuer(field, nomination).filter(known),
        present: nomination.present.iter().copied().filter(known).collect(),
    };
    let lowest = answer::faces(field, &call).into_iter().filter_map(|(_, face)| face).min();
    i32::from(lowest.unwrap_or_else(|| answer::die_sides(field).saturating_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::Clause;
    use crate::shooting::tests::charts;

    #[test]
    fn fire_is_counted_face_by_face() {
        let adds = [Clause::TargetCharging].into_iter().collect();
        let sums = Calculation { status: 7, counted: 4, adds, ..Calculation::default() };
        // 0.7 before the die: only +0.4, +0.8 and +1.0 bring it to a point.
        assert_eq!(fire_spread(&charts(), &sums).ways_of(&1), (3, 10));
        assert_eq!(fire_spread(&charts(), &sums).ways_of(&0), (7, 10));
    }

    #[test]
    fn tests_pass_on_the_total_or_less() {
        assert_eq!(at_most(&charts(), 9).ways_of(&true), (9, 10));
        assert_eq!(at_most(&charts(), 0).ways_of(&false), (1, 1));
        assert_eq!(at_most(&charts(), 14).ways_of(&true), (1, 1));
    }

    #[test]
    fn a_hand_is_dealt_as_well_as_it_can_be() {
        let faces = [1, 2, 3, 4, 5, 6];
        // The example of the book: 6, 4 and 3 for two brigades that need 4 and one that needs 5.
        assert_eq!(activated(&[0, 0, 1, 1, 0, 1], &faces, &[4, 4, 5]), 2);
        assert_eq!(activated(&[0, 0, 0, 2, 0, 1], &faces, &[4, 4, 5]), 3);
        assert_eq!(activated(&[3, 0, 0, 0, 0, 0], &faces, &[4, 4, 5]), 0);
        assert!(has_usable(&[0, 0, 1, 1, 0, 1], &faces, 6));
        assert!(!has_usable(&[0, 0, 1, 1, 0, 0], &faces, 5));
    }

    #[test]
    fn brigades_share_the_dice_of_all() {
        let brigade = |need: i32| Needy { name: "the brigade".to_owned(), need };
        let odds = activation(&charts(), &[brigade(4), brigade(4)]);
        let exact: Vec<&str> = odds.bars.iter().map(|bar| bar.exact.as_str()).collect();
        assert_eq!(exact, ["1/4", "1/2", "1/4"]);
        // Two dice for the first choice of one brigade.
        assert_eq!(odds.then[0].bars.iter().map(|bar| bar.exact.as_str()).collect::<Vec<_>>(), ["1/4", "3/4"]);
    }
}
