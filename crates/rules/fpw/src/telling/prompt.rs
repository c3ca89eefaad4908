//! Questions in a wargamer's words, each with its clause and the gestures that answer it.

use super::Offer;
use super::gestures::stands_of;
use crate::Fpw;
use crate::clause::Clause;
use crate::command;
use crate::field::Field;
use crate::order::{Decision, Going, Occasion, Order};
use book::telling::voice::{self, commander, count, do_of, does, list, unit};
use engine::scene::Prompt;
use engine::{Asked, Side, UnitId, View};

/// The question with its gestures.
pub fn prompt(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side) -> Prompt {
    let (question, clause) = question(view, &asked.decision);
    let mut offer = Offer::new(view, asked, side);
    gestures(&mut offer, &asked.decision);
    Prompt { no: asked.no, side, question, clause: clause.id().to_owned(), gestures: offer.into_gestures() }
}

fn names<'f>(field: &'f Field, units: &[UnitId]) -> Vec<&'f str> {
    units.iter().map(|id| unit(field, *id)).collect()
}

/// So many units are named one by one in a question.
const MOST_NAMES: usize = 2;

/// Several units in a few words: by name where they are few, else by their brigade, else by their number.
fn several_of(field: &Field, units: &[UnitId]) -> String {
    if units.len() <= MOST_NAMES {
        return list(&names(field, units));
    }
    let brigade = units.first().and_then(|unit| command::brigade(field, *unit));
    let shared = brigade.filter(|id| units.iter().all(|unit| command::brigade(field, *unit) == Some(*id)));
    match shared {
        Some(id) => format!("{} of {}", count(units.len(), "unit"), field.muster().command(id).name),
        None => count(units.len(), "unit"),
    }
}

