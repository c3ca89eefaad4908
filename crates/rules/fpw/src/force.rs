//! What a force comes to: section B.4, a guide of ours. Nothing in a battle depends on points.

use super::charts::{Charts, plain};
use super::field::{Field, facts, soldiers};
use super::unit::{Arm, Facts, Level, Officer, Quality, Weapon};
use engine::telling::ForceLine;
use engine::{CommandId, Side, UnitId};

/// A side's force, command by command.
pub fn lines(field: &Field, side: Side) -> Vec<ForceLine> {
    let mut lines = Vec::new();
    let muster = field.muster();
    let tops =
        muster.command_ids().filter(|id| muster.command(*id).side == side && muster.command(*id).parent.is_none());
    for command in tops {
        add_command(field, command, 0, &mut lines);
    }
    // Scouts are stands of a regiment that is listed already.
    let free = muster
        .unit_ids()
        .filter(|id| field.side_of(*id) == side && field.card(*id).command.is_none() && !facts(field, *id).is_scout());
    for unit in free {
        lines.push(unit_line(field, unit, 0));
    }
    lines
}

/// What a whole force is worth.
pub fn total(field: &Field, side: Side) -> i32 {
    lines(field, side).iter().filter_map(|line| line.points).sum()
}

fn add_command(field: &Field, command: CommandId, depth: u8, lines: &mut Vec<ForceLine>) {
    let muster = field.muster();
    let card = muster.command(command);
    let (what, worth) = match card.commander.map(|id| muster.commander(id)) {
        Some(leader) => {
            let what =
                format!("{}, {} general, command value {}", leader.name, leader.facts.level.word(), leader.facts.value);
            (what, officer_points(field.charts(), &leader.facts))
        }
        None => ("brigade".to_owned(), 0),
    };
    lines.push(ForceLine { depth, name: card.name.clone(), what, points: Some(worth) });
    for unit in muster.unit_ids().filter(|id| field.card(*id).command == Some(command)) {
        lines.push(unit_line(field, unit, depth + 1));
    }
    for below in muster.command_ids().filter(|id| muster.command(*id).parent == Some(command)) {
        add_command(field, below, depth + 1, lines);
    }
}

fn unit_line(field: &Field, unit: UnitId, depth: u8) -> ForceLine {
    let card = field.card(unit);
    let points = Some(points(field.charts(), &card.facts));
    ForceLine { depth, name: card.name.clone(), what: words(field, unit), points }
}

fn words(field: &Field, unit: UnitId) -> String {
    let (facts, own) = (facts(field, unit), soldiers(field, unit));
    let arm = match (facts.arm, facts.heavy) {
        (Arm::Infantry, _) => "infantry",
        (Arm::Cavalry, true) => "heavy cavalry",
        (Arm::Cavalry, false) => "cavalry",
        (Arm::FootArtillery, _) => "foot battery",
        (Arm::HorseArtillery, _) => "horse battery",
    };
    let stands = if facts.stands == 1 { "1 stand".to_owned() } else { format!("{} stands", facts.stands) };
    let alone = if facts.independent { ", independent" } else { "" };
    let worn = match own.markers() {
        0 => String::new(),
        markers => format!(", {markers} markers"),
    };
    format!("{} {arm}, {stands}, {}{alone}{worn}", facts.quality.word(), facts.weapon.name())
}

/// Points of a unit.
pub fn points(charts: &Charts, facts: &Facts) -> i32 {
    let chart = &charts.points;
    let stands = i32::from(facts.stands);
    match facts.arm {
        Arm::Infantry => {
            let rifle = match facts.weapon {
                Weapon::MuzzleLoader | Weapon::None => chart.mlr,
                Weapon::Chassepot | Weapon::BreechLoader => chart.chassepot,
                _ => chart.needle,
            };
            let quality = match facts.quality {
                Quality::Elite => plain(chart.elite).value,
                Quality::Regular => 0,
                Quality::Landwehr => plain(chart.landwehr).value,
            };
            stands * (plain(rifle).value + quality)
        }
        Arm::Cavalry => {
            let horse = match (facts.heavy, facts.weapon) {
                (true, _) => chart.horse_heavy,
                (false, Weapon::None) => chart.horse,
                (false, _) => chart.horse_carbine,
            };
            stands * plain(horse).value
        }
        Arm::FootArtillery | Arm::HorseArtillery => {
            let gun = match facts.weapon {
                Weapon::FrenchGun => chart.french_gun,
                Weapon::Mitrailleuse => chart.mitrailleuse,
                _ => chart.prussian_gun,
            };
            let horse = if facts.arm == Arm::HorseArtillery { plain(chart.horse_artillery).value } else { 0 };
            stands * plain(gun).value + horse
        }
    }
}

/// Points of a general. Above the division the better value costs more; the lower French one is the yardstick.
pub fn officer_points(charts: &Charts, officer: &Officer) -> i32 {
    let chart = &charts.points;
    let better = i32::from(officer.value) > plain(charts.command.french_higher).value;
    let cell = match (officer.level, better) {
        (Level::Division, _) => chart.division_general,
        (Level::Corps, false) => chart.corps_general_8,
        (Level::Corps, true) => chart.corps_general_9,
        (Level::Army, false) => chart.army_general_8,
        (Level::Army, true) => chart.army_general_9,
    };
    plain(cell).value
}
