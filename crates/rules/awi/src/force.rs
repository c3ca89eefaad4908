//! What a force comes to: section B.5, a guide of ours (R66). Nothing in a battle depends on points.

use super::charts::{Charts, plain};
use super::field::{Field, facts, soldiers};
use super::unit::{Arm, Class, Condition, Facts, Gun, Level, Officer, Rating};
use engine::telling::ForceLine;
use engine::{CommandId, Side, UnitId};

/// A side's force, brigade by brigade.
pub fn lines(field: &Field, side: Side) -> Vec<ForceLine> {
    let mut lines = Vec::new();
    let muster = field.muster();
    let tops =
        muster.command_ids().filter(|id| muster.command(*id).side == side && muster.command(*id).parent.is_none());
    for command in tops {
        add_command(field, command, 0, &mut lines);
    }
    let free = muster.unit_ids().filter(|id| field.side_of(*id) == side && field.card(*id).command.is_none());
    for unit in free {
        let card = field.card(unit);
        lines.push(line(0, &card.name, words(field, unit), points(field.charts(), &card.facts)));
    }
    lines
}

fn add_command(field: &Field, command: CommandId, depth: u8, lines: &mut Vec<ForceLine>) {
    let muster = field.muster();
    let card = muster.command(command);
    let leader = card.commander.map(|id| muster.commander(id));
    let what = leader.map_or("no commander".to_owned(), |leader| {
        format!("{}, {} {} commander", leader.name, leader.facts.rating.word(), leader.facts.level.word())
    });
    let worth = leader.map_or(0, |leader| officer_points(field.charts(), &leader.facts));
    lines.push(line(depth, &card.name, what, worth));
    for unit in muster.unit_ids().filter(|id| field.card(*id).command == Some(command)) {
        let card = field.card(unit);
        lines.push(line(depth + 1, &card.name, words(field, unit), points(field.charts(), &card.facts)));
    }
    for below in muster.command_ids().filter(|id| muster.command(*id).parent == Some(command)) {
        add_command(field, below, depth + 1, lines);
    }
}

fn line(depth: u8, name: &str, what: String, points: i32) -> ForceLine {
    ForceLine { depth, name: name.to_owned(), what, points: Some(points) }
}

fn words(field: &Field, unit: UnitId) -> String {
    let (facts, own) = (facts(field, unit), soldiers(field, unit));
    let gun = facts.gun.map(|gun| format!(", {} guns", gun.word())).unwrap_or_default();
    let able = if facts.skirmish_able { ", may skirmish" } else { "" };
    let worn = if own.marks < facts.marks { format!("{} of ", own.marks) } else { String::new() };
    let state = if own.condition == Condition::Routing { ", routing" } else { "" };
    let (class, arm, kind) = (facts.class.word(), facts.arm.word(), facts.kind.word());
    format!("{class} {arm} ({kind}), {worn}{} marks{gun}{able}{state}", facts.marks)
}

/// Points of a unit.
pub fn points(charts: &Charts, facts: &Facts) -> i32 {
    let chart = &charts.points;
    let base = match (facts.arm, facts.class) {
        (Arm::Sharpshooter, _) => return plain(chart.sharpshooter).value,
        (Arm::Artillery, class) => {
            let gun = match facts.gun.unwrap_or(Gun::Battalion) {
                Gun::Battalion => chart.artillery.battalion,
                Gun::SixPounder => chart.artillery.six_pounder,
                Gun::TwentyFourPounder => chart.artillery.twenty_four_pounder,
            };
            let shell = facts.shell && facts.gun != Some(Gun::TwentyFourPounder);
            plain(gun).value
                + class as i32 * plain(chart.artillery_class_step).value
                + if shell { plain(chart.shell).value } else { 0 }
        }
        (Arm::Cavalry, Class::Elite) => plain(chart.cavalry.elite).value,
        (Arm::Cavalry, Class::Line) => plain(chart.cavalry.line).value,
        (Arm::Cavalry, _) => plain(chart.cavalry.inferior).value,
        (Arm::Infantry, Class::Elite) => plain(chart.infantry.elite).value,
        (Arm::Infantry, Class::Line) => plain(chart.infantry.line).value,
        (Arm::Infantry, Class::Inferior) => plain(chart.infantry.inferior).value,
        (Arm::Infantry, Class::Raw) => plain(chart.infantry.raw).value,
    };
    base + if facts.skirmish_able { plain(chart.skirmish).value } else { 0 }
}

/// Points of a commander.
pub fn officer_points(charts: &Charts, officer: &Officer) -> i32 {
    let row = match officer.level {
        Level::Brigade => &charts.points.brigade_commander,
        Level::Division => &charts.points.divisional_commander,
    };
    let cell = match officer.rating {
        Rating::Poor => row.poor,
        Rating::Normal => row.normal,
        Rating::Good => row.good,
        Rating::Excellent => row.excellent,
    };
    plain(cell).value
}
