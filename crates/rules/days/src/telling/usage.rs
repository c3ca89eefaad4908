//! The words that answer each question in a terminal.

use crate::order::Decision;
use engine::telling::Usage;

macro_rules! say {
    ($($words:literal => $what:expr,)*) => { vec![$(Usage { words: $words, what: $what },)*] };
}

const LEGS: &str = "legs: ahead 6, wheel left 30, turn right 90, about, back 2, to 36 20; other steps behind `;`";

/// How a question is answered in words.
pub fn usage(decision: &Decision) -> Vec<Usage> {
    match decision {
        Decision::Reserves => say! {
            "keep BRIGADE off" => "a brigade begins off the table",
            "hide UNIT [at X Y facing 180 in line] [behind|over the crest]" => "a unit begins in hiding",
            "earthworks X Y to X Y" => "lays works that were bought; several things are parted by `;`",
            "pass" => "as the set-up says",
        },
        Decision::Deploy => say! {
            "place PIECE at X Y [facing 180] [in line|march|manoeuvre|skirmish|…] [hidden] [behind|over the crest]; …" =>
                "sets pieces up elsewhere, from west and south",
            "pass" => "everybody stands where the set-up puts him",
        },
        Decision::DeployBrigade { .. } => say! {
            "set up BRIGADE" => "this brigade is next, where the set-up puts it",
            "set up BRIGADE; place PIECE at X Y [facing 180] [in line|march|…] [hidden] [behind|over the crest]; …" =>
                "some of its pieces elsewhere; without a brigade it is the army's own and independent troops",
            "pass" => "the next of them, where the set-up puts it",
        },
        Decision::Replace { .. } => say! {
            "replace GENERAL, GENERAL / replace all" => "a new man takes over",
            "pass" => "nobody does",
        },
        Decision::Arrive { .. } => say! {
            "announce BRIGADE north|east|south|west at X Y; …" => "comes on over this edge near this place",
            "pass" => "nobody comes on",
        },
        Decision::Charges => say! {
            "charge UNIT at ENEMY; …" => "declares a charge",
            "charge UNIT and UNIT at ENEMY" => "several test as one",
            "charge UNIT [with 4 stands] [after wheel left 30|after form line] [going 6] at ENEMY" =>
                "with a squadron alone, after a wheel or a change of formation, so far in the 1st Impulse",
            "pass" => "nobody charges",
        },
        Decision::Opportunity => say! {
            "charge UNIT [with 4 stands] at ENEMY; …" => "tries a charge of opportunity, straight ahead",
            "pass" => "nobody charges",
        },
        Decision::Rally => say! {
            "help UNIT by GENERAL; …" => "a general lends his voice",
            "leave UNIT" => "a routing or pursuing unit does not try",
            "form UNIT in line|march|skirmish|…" => "how it forms if it rallies",
            "pass" => "no general helps",
        },
        Decision::Fire => say! {
            "fire UNIT at ENEMY [with 4 stands] [passing]; …" => "shoots; `passing` at what crossed its front",
            "fire UNIT at general GENERAL" => "skirmishers pick off an officer",
            "fire all" => "everybody at the nearest",
            "reserve UNIT [with 4 stands]" => "keeps fire back for whoever charges it",
            "burn PLACE by UNIT, UNIT" => "sets its cover alight",
            "hold" => "nobody fires",
        },
        Decision::Defend => say! {
            "fire UNIT at ENEMY [with 4 stands]; …" => "fire kept back, at whoever charges it",
            "fire all" => "everybody at the nearest charger",
            "hold" => "nobody fires",
        },
        Decision::React { .. } => say! {
            "stand" => "meets the charge as it is",
            "form square|line|… [facing 90] / face 90" => "changes formation, or turns to meet it",
            "evade [to X Y]" => "gets out of the way, straight back or into cover",
        },
        Decision::Feint { .. } => say! {
            "feint UNIT, UNIT / feint all" => "breaks the charge off: it was never meant",
            "pass" => "all charges go on",
        },
        Decision::Move => moves(),
        Decision::Assault { .. } => say! {
            "stay UNIT, UNIT" => "stays in its cover instead of falling back",
            "halt UNIT, UNIT" => "does not follow if it wins; both parted by `;`",
            "pass" => "losers fall back, victors follow",
        },
        Decision::GoOn { .. } => say! {
            "go on wheeling left|right 30" => "wheels towards another enemy and goes on",
            "go on / pass" => "goes straight on",
        },
        Decision::Surrender { .. } => say! {
            "surrender UNIT, UNIT / surrender all" => "gives these up",
            "pass" => "fights on",
        },
    }
}

fn moves() -> Vec<Usage> {
    say! {
        "march UNIT LEGS… [; form line|march|manoeuvre|skirmish|square|column] [; LEGS…] [behind|over the crest]" =>
            LEGS,
        "form UNIT line|march|… [; LEGS…]" => "changes formation, then goes",
        "limber BATTERY [LEGS…] / march BATTERY LEGS… ; unlimber [massed]" => "guns on the move",
        "mount UNIT / dismount UNIT [in skirmish|line]" => "cavalry gets on or off",
        "force-march BRIGADE: UNIT LEGS…; UNIT LEGS… / force-march BRIGADE LEGS…" => "a whole brigade, in march column",
        "screen UNIT with 4 stands [at X Y facing 90] / recall UNIT" => "sends skirmishers out, or takes them in",
        "ride GENERAL to X Y / join GENERAL to UNIT" => "a general rides alone, or to a unit to stay with it",
        "attach ENGINEERS to UNIT / detach ENGINEERS" => "engineers go along with a unit, or leave it",
        "work UNIT demolish BRIDGE | clear OBSTACLE at X Y | bridge WATER at X Y to X Y with UNITS | barricade" =>
            "works, or goes on working",
        "search UNIT for a ford in RIVER" => "looks for a ford where it stands",
        "lie down UNIT / reveal UNIT / return UNIT" =>
            "goes to ground; shows itself; comes back after evading off the table",
        "man BATTERY / regroup BATTERY as 3, 2" => "gunners go back to their guns; crew goes from gun to gun",
        "pass" => "no more moves for this side",
    }
}