fn question(field: &Field, decision: &Decision) -> (String, Clause) {
    let name = |id: &UnitId| unit(field, *id);
    match decision {
        Decision::Deploy => ("Where do your troops stand?".to_owned(), Clause::HistoricalOrder),
        Decision::Enter => ("Reinforcements are due: where do they come on?".to_owned(), Clause::HistoricalOrder),
        Decision::Initiative => ("Who acts without waiting for orders?".to_owned(), Clause::InitiativeNearEnemy),
        Decision::Command { current: None } => {
            ("Which general orders whom to do what?".to_owned(), Clause::CommandRoll)
        }
        Decision::Command { current: Some(general) } => {
            let name = commander(field, *general);
            (format!("What does {name} order next?"), Clause::NoReturn)
        }
        Decision::March { units, going } => march_question(field, units, *going),
        Decision::Charges { units } => match units.as_slice() {
            [one] => (format!("Whom {} {} attack?", do_of(name(one)), name(one)), Clause::AdvanceDeclared),
            several => (format!("Whom do {} attack?", several_of(field, several)), Clause::AdvanceDeclared),
        },
        Decision::Shots { units } => match units.as_slice() {
            [one] => (format!("What {} {} fire at?", do_of(name(one)), name(one)), Clause::ShootingUnderOrders),
            several => (format!("What do {} fire at?", several_of(field, several)), Clause::ShootingUnderOrders),
        },
        Decision::Blame { .. } => ("A blunder: which unit bears it to the end?".to_owned(), Clause::NationalTable),
        Decision::Reaction { occasion, targets, able } => {
            let movers = names(field, targets);
            let (what, clause) = match occasion {
                Occasion::Moved => (moved(&movers, "has moved", "have moved"), Clause::ReactiveFire),
                Occasion::Leaving => (moved(&movers, "is leaving", "are leaving"), Clause::LeavingFire),
                Occasion::Charging => (moved(&movers, "charges", "charge"), Clause::ReactiveFire),
            };
            let units = stands_of(able).len();
            let ready = format!("{} of {}", count(able.len(), "stand"), count(units, "unit"));
            (format!("{what} under your eyes: who fires? {} may", capital(&ready)), clause)
        }
        Decision::Concentrate { at, stands, most } => {
            let text =
                format!("{} of {} may aim at {}: which?", voice::number(usize::from(*most)), stands.len(), name(at));
            (capital(&text), Clause::Concentration)
        }
        Decision::CavalryReaction { unit, charger, may_evade } => {
            let ways = if *may_evade { "counter-charge, evade or stand?" } else { "counter-charge or stand?" };
            let clause = if *may_evade { Clause::CavalryReacts } else { Clause::HeavyOnlyCounters };
            (format!("{} {}: {ways}", does(name(charger), "charge"), name(unit)), clause)
        }
        Decision::FallBack { unit, back, markers } => {
            let gain = match markers {
                0 => "no marker comes off".to_owned(),
                n => format!("{} off", plural(usize::from(*n), "disruption marker comes", "disruption markers come")),
            };
            let text = format!(
                "{} hurt on the way: pull {} back up to {}, and {gain}?",
                does(name(unit), "be"),
                if voice::is_plural(name(unit)) { "them" } else { "it" },
                count(usize::from(*back), "inch").replace("inchs", "inches"),
            );
            (text, Clause::MayFallBack)
        }
        Decision::NextFight { .. } => ("Which combat is fought next?".to_owned(), Clause::CombatFourth),
        Decision::Whom { unit, stand, .. } => {
            (format!("Whom does stand {} of {} fight?", stand + 1, name(unit)), Clause::TouchingFight)
        }
        Decision::StayOrGo { unit } => {
            (format!("Both had to give way, and {} had the better of it: stay?", name(unit)), Clause::BothWithdraw)
        }
        Decision::FollowUp { unit, yielded, may_follow } => {
            let gone = names(field, yielded);
            let why =
                if gone.is_empty() { "The enemy is gone".to_owned() } else { moved(&gone, "gives way", "give way") };
            let ways = if *may_follow { "follow up, reform or stay" } else { "reform or stay" };
            (format!("{why}: shall {} {ways}?", name(unit)), Clause::MayFollowUp)
        }
        Decision::Generals => ("Where do your generals ride?".to_owned(), Clause::GeneralsThird),
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", voice::number(count), if count == 1 { one } else { many })
}

fn moved(names: &[&str], one: &str, many: &str) -> String {
    let several = names.len() > 1 || names.first().is_some_and(|name| voice::is_plural(name));
    let who = if names.len() <= MOST_NAMES { list(names) } else { capital(&count(names.len(), "enemy unit")) };
    format!("{who} {}", if several { many } else { one })
}

fn capital(text: &str) -> String {
    voice::sentence(text).trim_end_matches(['.']).to_owned()
}

fn march_question(field: &Field, units: &[UnitId], going: Going) -> (String, Clause) {
    let (verb, clause) = match going {
        Going::Move => ("march", Clause::MoveOnce),
        Going::ByRoad => ("march by the road", Clause::MarchByRoad),
        Going::Reform => ("reform, and go up to half a move", Clause::ReformOrder),
        Going::HalfPace => ("go, at half pace", Clause::NationalTable),
    };
    let how = if going == Going::Reform { "How" } else { "Which way" };
    match units {
        [one] => (format!("{how} {} {} {verb}?", do_of(unit(field, *one)), unit(field, *one)), clause),
        several => (format!("{how} do {} {verb}?", several_of(field, several)), clause),
    }
}

fn gestures(offer: &mut Offer<'_, '_>, decision: &Decision) {
    match decision {
        Decision::Deploy => offer.set_up(false),
        Decision::Enter => offer.set_up(true),
        Decision::Initiative => {
            offer.initiatives();
            offer.button("No more initiative", Some('e'), &Order::Pass);
        }
        Decision::Command { .. } => {
            offer.commands();
            offer.button("No more orders", Some('e'), &Order::Pass);
        }
        Decision::March { units, going } => {
            offer.marches(units, *going);
            offer.button("Stay", Some('e'), &Order::Pass);
        }
        Decision::Charges { units } => {
            offer.charges(units);
            offer.button("Nobody after all", Some('e'), &Order::Pass);
        }
        Decision::Shots { units } => {
            offer.shots(units);
            offer.button("Nobody after all", Some('e'), &Order::Pass);
        }
        Decision::Blame { units } => {
            for unit in units {
                offer.button_of(*unit, "Bears the blame", None, &Order::Blame { unit: *unit });
            }
        }
        Decision::Reaction { able, .. } => offer.reaction(able),
        Decision::Concentrate { stands, most, .. } => offer.concentration(stands, *most),
        Decision::CavalryReaction { unit, may_evade, .. } => {
            offer.button_of(*unit, "Counter-charge", Some('c'), &Order::CounterCharge);
            if *may_evade {
                offer.button_of(*unit, "Evade", Some('v'), &Order::Evade);
            }
            offer.button_of(*unit, "Stand", Some('s'), &Order::Pass);
        }
        Decision::FallBack { unit, .. } => {
            offer.button_of(*unit, "Fall back", Some('b'), &Order::FallBack);
            offer.button_of(*unit, "Stay under fire", Some('s'), &Order::Pass);
        }
        Decision::NextFight { units } => {
            offer.pick_unit("Fight the combat of", units, |unit| Order::Fight { unit });
            offer.button("In roster order", Some('e'), &Order::Pass);
        }
        Decision::Whom { among, .. } => {
            offer.pick_unit("Strike", among, |unit| Order::Strike { unit });
            offer.button("In roster order", Some('e'), &Order::Pass);
        }
        Decision::StayOrGo { unit } => {
            offer.button_of(*unit, "Stay", Some('s'), &Order::Pass);
            offer.button_of(*unit, "Withdraw", Some('w'), &Order::Go);
        }
        Decision::FollowUp { unit, may_follow, .. } => offer.follow_up(*unit, *may_follow),
        Decision::Generals => {
            offer.rides();
            offer.button("No more riding", Some('e'), &Order::Pass);
        }
    }
}
