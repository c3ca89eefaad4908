//! The words that answer each question in a terminal.

use crate::order::Decision;
use engine::telling::Usage;

macro_rules! say {
    ($($words:literal => $what:expr,)*) => { vec![$(Usage { words: $words, what: $what },)*] };
}

const LEGS: &str = "moves by legs: ahead 4, back 2, left 1, right 1, wheel left 30, turn right 45, oblique left 45 3, \
                    about, to 12 30 (inches)";

/// The words for a question.
pub fn usage(decision: &Decision) -> Vec<Usage> {
    match decision {
        Decision::Deploy => say! {
            "done" => "everybody stands where the scenario puts him",
            "place PIECE X Y [facing 180] [column]; …" => "sets pieces up elsewhere, in inches from west and south",
        },
        Decision::PlaceSharpshooters { .. } => say! {
            "hide X Y; X Y" => "hides a sharpshooter at each place, in cover",
            "none" => "uses no sharpshooters",
        },
        Decision::FirstOrders => say! {
            "orders BRIGADE advance PLACE; BRIGADE hold PLACE; …" => "an order for each brigade; those left out hold",
            "… advance|hold PLACE" => "PLACE is a feature, or X Y in inches",
            "… attack ENEMY|FEATURE" => "makes for an enemy unit or a feature",
            "… withdraw north|FEATURE" => "goes back to an edge of yours, or a feature",
            "… support BRIGADE / … reserve" => "stays near another brigade / stays put",
            "done" => "every brigade holds where it stands",
        },
        Decision::ChooseFirst => say! {
            "begin" => "you have the first turn",
            "wait" => "the enemy has it",
        },
        Decision::RallyOrder { .. } => say! {
            "sequence UNIT UNIT …" => "the order in which routers try to rally",
            "done" => "roster order",
        },
        Decision::RallyFacing { .. } => say! {
            "facing 90" => "looks that way: degrees or n, ne, e …",
            "done" => "looks towards the nearest enemy",
        },
        Decision::Pursuer { .. } => say! {
            "halt" => "tries to halt, by a test",
            "on" => "goes on after the enemy",
        },
        Decision::SendCourier => say! {
            "send BRIGADE advance|hold PLACE" => "PLACE is a feature, or X Y in inches",
            "send BRIGADE attack ENEMY|FEATURE" => "makes for an enemy unit or a feature",
            "send BRIGADE withdraw north|FEATURE" => "goes back to an edge of yours, or a feature",
            "send BRIGADE support BRIGADE" => "stays near another brigade",
            "send BRIGADE reserve" => "stays put",
            "done" => "no more couriers this turn",
        },
        Decision::Activate => say! {
            "move UNIT [half] [road] LEGS… [with COMMANDER]" => LEGS,
            "move UNIT [half] [road]" => "declares a move whose length dice decide",
            "fire-move UNIT at ENEMY [grape]" => "fires now, then moves by half",
            "charge UNIT at ENEMY [bearing 10] [with COMMANDER]" => "charges straight; how far is judged by eye",
            "reform UNIT line|column|skirmish [facing 90] [fire]" => "changes formation, then half moves or fires",
            "limber UNIT / unlimber UNIT [facing 90]" => "guns to the limbers, or into action",
            "load UNIT" => "loads, and does nothing else",
            "hold UNIT" => "stands, and may fire",
            "break UNIT [half]" => "breaks off from a melee",
            "face UNIT ENEMY" => "turns in a melee to face an attacker",
            "ride COMMANDER to X Y" => "a commander rides",
            "end" => "ends the Movement part",
        },
        Decision::Path { going, .. } if going.is_breaking_off() => say! {
            "go back 4" => "straight back, facing kept",
            "stay" => "does not move after all",
        },
        Decision::Path { .. } => say! {
            "go LEGS… [with COMMANDER]" => LEGS,
            "stay" => "does not move after all",
        },
        Decision::FailedChargeVolley { .. } => say! {
            "shoot" => "fires at the charge that fell short",
            "no" => "keeps the load",
        },
        Decision::DefensiveGrape { .. } => say! {
            "grape" => "fires grapeshot",
            "shot" => "fires plain shot",
        },
        Decision::Support { .. } => say! {
            "support UNIT" => "that unit tests, and fires on the charger",
            "no" => "nobody else",
        },
        Decision::OfficerAttempt { .. } => say! {
            "kill COMMANDER" => "spends a hit on him",
            "no" => "all hits fall on the unit",
        },
        Decision::DivertHits { .. } => say! {
            "kill COMMANDER [COMMANDER …]" => "spends one hit for each name; a name may be said twice",
            "no" => "all hits fall on the units",
        },
        Decision::Pursue { .. } => say! {
            "pursue" => "runs after them",
            "no" => "stays in hand",
        },
        Decision::Fire => say! {
            "fire UNIT at ENEMY [grape]" => "a volley or shot; the range is measured only then",
            "shell UNIT bearing 10 range 18" => "fires a shell at a guessed range, in half inches",
            "snipe SHARPSHOOTER at TARGET" => "his one shot, at a unit or a commander",
            "end" => "ends the Firing part",
        },
        Decision::ShellTie { .. } => say! {
            "pick PIECE" => "takes the odd hit",
            "done" => "roster order",
        },
        Decision::MeleeNext { .. } => say! {
            "fight UNIT" => "fights the melee this unit is in",
            "done" => "roster order",
        },
        Decision::UnopposedLoss { .. } => say! {
            "strike UNIT" => "takes the blow",
            "done" => "roster order",
        },
    }
}
