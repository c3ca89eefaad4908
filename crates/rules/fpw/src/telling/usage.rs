//! The words that answer each question in a terminal.

use crate::order::{Decision, Going};
use engine::telling::Usage;

macro_rules! say {
    ($($words:literal => $what:expr,)*) => { vec![$(Usage { words: $words, what: $what },)*] };
}

const LEGS: &str = "legs: ahead 4, wheel left 30, turn right 45, oblique left 45 3, left 1, right 1, back 2, about, \
                    to 12 30 (inches)";

/// The words for a question.
pub fn usage(decision: &Decision) -> Vec<Usage> {
    match decision {
        Decision::Deploy => say! {
            "done" => "everybody stands where the scenario puts him",
            "place PIECE X Y [facing 180] [dense]; …" => "sets pieces up elsewhere, in inches from west and south",
            "scouts UNIT UNIT …" => "this cavalry rides out in patrols; may stand among the places too",
        },
        Decision::Enter => say! {
            "place PIECE X Y [facing 180] [march]; …" => "brings reinforcements on, in inches from west and south",
            "done" => "they come on as the scenario says, or wait",
        },
        Decision::Initiative => say! {
            "reform UNIT line|dense|column [facing 90] [LEGS…]" => LEGS,
            "charge UNIT at ENEMY [wheel left 30] [bearing 10]" => "advances to contact without orders",
            "retire UNIT" => "cavalry goes about and away",
            "limber UNIT [facing 90] LEGS…" => "deployed guns limber up and go",
            "unlimber UNIT [facing 90]" => "limbered guns come into action where they are",
            "half UNIT LEGS… [facing 90]" => "limbered guns go half their pace, then come into action",
            "scout UNIT LEGS…" => "a patrol that rides free moves",
            "end" => "no more initiative",
        },
        Decision::Command { .. } => say! {
            "[GENERAL] move|reform|charge|fire UNIT [and UNIT …]" => "one roll for all of them; without a name the \
                general who gives orders now, else the unit’s own",
            "[GENERAL] move|reform|charge|fire brigade BRIGADE" => "the same for every unit of a brigade on the table",
            "[GENERAL] road UNIT [and UNIT …]" => "march columns that keep to the road; easier to get through",
            "[GENERAL] attach STAND to UNIT / detach STAND" => "an independent stand joins a unit, or parts from it",
            "[GENERAL] scout STAND" => "the one roll that sets a patrol free",
            "raise GENERAL [by GENERAL]" => "a higher general tries to better a lower one’s value",
            "end" => "no more orders this turn",
        },
        Decision::March { units, going } if units.len() > 1 => match going {
            Going::Reform => say! {
                "reform UNIT line|dense|column|march [facing 90] [LEGS…]; UNIT …" => LEGS,
                "go LEGS…" => "all take the same legs",
                "stay" => "nobody moves after all",
            },
            Going::Move | Going::ByRoad | Going::HalfPace => say! {
                "go LEGS…" => "all take the same legs",
                "move UNIT LEGS…; UNIT LEGS…" => LEGS,
                "stay" => "nobody moves after all",
            },
        },
        Decision::March { going: Going::Reform, .. } => say! {
            "reform UNIT line|dense|column|march [facing 90] [LEGS…]" => LEGS,
            "move UNIT LEGS… then line" => "goes first and reforms at the end",
            "stay" => "does not move after all",
        },
        Decision::March { .. } => say! {
            "go LEGS…" => LEGS,
            "stay" => "does not move after all",
        },
        Decision::Charges { .. } => say! {
            "charge UNIT at ENEMY [wheel left 30] [bearing 10]; UNIT at ENEMY" => "advances to contact, all at once",
            "none" => "nobody after all",
        },
        Decision::Shots { .. } => say! {
            "fire UNIT at ENEMY; UNIT at ENEMY" => "guns choose; foot may leave the target out and takes the nearest",
            "fire all" => "everybody at the nearest",
            "none" => "nobody after all",
        },
        Decision::Blame { .. } => say! {
            "blame UNIT" => "orders to it come harder from now on",
            "done" => "the first on the roster",
        },
        Decision::Reaction { .. } => say! {
            "all" => "everybody who may fires",
            "fire UNIT UNIT …" => "these units fire with every stand that may",
            "fire UNIT 1 3; UNIT 2" => "only these stands, counted from 1",
            "hold" => "nobody fires",
        },
        Decision::Concentrate { .. } => say! {
            "aim UNIT 1 2; UNIT 3" => "these stands aim at it, counted from 1; the rest spread to its neighbours",
            "done" => "as many as may, in roster order",
        },
        Decision::CavalryReaction { may_evade, .. } => match may_evade {
            true => say! {
                "counter" => "counter-charges",
                "evade" => "rides off, if the dice let it",
                "stand" => "receives the charge",
            },
            false => say! {
                "counter" => "counter-charges",
                "stand" => "receives the charge",
            },
        },
        Decision::FallBack { .. } => say! {
            "back" => "goes back along its way, and markers come off",
            "stay" => "stays under fire",
        },
        Decision::NextFight { .. } => say! {
            "fight UNIT" => "fights out the combat this unit is in",
            "done" => "roster order",
        },
        Decision::Whom { .. } => say! {
            "strike ENEMY" => "this stand fights him",
            "done" => "roster order",
        },
        Decision::StayOrGo { .. } => say! {
            "stay" => "holds its ground",
            "go" => "withdraws all the same",
        },
        Decision::FollowUp { .. } => say! {
            "follow [into ENEMY]" => "follows up, into a new enemy where the old one got away",
            "reform line|dense|column|march [facing 90]" => "sorts itself out instead",
            "stay" => "stays where it is",
        },
        Decision::Generals => say! {
            "ride GENERAL to X Y" => "leaves any unit he was with",
            "join GENERAL UNIT" => "rides to a unit and leads it",
            "leave GENERAL" => "parts from his unit and stays where he is",
            "end" => "no more riding",
        },
    }
}
