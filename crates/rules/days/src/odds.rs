//! Exact odds from the very resolvers the umpire uses: volleys, guns, every morale test, close assault. What may follow
//! is reckoned on the field as it would then be, and never with more than the side knows: where nobody may measure
//! beforehand, odds that would give a distance away are not told.

pub mod charges;
pub mod fight;
pub mod fire;
pub mod nerve;
#[cfg(test)]
mod tests;
pub mod volley;
pub mod words;

use super::Days;
use super::charts::{Band, Charts, TargetClass, count, plain};
use super::defence;
use super::event::Cause;
use super::field::Field;
use super::order::{Decision, Order};
use super::shooting::plan;
use super::unit::{ChargeKind, Task};
use super::works::judge::is_own;
use book::telling::voice;
use engine::{Asked, Odds, Pool, Side, Spread, View};

/// Odds of an order, as far as its side may know them.
pub fn odds(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, order: &Order) -> Option<Odds> {
    let field: &Field = view;
    let may_measure = field.settings().premeasuring;
    match (&asked.decision, order) {
        (Decision::Fire, Order::Fire { .. }) => {
            let (plan, _) = plan::read(field, side, order);
            let fires = plan.arson.iter().map(|feature| {
                let title = format!("fire laid in {}", voice::feature(field, *feature));
                arson(field.charts(), title)
            });
            let volleys = if may_measure { fire::of_plan(field, &plan, Cause::Fire) } else { Vec::new() };
            joined(volleys.into_iter().chain(fires))
        }
        (Decision::Defend, Order::Fire { .. }) if may_measure => {
            let (plan, _) = defence::read(field, side, order);
            joined(fire::of_plan(field, &plan, Cause::DefensiveFire).into_iter())
        }
        (Decision::Charges, Order::Charge { declarations }) => {
            joined(charges::of_declarations(field, side, ChargeKind::Declared, declarations).into_iter())
        }
        (Decision::Opportunity, Order::Charge { declarations }) => {
            joined(charges::of_declarations(field, side, ChargeKind::Opportunity, declarations).into_iter())
        }
        (Decision::Rally, Order::Rally { .. } | Order::Pass) => {
            joined(nerve::of_rallies(field, side, order).into_iter())
        }
        (Decision::React { unit, by }, order) => joined(charges::of_reaction(field, *unit, by, order).into_iter()),
        (Decision::Move, Order::SearchFord { unit, .. }) if is_own(field, side, *unit) => {
            Some(ford(field.charts(), format!("{} a ford", voice::does(voice::unit(field, *unit), "find"))))
        }
        (Decision::Move, Order::Work { unit, task: Task::Demolish { bridge } }) if is_own(field, side, *unit) => {
            let title = format!("{} when the charge is fired", voice::feature(field, *bridge));
            Some(demolition(field.charts(), title))
        }
        (Decision::Move, Order::Work { unit, task: Task::Sever { .. } }) if is_own(field, side, *unit) => {
            Some(demolition(field.charts(), "the boats when the charge is fired".to_owned()))
        }
        (Decision::Assault { .. }, Order::Assault { .. } | Order::Pass) => {
            joined(fight::of_fights(field, side).into_iter())
        }
        _ => None,
    }
}

/// Several plots in a row.
fn joined(mut plots: impl Iterator<Item = Odds>) -> Option<Odds> {
    let first = plots.next()?;
    Some(plots.fold(first, Odds::followed_by))
}

/// Whether the dice come to so much.
fn at_least(dice: Pool, need: i32) -> Spread<bool> {
    Spread::of_pool(dice, |pips| total(pips) >= need)
}

/// What dice come to.
fn total(pips: &[u8]) -> i32 {
    pips.iter().map(|pip| i32::from(*pip)).sum()
}

fn plot_of(title: String, spread: &Spread<bool>, yes: &str, no: &str) -> Odds {
    Odds::plot(title, spread, |found| if *found { yes } else { no }.to_owned())
}

/// A ford looked for.
pub fn ford(charts: &Charts, title: impl Into<String>) -> Odds {
    let need = plain(charts.constant.ford_pip).value;
    plot_of(title.into(), &at_least(charts.test.dice.value.0, need), "a ford", "none here")
}

/// A bridge blown up.
pub fn demolition(charts: &Charts, title: impl Into<String>) -> Odds {
    let need = plain(charts.work.bridge_falls).value;
    plot_of(title.into(), &at_least(charts.test.dice.value.0, need), "falls", "stands, and for good")
}

/// A fire laid by hand.
pub fn arson(charts: &Charts, title: impl Into<String>) -> Odds {
    let need = plain(charts.fire.arson_pip).value;
    plot_of(title.into(), &at_least(charts.fire.dice.value.0, need), "burns", "does not catch")
}

/// A volley in words: so many stands with a weapon, or models of a gun, at a kind of target in a band. Nothing where the
/// book knows no such weapon, or it does not reach so far.
pub fn volley(charts: &Charts, weapon: &str, class: TargetClass, band: Band, stands: u8) -> Option<Odds> {
    let hits = volley::in_words(charts, weapon, class, band, stands)?;
    let title = format!("{} of {weapon} at {}", voice::count(usize::from(stands), "stand"), class.word());
    Some(Odds::plot(title, &hits, |hits| stands_lost(*hits)))
}

/// A morale test against a score: a higher die passes.
pub fn test(charts: &Charts, score: i32) -> Odds {
    let passed = nerve::passes(charts, score);
    plot_of(format!("a test against a score of {score}"), &passed, "passed", "failed")
}

/// A close assault whose one side is so much better before the dice.
pub fn assault(charts: &Charts, difference: i32) -> Odds {
    let spread = fight::in_words(charts, difference);
    Odds::plot(format!("a close assault at {difference:+} for us"), &spread, fight::label)
}

/// Stands in words.
fn stands_lost(hits: u8) -> String {
    match hits {
        0 => "no loss".to_owned(),
        some => voice::count(usize::from(some), "stand"),
    }
}

/// What one die shows.
fn one_die(charts: &Charts) -> Spread<u8> {
    Spread::of_pool(charts.fire.dice.value.0, |pips| pips.first().copied().unwrap_or_default())
}

/// How many dice a gun throws.
fn dice_of(gun: &super::charts::Gun) -> usize {
    count(gun.dice) as usize
}
