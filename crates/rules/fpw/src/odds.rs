//! Exact odds from the very resolvers the umpire uses, one chapter each.

use super::Fpw;
use super::approach;
use super::event::Manner;
use super::field::{Field, touching_enemies};
use super::fire;
use super::order::{Aim, Decision, Order, Shot, StandRef, Target};
use super::{odds_combat, odds_command, odds_fire};
use engine::{Asked, Odds, Ruleset, Side, UnitId, View};

/// Odds of an order, as far as its side may know them.
pub fn odds(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, order: &Order) -> Option<Odds> {
    // What is refused is never thrown for; and a draft that names a battery a hundred times would be counted for ever.
    if !Fpw::check(view, asked, side, order).is_legal() {
        return None;
    }
    let field: &Field = view;
    match (&asked.decision, order) {
        (Decision::Command { .. }, Order::Command { general, what, units }) => {
            odds_command::obedience(field, *general, *what, units)
        }
        (Decision::Command { .. }, Order::Raise { general, who }) => Some(odds_command::raising(field, *general, *who)),
        (Decision::Initiative, Order::Charge(aim)) => odds_combat::charge(field, aim),
        (Decision::Charges { .. }, Order::Charges { charges }) => {
            joined(charges.iter().filter_map(|aim| odds_combat::charge(field, aim)))
        }
        (Decision::Shots { .. }, Order::Shots { shots }) => ordered_fire(field, shots),
        (Decision::Reaction { occasion, able, .. }, Order::ReactAll) => {
            volley(field, able, Manner::Reactive(*occasion))
        }
        (Decision::Reaction { occasion, able, .. }, Order::React { units, stands }) => {
            volley(field, &chosen(able, units, stands), Manner::Reactive(*occasion))
        }
        (Decision::CavalryReaction { unit, charger, .. }, Order::Evade) => {
            let aim = Aim { unit: *charger, at: *unit, wheel: None, bearing: None };
            approach::line_of(field, &aim).map(|line| odds_combat::evade(field, &line))
        }
        (Decision::NextFight { .. }, Order::Fight { unit }) => {
            joined(touching_enemies(field, *unit).into_iter().map(|enemy| odds_combat::round(field, *unit, enemy)))
        }
        _ => None,
    }
}

/// Several plots in a row.
fn joined(mut plots: impl Iterator<Item = Odds>) -> Option<Odds> {
    let first = plots.next()?;
    Some(plots.fold(first, Odds::followed_by))
}

fn volley(field: &Field, shots: &[Shot], manner: Manner) -> Option<Odds> {
    (!shots.is_empty()).then(|| odds_fire::volley_odds(field, shots, manner, None))
}

/// Of all stands able to fire those of the units named, and the single stands named.
pub fn chosen(able: &[Shot], units: &[UnitId], stands: &[StandRef]) -> Vec<Shot> {
    let named = |shot: &&Shot| {
        let stand = StandRef { unit: shot.unit, stand: shot.stand };
        units.contains(&shot.unit) || stands.contains(&stand)
    };
    able.iter().filter(named).copied().collect()
}

fn ordered_fire(field: &Field, shots: &[Target]) -> Option<Odds> {
    let shots: Vec<Shot> = shots.iter().flat_map(|target| fire::shots_of(field, target)).collect();
    volley(field, &shots, Manner::Ordered)
}
