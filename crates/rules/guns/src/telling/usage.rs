//! The words that answer each question in a terminal.

use crate::order::Decision;
use engine::telling::Usage;

macro_rules! say {
    ($($words:literal => $what:expr,)*) => { vec![$(Usage { words: $words, what: $what },)*] };
}

const LEGS: &str = "legs: ahead 12, wheel left 30, turn right 45, oblique left 45 8, left 3, right 3, back 5, about, \
                    to 60 45; bare numbers in the measure of the battle";

/// The words for a question.
pub fn usage(decision: &Decision) -> Vec<Usage> {
    match decision {
        Decision::Deploy => say! {
            "done" => "everybody stands where the scenario puts him",
            "place PIECE X Y [facing 180] [line|loose|extended|assault|route] [hidden] [defend PLACE]; …" =>
                "sets pieces up elsewhere, from west and south",
            "observer BATTERY X Y" => "sets an observer up; may stand among the places too",
            "order BRIGADE advance|attack|hold UNIT|PLACE|X Y" => "an opening order; may stand among the places too",
        },
        Decision::Nominate => say! {
            "name BRIGADE, BRIGADE …" => "these go on as they were told",
            "name BRIGADE attack|advance|hold UNIT|PLACE|X Y because UNIT|PLACE [by GENERAL]; BRIGADE …" =>
                "a new order, prompted by something its giver sees",
            "name BRIGADE through GENERAL with GENERAL" =>
                "through a superior, or with a higher general beside it",
            "name all; stay UNIT" => "all brigades go on; a disordered unit that does not reform",
            "none" => "no brigade is named",
        },
        Decision::Allot { .. } => say! {
            "deal 6 to BRIGADE; 4 to BRIGADE" => "dice by their faces; what is not dealt is discarded",
            "done" => "the staff deals them as well as it can",
        },
        Decision::Mark => say! {
            "mark BATTERY at ENEMY [point X Y] [blocks 0 0 1 0 2 0]; …" =>
                "indirect fire; blocks are columns and rows from the marker",
            "none" => "nobody fires indirectly",
        },
        Decision::Plot => say! {
            "march UNIT LEGS… [form line|loose|extended|assault|route] [defend PLACE]; …" => LEGS,
            "form UNIT line|loose|extended|assault|route [LEGS…]" => "changes formation, then goes",
            "march brigade BRIGADE LEGS…" => "every unit of a brigade that obeys takes the same legs",
            "charge UNIT at ENEMY [wheel left 20 ahead 24] [led by GENERAL]" => "charges",
            "march BATTERY LEGS… unlimber fire / unlimber BATTERY / limber BATTERY LEGS…" =>
                "the steps of a battery in their order",
            "mount UNIT / dismount UNIT [LEGS…]" => "cavalry that may fight on foot",
            "ride GENERAL to X Y / join GENERAL UNIT" => "a general rides alone, or to a unit to stay with it",
            "observe BATTERY X Y" => "its observer goes there",
            "screen SCREEN from UNIT, UNIT … at X Y [facing 90] / recall SCREEN" =>
                "throws skirmishers out, or calls them in",
            "together UNIT, UNIT …" => "these move as one, at the pace of the slowest",
            "return BATTERY / lie UNIT" => "gunners go back to their guns; foot lies down where it may at will",
            "done" => "the brigadiers see to it",
        },
        Decision::CounterCharge { .. } => say! {
            "counter UNIT, UNIT … / counter all" => "rides against whoever charges it",
            "none" => "nobody does",
        },
        Decision::Guns => say! {
            "fire BATTERY at ENEMY; BATTERY at ENEMY; hold BATTERY" =>
                "over open sights; marked batteries fire as marked unless they are named or held",
            "fire all" => "everybody at the nearest",
            "hold" => "nobody is given a target",
        },
        Decision::Musketry => say! {
            "fire UNIT at ENEMY; UNIT at ENEMY" => "whoever is not named holds its fire",
            "fire all" => "everybody at the nearest",
            "hold" => "nobody fires",
        },
        Decision::LieDown { .. } => say! {
            "lie UNIT, UNIT … / lie all" => "goes to ground",
            "none" => "nobody does",
        },
        Decision::Abandon { .. } => say! {
            "run" => "the gunners make for cover or friends",
            "stand" => "they stay by their guns",
        },
        Decision::PressOn { .. } => say! {
            "press ENEMY" => "goes on against this enemy",
            "stop" => "stays where it is",
        },
        Decision::RideThrough { .. } => say! {
            "ride" => "rides through the losers",
            "stay" => "reins in",
        },
    }
}
