//! Odds of the command roll: for each unit ordered, what it needs and how likely that is.

use super::command;
use super::field::Field;
use super::order::What;
use super::unit::Level;
use book::telling::voice;
use engine::{CommanderId, Odds, Spread, Stake, UnitId};

/// What the dice make of an order to one unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Obeys,
    Stays,
    Blunder,
}

/// The sum of the command dice.
fn dice(field: &Field) -> Spread<i32> {
    let pool = field.charts().command.dice.value.0;
    Spread::of_pool(pool, |pips| pips.iter().map(|&pip| i32::from(pip)).sum())
}

/// One plot for each unit: it obeys on so much or less; a divisional general's highest score is a blunder.
pub fn obedience(field: &Field, general: CommanderId, what: What, units: &[UnitId]) -> Option<Odds> {
    let dice = dice(field);
    let blunders = field.muster().commander(general).facts.level == Level::Division && what != What::Scout;
    let blunder = field.charts().command.blunder.value.get();
    let mut plots = units.iter().map(|unit| {
        let needed = command::target(field, general, what, *unit, units);
        let target = needed.value;
        let fates = dice.map(|score| match score {
            score if blunders && *score >= blunder => Fate::Blunder,
            score if *score <= target => Fate::Obeys,
            _ => Fate::Stays,
        });
        Odds::plot(needs(voice::unit(field, *unit), "obey", target), &fates, |fate| {
            match fate {
                Fate::Obeys => "obeys",
                Fate::Stays => "stays",
                Fate::Blunder => "blunder",
            }
            .to_owned()
        })
        .weighing(&needed.reckoning, Stake::Chance, |target| {
            dice.chance(|score| *score <= target && !(blunders && *score >= blunder))
        })
    });
    let first = plots.next()?;
    Some(plots.fold(first, Odds::followed_by))
}

/// What units need, in a few words for a button: "7 or less (58%)", and each figure where they differ.
pub fn needs_of(field: &Field, general: CommanderId, what: What, units: &[UnitId]) -> String {
    let target = |unit: &UnitId| command::target(field, general, what, *unit, units).value;
    let mut targets: Vec<i32> = units.iter().map(target).collect();
    targets.sort_by(|a, b| b.cmp(a));
    let (Some(&best), Some(&worst)) = (targets.first(), targets.last()) else { return String::new() };
    let dice = dice(field);
    let percent = |target: i32| format!("{:.0}%", 100.0 * dice.chance(|score| *score <= target));
    if best == worst {
        return format!("{best} or less ({})", percent(best));
    }
    let each: Vec<String> = targets.iter().map(ToString::to_string).collect();
    format!("{} or less ({} to {})", each.join(", "), percent(worst), percent(best))
}

/// The plot of a roll to raise a general.
pub fn raising(field: &Field, general: CommanderId, who: CommanderId) -> Odds {
    let needed = command::raise_target(field, general, who);
    let target = needed.value;
    let passes = dice(field).map(|score| *score <= target);
    let title = format!("{} is raised on {target} or less", voice::commander(field, who));
    Odds::plot(title, &passes, |passed| if *passed { "raised" } else { "not raised" }.to_owned()).weighing(
        &needed.reckoning,
        Stake::Chance,
        |target| dice(field).chance(|score| *score <= target),
    )
}

fn needs(name: &str, verb: &str, target: i32) -> String {
    format!("{} on {target} or less", voice::does(name, verb))
}
