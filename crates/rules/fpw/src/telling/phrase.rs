//! Orders in words, as a player reads his own order back.

use super::sentences::{company, what_words};
use crate::field::Field;
use crate::order::{Aim, Decision, Order, StandRef, Step, Target};
use crate::unit::Formation;
use book::telling::voice::{self, bearing, commander, count, does, legs, list, point, sentence, unit};
use engine::UnitId;

/// An order in words, without a full stop.
pub fn phrase(field: &Field, order: &Order) -> String {
    let says = |id: UnitId, verb: &str| does(unit(field, id), verb);
    let text = match order {
        Order::Pass => declined(field.asked().map(|asked| &asked.decision)).to_owned(),
        Order::Deploy { units, commanders, scouts } => deployed(field, units.len() + commanders.len(), scouts),
        Order::Reform(step) => stepped(field, step, "reform"),
        Order::Charge(aim) => aimed(field, aim),
        Order::Retire { unit } => says(*unit, "go about and retire"),
        Order::LimberBack(step) => stepped(field, step, "limber up and go back"),
        Order::Unlimber { unit, facing } => format!("{}{}", says(*unit, "unlimber"), facing_of(*facing)),
        Order::HalfAndUnlimber(step) => stepped(field, step, "go forward at half pace and unlimber"),
        Order::Scout { unit, legs: way } => format!("{}{}", says(*unit, "scout"), path(way)),
        Order::Command { general, what, units } => {
            let (general, units) = (commander(field, *general), company(field, units));
            format!("{general} orders {units} to {}", what_words(field, *what))
        }
        Order::Raise { general, who } => {
            format!("{} puts heart into {}", commander(field, *general), commander(field, *who))
        }
        Order::March { moves } if moves.is_empty() => "Everybody stays".to_owned(),
        Order::March { moves } => {
            let each: Vec<String> = moves.iter().map(|step| stepped(field, step, "move")).collect();
            each.join("; ")
        }
        Order::Together { legs: way } => format!("all go together{}", path(way)),
        Order::Charges { charges } if charges.is_empty() => "Nobody advances to contact".to_owned(),
        Order::Charges { charges } => {
            let each: Vec<String> = charges.iter().map(|aim| aimed(field, aim)).collect();
            each.join("; ")
        }
        Order::Shots { shots } if shots.is_empty() => "Nobody fires".to_owned(),
        Order::Shots { shots } => {
            let each: Vec<String> = shots.iter().map(|shot| shot_at(field, shot)).collect();
            each.join("; ")
        }
        Order::Blame { unit } => format!("{} the blame", says(*unit, "bear")),
        Order::ReactAll => "Everybody who may fires".to_owned(),
        Order::React { units, stands } if units.is_empty() && stands.is_empty() => "All hold fire".to_owned(),
        Order::React { units, stands } => reacting(field, units, stands),
        Order::Concentrate { stands } => format!("{} at the target", aiming(field, stands)),
        Order::CounterCharge => "It counter-charges".to_owned(),
        Order::Evade => "It evades".to_owned(),
        Order::FallBack => "It falls back".to_owned(),
        Order::Fight { unit } => format!("the fight of {} is next", voice::unit(field, *unit)),
        Order::Strike { unit } => format!("it strikes at {}", voice::unit(field, *unit)),
        Order::Go => "It withdraws".to_owned(),
        Order::FollowUp { at: None } => "It follows up".to_owned(),
        Order::FollowUp { at: Some(at) } => format!("it follows up into {}", voice::unit(field, *at)),
        Order::Ride { commander: who, to } => format!("{} rides to {}", commander(field, *who), point(*to)),
        Order::Join { commander: who, unit } => {
            format!("{} rides to {} and leads", commander(field, *who), voice::unit(field, *unit))
        }
        Order::Leave { commander: who } => format!("{} leaves his unit", commander(field, *who)),
    };
    sentence(&text).trim_end_matches('.').to_owned()
}

/// What declining means to the question in the room.
fn declined(decision: Option<&Decision>) -> &'static str {
    match decision {
        Some(Decision::Deploy) => "Everybody stands where the scenario puts him",
        Some(Decision::Enter) => "The reinforcements wait, or come on where the scenario puts them",
        Some(Decision::Initiative) => "No more initiative",
        Some(Decision::Command { .. }) => "No more orders",
        Some(Decision::March { .. }) => "Everybody stays",
        Some(Decision::Charges { .. }) => "Nobody advances to contact",
        Some(Decision::Shots { .. }) => "Nobody fires",
        Some(Decision::Blame { .. }) => "The first on the roster bears the blame",
        Some(Decision::Reaction { .. }) => "All hold fire",
        Some(Decision::Concentrate { .. }) => "As many as may aim at it, in roster order",
        Some(Decision::CavalryReaction { .. }) => "It stands",
        Some(Decision::FallBack { .. }) => "It stays under fire",
        Some(Decision::NextFight { .. } | Decision::Whom { .. }) => "In roster order",
        Some(Decision::StayOrGo { .. }) => "It stays",
        Some(Decision::FollowUp { .. }) => "It stays where it is",
        Some(Decision::Generals) => "The generals stay where they are",
        None => "No more",
    }
}

