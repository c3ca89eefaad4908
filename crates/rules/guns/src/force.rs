//! What a force comes to: section B4, a guide of ours. Nothing in a battle depends on points.

use super::charts::{Charts, Count, plain};
use super::field::{Field, facts, troops};
use super::settings::Scale;
use super::unit::{Ability, Action, Arm, Facts, GunClass, Level, Officer, Weapon};
use engine::telling::ForceLine;
use engine::{Cited, CommandId, Side, UnitId};

/// A side's force, command by command.
pub fn lines(field: &Field, side: Side) -> Vec<ForceLine> {
    let mut lines = Vec::new();
    let muster = field.muster();
    let tops =
        muster.command_ids().filter(|id| muster.command(*id).side == side && muster.command(*id).parent.is_none());
    for command in tops {
        add_command(field, command, 0, &mut lines);
    }
    let free = muster
        .unit_ids()
        .filter(|id| field.side_of(*id) == side && field.card(*id).command.is_none() && !facts(field, *id).screen);
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
    let (what, worth) = match card.commander {
        Some(id) => {
            let (leader, ability) = (muster.commander(id), field.commander(id).own.ability);
            let words = match (leader.facts.level, ability) {
                (Level::Brigade, Some(ability)) => format!("{}, {} brigadier", leader.name, ability.word()),
                (Level::Brigade, None) => format!("{}, brigadier to be diced for", leader.name),
                (level, _) => format!("{}, {} commander", leader.name, level.word()),
            };
            (words, officer_points(field.charts(), &leader.facts))
        }
        None => (String::new(), 0),
    };
    lines.push(ForceLine { depth, name: card.name.clone(), what, points: Some(worth) });
    // Skirmishers are elements of battalions that are listed already.
    let units = muster.unit_ids().filter(|id| field.card(*id).command == Some(command) && !facts(field, *id).screen);
    for unit in units {
        lines.push(unit_line(field, unit, depth + 1));
    }
    for below in muster.command_ids().filter(|id| muster.command(*id).parent == Some(command)) {
        add_command(field, below, depth + 1, lines);
    }
}

fn unit_line(field: &Field, unit: UnitId, depth: u8) -> ForceLine {
    let card = field.card(unit);
    let points = Some(points(field.charts(), field.settings().scale, &card.facts));
    ForceLine { depth, name: card.name.clone(), what: words(field, unit), points }
}

fn words(field: &Field, unit: UnitId) -> String {
    let (facts, own) = (facts(field, unit), troops(field, unit));
    let arm = match (facts.arm, facts.class) {
        (Arm::Infantry, _) => "infantry".to_owned(),
        (Arm::Cavalry, _) => "cavalry".to_owned(),
        (Arm::RapidFire, _) => "rapid-fire".to_owned(),
        (Arm::Artillery, class) => format!("{} artillery", class.map_or("field", GunClass::word).replace('_', "-")),
    };
    let size = match (facts.is_battery(), facts.elements) {
        (true, _) => format!("{} guns", facts.guns),
        (false, 1) => "1 element".to_owned(),
        (false, elements) => format!("{elements} elements"),
    };
    let organic = if facts.organic > 0 { format!(", {} of them rapid-fire", facts.organic) } else { String::new() };
    let status = if own.status == facts.start {
        format!("status {}", facts.start)
    } else {
        format!("status {} of {}", own.status, facts.start)
    };
    format!("{arm}, {size}{organic}, {status}, {}", facts.weapon.key)
}

fn worth(figure: Cited<Count>) -> i32 {
    plain(figure).value
}

