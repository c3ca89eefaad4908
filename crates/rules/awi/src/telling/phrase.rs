//! Orders in words, as a player reads his own order back.

use super::voice::{
    self, bearing, command, commander, does, inches, legs, list, piece, point, sentence, standing, unit,
};
use crate::field::Field;
use crate::order::{BrigadeOrder, Decision, Order};
use engine::{CommanderId, UnitId};

/// An order in words, without a full stop.
pub fn phrase(field: &Field, order: &Order) -> String {
    let says = |id: UnitId, verb: &str| does(unit(field, id), verb);
    match order {
        Order::Pass => declined(field.asked().map(|asked| &asked.decision)).to_owned(),
        Order::Deploy { units, commanders } if units.is_empty() && commanders.is_empty() => {
            "Everybody stands where the scenario puts him".to_owned()
        }
        Order::Deploy { units, commanders } => {
            format!("Places {}", voice::count(units.len() + commanders.len(), "piece"))
        }
        Order::Sharpshooters { at } if at.is_empty() => "No sharpshooters".to_owned(),
        Order::Sharpshooters { at } => format!("Hides {}", voice::count(at.len(), "sharpshooter")),
        Order::FirstOrders { orders } => first_orders(field, orders),
        Order::Begin { me: true } => "We begin".to_owned(),
        Order::Begin { me: false } => "The enemy begins".to_owned(),
        Order::Sequence { units } => {
            let names: Vec<&str> = units.iter().map(|id| unit(field, *id)).collect();
            format!("In this order: {}", list(&names))
        }
        Order::Face { facing } => format!("It faces {}", bearing(*facing)),
        Order::TryHalt => "It tries to halt".to_owned(),
        Order::GoOn => "It goes on".to_owned(),
        Order::Send { to, order } => format!("To {}: {}", command(field, *to), standing(field, *order)),
        Order::Ride { commander: who, to } => format!("{} rides to {}", commander(field, *who), point(*to)),
        Order::Hold { unit } => says(*unit, "stand fast"),
        Order::Move { unit, half, by_road, legs, with } => {
            let verb = if *half { "move at half allowance" } else { "move" };
            let road = if *by_road { " by the road" } else { "" };
            format!("{}{road}{}{}", says(*unit, verb), path(legs), company(field, with))
        }
        Order::FireThenMove { unit, at, grape } => {
            format!("{} {} before a half move", says(*unit, shot(*grape)), voice::unit(field, *at))
        }
        Order::Reform { unit, formation, facing, to_fire } => {
            let then = if *to_fire { ", to stand and fire" } else { "" };
            format!("{}{}{then}", says(*unit, &format!("form {}", order_word(*formation))), facing_of(*facing))
        }
        Order::Limber { unit, facing } => format!("{}{}", says(*unit, "limber up"), facing_of(*facing)),
        Order::Unlimber { unit, facing } => format!("{}{}", says(*unit, "unlimber"), facing_of(*facing)),
        Order::Load { unit } => says(*unit, "load"),
        Order::Charge { unit, at, bearing: line, with } => {
            let line = line.map(|line| format!(", bearing {}", bearing(line))).unwrap_or_default();
            format!("{} {}{line}{}", says(*unit, "charge"), voice::unit(field, *at), company(field, with))
        }
        Order::BreakOff { unit, half: false } => says(*unit, "break off"),
        Order::BreakOff { unit, half: true } => says(*unit, "break off by half, to fire"),
        Order::TurnInMelee { unit, face } => format!("{} {}", says(*unit, "turn to face"), voice::unit(field, *face)),
        Order::Path { legs, with } if legs.is_empty() => format!("Stays where it is{}", company(field, with)),
        Order::Path { legs: way, with } => {
            sentence(&legs(way)).trim_end_matches('.').to_owned() + &company(field, with)
        }
        Order::Fire { unit, at, grape } => format!("{} {}", says(*unit, shot(*grape)), voice::unit(field, *at)),
        Order::Shell { unit, bearing: line, estimate } => {
            let what = says(*unit, "fire a shell");
            format!("{what}, bearing {}, guessing {}", bearing(*line), inches(*estimate))
        }
        Order::Snipe { unit, at } => format!("{} {}", says(*unit, "take aim at"), piece(field, *at)),
        Order::Shoot => "Fires at the charge that fell short".to_owned(),
        Order::Grape => "Grapeshot".to_owned(),
        Order::Support { unit } => says(*unit, "support with fire"),
        Order::Attempt { on } => format!("One hit is spent on {}", commander(field, *on)),
        Order::Divert { on } => {
            let names: Vec<&str> = on.iter().map(|id| commander(field, *id)).collect();
            format!("{} spent on {}", sentence(&voice::count(on.len(), "hit")).trim_end_matches('.'), list(&names))
        }
        Order::Pursue => "After them".to_owned(),
        Order::Pick { piece: chosen } => format!("The odd hit falls on {}", piece(field, *chosen)),
        Order::Fight { unit } => format!("The melee of {} is fought next", voice::unit(field, *unit)),
        Order::Strike { unit } => says(*unit, "take the blow"),
    }
}

/// What declining means to the question in the room.
fn declined(decision: Option<&Decision>) -> &'static str {
    match decision {
        Some(Decision::Deploy) => "Everybody stands where the scenario puts him",
        Some(Decision::PlaceSharpshooters { .. }) => "No sharpshooters",
        Some(Decision::FirstOrders) => "Every brigade holds where it stands",
        Some(Decision::ChooseFirst) => "We begin",
        Some(Decision::RallyOrder { .. } | Decision::MeleeNext { .. }) => "In roster order",
        Some(Decision::ShellTie { .. } | Decision::UnopposedLoss { .. }) => "In roster order",
        Some(Decision::RallyFacing { .. }) => "It faces the nearest enemy",
        Some(Decision::Pursuer { .. }) => "It tries to halt",
        Some(Decision::SendCourier) => "No more couriers",
        Some(Decision::Activate) => "Movement ends",
        Some(Decision::Path { .. }) => "It stays where it is",
        Some(Decision::FailedChargeVolley { .. }) => "No shot",
        Some(Decision::DefensiveGrape { .. }) => "Plain shot",
        Some(Decision::Support { .. }) => "No more support",
        Some(Decision::OfficerAttempt { .. } | Decision::DivertHits { .. }) => "No hit is spent on a commander",
        Some(Decision::Pursue { .. }) => "No pursuit",
        Some(Decision::Fire) => "Firing ends",
        None => "No more",
    }
}

fn first_orders(field: &Field, orders: &[BrigadeOrder]) -> String {
    if orders.is_empty() {
        return "Every brigade holds where it stands".to_owned();
    }
    let each = orders.iter().map(|entry| format!("{}: {}", command(field, entry.to), standing(field, entry.order)));
    each.collect::<Vec<_>>().join("; ")
}

fn shot(grape: bool) -> &'static str {
    if grape { "fire grapeshot at" } else { "fire on" }
}

/// A formation after the verb "form".
pub fn order_word(formation: crate::unit::Formation) -> &'static str {
    match formation {
        crate::unit::Formation::Skirmish => "skirmish order",
        other => other.word(),
    }
}

fn facing_of(facing: Option<table::Angle>) -> String {
    facing.map(|facing| format!(", facing {}", bearing(facing))).unwrap_or_default()
}

fn path(way: &[table::Leg]) -> String {
    if way.is_empty() { String::new() } else { format!(": {}", legs(way)) }
}

fn company(field: &Field, with: &[CommanderId]) -> String {
    if with.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = with.iter().map(|id| commander(field, *id)).collect();
    format!(", with {}", list(&names))
}