fn deployed(field: &Field, pieces: usize, scouts: &[UnitId]) -> String {
    let placed = match pieces {
        0 => "Everybody stands where the scenario puts him".to_owned(),
        n => format!("Places {}", count(n, "piece")),
    };
    if scouts.is_empty() {
        return placed;
    }
    let names: Vec<&str> = scouts.iter().map(|id| unit(field, *id)).collect();
    format!("{placed}; {} scouting", list(&names))
}

fn stepped(field: &Field, step: &Step, bare: &str) -> String {
    let name = unit(field, step.unit);
    let form = step.formation.map(formed);
    let does_what = form.as_deref().unwrap_or(bare);
    let form = format!("{}{}", does(name, does_what), facing_of(step.facing));
    match (step.legs.is_empty(), step.after) {
        (true, _) => form,
        (false, false) => format!("{form}{}", path(&step.legs)),
        (false, true) => {
            format!("{}{}, then {}{}", does(name, "move"), path(&step.legs), does_what, facing_of(step.facing))
        }
    }
}

fn aimed(field: &Field, aim: &Aim) -> String {
    let wheel = aim.wheel.map(|wheel| format!(", first {}", voice::leg(&wheel))).unwrap_or_default();
    let line = aim.bearing.map(|line| format!(", bearing {}", bearing(line))).unwrap_or_default();
    format!("{} to contact with {}{wheel}{line}", does(unit(field, aim.unit), "advance"), unit(field, aim.at))
}

fn shot_at(field: &Field, shot: &Target) -> String {
    let name = unit(field, shot.unit);
    match shot.at {
        Some(at) => format!("{} {}", does(name, "fire on"), unit(field, at)),
        None => does(name, "fire on the nearest enemy"),
    }
}

fn reacting(field: &Field, units: &[UnitId], stands: &[StandRef]) -> String {
    let names: Vec<&str> = units.iter().map(|id| unit(field, *id)).collect();
    let whole = match names.as_slice() {
        [] => None,
        [one] => Some(does(one, "fire")),
        several => Some(format!("{} fire", list(several))),
    };
    let single = (!stands.is_empty()).then(|| aiming(field, stands));
    [whole, single].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Stands by their number within each unit, counted from one.
fn aiming(field: &Field, stands: &[StandRef]) -> String {
    let mut each: Vec<String> = Vec::new();
    for (n, stand) in stands.iter().enumerate() {
        if stands.iter().take(n).any(|earlier| earlier.unit == stand.unit) {
            continue;
        }
        let of_unit = stands.iter().filter(|other| other.unit == stand.unit);
        let numbers: Vec<String> = of_unit.map(|one| (one.stand + 1).to_string()).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        each.push(format!("stand {} of {}", list(&numbers), unit(field, stand.unit)));
    }
    match each.as_slice() {
        [] => "nobody fires".to_owned(),
        _ => format!("fire by {}", each.join(" and ")),
    }
}

/// A formation after "take post".
pub fn drawn_up(formation: Formation) -> &'static str {
    match formation {
        Formation::March => "in march column",
        Formation::Line => "in line",
        Formation::Dense => "in dense formation",
        Formation::Column => "in dense column",
        Formation::Limbered => "limbered",
        Formation::Deployed => "with the guns in action",
    }
}

/// Taking up a formation, as a verb.
pub fn formed(formation: Formation) -> String {
    match formation {
        Formation::March => "form march column".to_owned(),
        Formation::Line => "form line".to_owned(),
        Formation::Dense => "form dense".to_owned(),
        Formation::Column => "form dense column".to_owned(),
        Formation::Limbered => "limber up".to_owned(),
        Formation::Deployed => "unlimber".to_owned(),
    }
}

fn facing_of(facing: Option<table::Angle>) -> String {
    facing.map(|facing| format!(", facing {}", bearing(facing))).unwrap_or_default()
}

fn path(way: &[table::Leg]) -> String {
    if way.is_empty() { String::new() } else { format!(": {}", legs(way)) }
}