/// Points of a unit.
pub fn points(charts: &Charts, scale: Scale, facts: &Facts) -> i32 {
    let chart = &charts.points;
    let status = worth(chart.status) * i32::from(facts.start);
    let breech = if facts.weapon.breech { worth(chart.breech) } else { 0 };
    match facts.arm {
        Arm::Infantry => {
            // A rapid-fire element counts as so many rifles, one of which is itself.
            let rifles =
                facts.organic_weapon.as_ref().and_then(|weapon| weapon.rapid).map_or(1, |rapid| shots(charts, rapid));
            let counted = i32::from(facts.elements) + i32::from(facts.organic) * (rifles - 1);
            let magazine = if facts.weapon.magazine { worth(chart.magazine) } else { 0 };
            let loose = if facts.loose { worth(chart.loose) } else { 0 };
            let reach = tens(charts, scale, &facts.weapon);
            status + worth(chart.element) * counted + reach + breech + magazine + loose
        }
        Arm::Cavalry => {
            let long_arm = if facts.weapon.is_long_arm() { worth(chart.long_arm) } else { 0 };
            status + worth(chart.squadron_element) * i32::from(facts.elements) + long_arm
        }
        Arm::RapidFire => {
            // Two guns stand on one base (rapidfire-e).
            let bases = if facts.is_battery() { facts.guns.div_ceil(2) } else { facts.elements };
            let rifles = facts.weapon.rapid.map_or(1, |rapid| shots(charts, rapid));
            status + worth(chart.element) * i32::from(bases) * rifles + worth(chart.rapid_unit)
        }
        Arm::Artillery => {
            let howitzer = if facts.weapon.howitzer { worth(chart.howitzer) } else { 0 };
            let horse = if facts.class == Some(GunClass::Horse) { worth(chart.horse) } else { 0 };
            let indirect = if facts.indirect { indirect(charts, facts.class) } else { 0 };
            let reach = tens(charts, scale, &facts.weapon).min(direct_tens(charts));
            status + worth(chart.gun) * i32::from(facts.guns) + reach + breech + howitzer + horse + indirect
        }
    }
}

fn shots(charts: &Charts, rapid: Action) -> i32 {
    match rapid {
        Action::Mechanical => worth(charts.points.mechanical),
        Action::Gas => worth(charts.points.gas),
    }
}

fn indirect(charts: &Charts, class: Option<GunClass>) -> i32 {
    let chart = &charts.points;
    match class {
        Some(GunClass::Medium) => worth(chart.indirect_medium),
        Some(GunClass::Heavy | GunClass::SuperHeavy) => worth(chart.indirect_heavy),
        Some(GunClass::Horse | GunClass::Field) | None => worth(chart.indirect_field),
    }
}

/// Effective range in tens of centimetres at the small scale.
fn tens(charts: &Charts, scale: Scale, weapon: &Weapon) -> i32 {
    let ten = Scale::Small.game_unit() * 10;
    match charts.weapon.get(&weapon.key) {
        Some(row) => row.extreme.value.at(Scale::Small).as_um() / ten.as_um(),
        // A weapon the set-up adds is known at the scale of the battle alone.
        None => weapon.extreme.as_um() / (scale.game_unit() * 10).as_um(),
    }
}

/// Beyond the reach of direct fire range is worth no more.
fn direct_tens(charts: &Charts) -> i32 {
    let ten = Scale::Small.game_unit() * 10;
    charts.combat.direct_limit.value.at(Scale::Small).as_um() / ten.as_um()
}

/// Points of a general; a brigadier to be diced for counts as an average one.
pub fn officer_points(charts: &Charts, officer: &Officer) -> i32 {
    let chart = &charts.points;
    let cell = match (officer.level, officer.ability.unwrap_or(Ability::Average)) {
        (Level::Brigade, Ability::Inspired) => chart.inspired,
        (Level::Brigade, Ability::Able) => chart.able,
        (Level::Brigade, Ability::Average) => chart.average,
        (Level::Brigade, Ability::Inept) => chart.inept,
        (Level::Brigade, Ability::Incompetent) => chart.incompetent,
        (Level::Division, _) => chart.division,
        (Level::Corps, _) => chart.corps,
        (Level::Army, _) => chart.army,
    };
    worth(cell)
}
