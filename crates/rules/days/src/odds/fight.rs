//! Odds of close assaults: both dice, all bands.

use super::total;
use crate::assault::results::{greater_for_all, result_of};
use crate::assault::{Melee, melees, scores};
use crate::charts::Charts;
use crate::event::MeleeResult;
use crate::field::Field;
use book::telling::voice;
use engine::{Odds, Side, Spread, Stake};

/// How a fight ends, seen from one side: the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum End {
    LostMajor,
    LostMinor,
    LostMarginal,
    Locked,
    WonMarginal,
    WonMinor,
    WonMajor,
}

impl End {
    const fn of(result: MeleeResult, won: bool) -> End {
        match (result, won) {
            (MeleeResult::Locked, _) => End::Locked,
            (MeleeResult::Marginal, false) => End::LostMarginal,
            (MeleeResult::Minor, false) => End::LostMinor,
            (MeleeResult::Major, false) => End::LostMajor,
            (MeleeResult::Marginal, true) => End::WonMarginal,
            (MeleeResult::Minor, true) => End::WonMinor,
            (MeleeResult::Major, true) => End::WonMajor,
        }
    }
}

/// In words.
pub fn label(end: &End) -> String {
    let word = match end {
        End::LostMajor => "a rout",
        End::LostMinor => "driven back, shaken",
        End::LostMarginal => "pushed back",
        End::Locked => "locked",
        End::WonMarginal => "pushes them back",
        End::WonMinor => "drives them back, shaken",
        End::WonMajor => "routs them",
    };
    word.to_owned()
}

/// Our score less theirs, when we are so much better before the dice.
fn differences(charts: &Charts, better_by: i32) -> Spread<i32> {
    let dice = charts.assault.dice.value.0;
    let ours = Spread::of_pool(dice, |pips| better_by + total(pips));
    ours.plus(&Spread::of_pool(dice, |pips| -total(pips)))
}

/// A fight in words.
pub fn in_words(charts: &Charts, better_by: i32) -> Spread<End> {
    differences(charts, better_by).map(|apart| End::of(result_of(&charts.result, apart.abs()), *apart > 0))
}

/// A fight on the table, seen from one side.
pub fn spread(field: &Field, melee: &Melee, side: Side) -> Spread<End> {
    if let Some(winner) = melee.walk_over() {
        return Spread::certain(End::of(MeleeResult::Major, winner == side));
    }
    let sums = scores(field, melee);
    let better_by = sums[side].whole() - sums[side.other()].whole();
    differences(field.charts(), better_by).map(|apart| {
        let result = result_of(&field.charts().result, apart.abs());
        let won = *apart > 0;
        let losers = if won { side.other() } else { side };
        let result = if result == MeleeResult::Locked { result } else { greater_for_all(field, melee, losers, result) };
        End::of(result, won)
    })
}

/// The plot of a fight.
pub fn plot(field: &Field, melee: &Melee, side: Side) -> Odds {
    let names = |side: Side| {
        let all: Vec<&str> = melee.of(side).map(|unit| voice::unit(field, unit)).collect();
        voice::list(&all)
    };
    if melee.walk_over().is_some() {
        let title = format!("{} against {}", names(side), names(side.other()));
        return Odds::plot(title, &spread(field, melee, side), label);
    }
    let mut sums = scores(field, melee);
    let (ours, theirs) = (sums[side].whole(), sums[side.other()].whole());
    let title = format!("{} against {}: {ours} to {theirs} before the dice", names(side), names(side.other()));
    let plot = Odds::plot(title, &spread(field, melee, side), label);
    // What counts for the enemy counts against us.
    let wins = |better_by: i32| differences(field.charts(), better_by).chance(|apart| *apart > 0);
    for (whose, word) in [(side, "we"), (side.other(), "they")] {
        sums[whose].lines.iter_mut().for_each(|line| line.label = format!("{word}: {}", line.label).into());
    }
    plot.weighing(&sums[side], Stake::Chance, |total| wins(total - theirs)).weighing(
        &sums[side.other()],
        Stake::Chance,
        |total| wins(ours - total),
    )
}

/// All fights a side is in.
pub fn of_fights(field: &Field, side: Side) -> Vec<Odds> {
    melees(field).iter().filter(|melee| melee.of(side).next().is_some()).map(|melee| plot(field, melee, side)).collect()
}
