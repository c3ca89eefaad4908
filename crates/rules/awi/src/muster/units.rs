//! Units of a set-up: their facts, their state where a case says more, and the sharpshooters.

use super::super::Awi;
use super::super::charts::Charts;
use super::super::clause::Clause;
use super::super::unit::{Arm, Class, Condition, Facts, Formation, Gun, Kind, Nation, Soldiers, Task};
use super::Roll;
use book::enlist::{MOST_UNITS, read_stand, read_stands};
use engine::ruleset::Opening;
use engine::setup::{Mode, read_zones};
use engine::{Faults, SheetTable, Side, UnitCard};
use table::{Length, Point, Pose};

pub(super) fn read_units(root: &mut SheetTable<'_, '_>, opening: &Opening<Awi>, roll: &mut Roll, faults: &mut Faults) {
    let group = root.group("units", faults);
    if group.len() > MOST_UNITS {
        root.fault("units", format!("{} units are more than the {MOST_UNITS} a battle may have", group.len()), faults);
        return;
    }
    for (key, mut table) in group {
        let read = read_unit(&key, &mut table, opening, roll, faults);
        table.finish(faults);
        if let Some((card, pose, formation, soldiers)) = read {
            roll.claim(&key, &table, faults);
            roll.units.push(card);
            roll.units_at.push(pose);
            roll.drawn_up.push(formation);
            roll.soldiers.push(soldiers);
        }
    }
}

type UnitRead = (UnitCard<Awi>, Option<Pose>, Formation, Soldiers);

fn read_unit(
    key: &str,
    table: &mut SheetTable<'_, '_>,
    opening: &Opening<Awi>,
    roll: &Roll,
    faults: &mut Faults,
) -> Option<UnitRead> {
    let (charts, settings) = (&opening.charts, &opening.settings);
    let brigade: Option<String> = table.optional("brigade", faults);
    let command = brigade.as_ref().and_then(|brigade| {
        let found = roll.command(brigade);
        if found.is_none() {
            table.fault("brigade", format!("no brigade is called `{brigade}`"), faults);
        }
        found
    });
    if brigade.is_none() && roll.mode == Mode::Battle {
        table.fault("brigade", "every unit belongs to a brigade", faults);
    }
    let side = match command {
        Some(command) => {
            if table.has("side") && roll.side(table, faults) != Some(roll.commands[command.index()].side) {
                table.fault("side", "is not the side of its brigade", faults);
            }
            roll.commands[command.index()].side
        }
        None => roll.side(table, faults)?,
    };
    let name: String = table.optional("name", faults).unwrap_or_else(|| key.to_owned());
    let class: Class = table.get("class", faults)?;
    let gun: Option<Gun> = table.optional("gun", faults);
    let given_arm: Option<Arm> = table.optional("arm", faults);
    let kind: Option<Kind> = table.optional("type", faults);
    if kind.is_none() && given_arm.is_none() && gun.is_none() {
        table.fault("type", "`type` or `arm` is missing", faults);
    }
    let arm = given_arm.unwrap_or(match kind {
        Some(Kind::Dragoons) => Arm::Cavalry,
        Some(Kind::Artillery) => Arm::Artillery,
        None if gun.is_some() => Arm::Artillery,
        _ => Arm::Infantry,
    });
    let nation = read_nation(table, side, kind, roll, faults);
    let kind = kind.unwrap_or(match (arm, nation) {
        (Arm::Cavalry, _) => Kind::Dragoons,
        (Arm::Artillery, _) => Kind::Artillery,
        (_, Nation::British) => Kind::Regulars,
        (_, Nation::American) => Kind::Continental,
        (_, Nation::French) => Kind::French,
    });
    if arm == Arm::Sharpshooter || kind == Kind::Sharpshooter {
        table.fault("type", "sharpshooters are counted under [sharpshooters], not listed as units", faults);
    }
    if arm == Arm::Cavalry && class == Class::Raw {
        table.fault("class", format!("mounted troops may not be Raw [{}]", Clause::NoRawHorse.id()), faults);
    }
    if (arm == Arm::Artillery) != gun.is_some() {
        table.fault("gun", "batteries have a gun (battalion, 6lb, 24lb) and nobody else has", faults);
    }
    if !class.has_example(kind, nation) {
        let what = format!(
            "{} are not among the book's examples of {} [{}]",
            kind.word(),
            class.word(),
            class.types_clause().id()
        );
        table.caution("class", what, faults);
    }
    let loose = matches!(kind, Kind::Light | Kind::Rifle | Kind::Indian) && arm == Arm::Infantry;
    let stand = match arm {
        Arm::Infantry => &charts.footprint.infantry,
        Arm::Cavalry => &charts.footprint.cavalry,
        Arm::Artillery => &charts.footprint.unlimbered,
        Arm::Sharpshooter => &charts.footprint.sharpshooter,
    };
    let full = charts.class(class).marks.value.get() as u8;
    let zones = read_zones(table, faults);
    let facts = Facts {
        arm,
        class,
        kind,
        nation,
        gun,
        shell: table.optional("shell", faults).unwrap_or(gun.is_some_and(|gun| settings.shell_guns.contains(&gun))),
        skirmish_able: table.optional("skirmish_able", faults).unwrap_or(loose) && arm == Arm::Infantry,
        woods_free: loose,
        small_arms: arm == Arm::Infantry || (arm == Arm::Cavalry && settings.cavalry_fire),
        marks: full,
        zones: match command {
            _ if !zones.is_empty() => zones,
            Some(command) => roll.zones[command.index()].clone(),
            None => Vec::new(),
        },
        stand: read_stand(table, faults).unwrap_or(stand.footprint()),
        stands: read_stands(table, stand.stands.value.get() as u8, faults),
        gap: stand.gap.value.0,
        limbered: charts.footprint.limbered.footprint(),
    };
    let formation = table.optional("formation", faults).unwrap_or(match arm {
        Arm::Artillery => Formation::Unlimbered,
        _ => Formation::Line,
    });
    if !facts.formations().contains(&formation) {
        table.fault("formation", format!("this unit cannot be in {}", formation.word()), faults);
    }
    let pose: Option<Pose> = table.optional("pose", faults);
    if pose.is_none() && roll.mode == Mode::Battle {
        table.fault("pose", "a unit needs a place", faults);
    }
    let rounds = settings.grapeshot_rounds.unwrap_or(charts.grapeshot.rounds.value.get() as u8);
    let grape = if arm == Arm::Artillery { rounds } else { 0 };
    let soldiers = read_soldiers(table, class, Soldiers::fresh(full, grape), roll, faults);
    Some((UnitCard { key: key.to_owned(), name, side, command, facts }, pose, formation, soldiers))
}

fn read_nation(
    table: &mut SheetTable<'_, '_>,
    side: Side,
    kind: Option<Kind>,
    roll: &Roll,
    faults: &mut Faults,
) -> Nation {
    let given: Option<Nation> = table.optional("nation", faults);
    given.unwrap_or(match (Nation::parse(&roll.sides[side].key), kind) {
        (_, Some(Kind::French)) => Nation::French,
        (Some(nation), _) => nation,
        (None, Some(Kind::Regulars | Kind::Hessian | Kind::Loyalist | Kind::Grenadiers)) => Nation::British,
        (None, _) if side == Side::A => Nation::British,
        (None, _) => Nation::American,
    })
}

/// Battles begin with fresh units; a case, or a battle joined when all are deployed, may say otherwise.
fn read_soldiers(
    table: &mut SheetTable<'_, '_>,
    class: Class,
    fresh: Soldiers,
    roll: &Roll,
    faults: &mut Faults,
) -> Soldiers {
    let (full, mode) = (fresh.marks, roll.mode);
    let must_be_fresh = mode == Mode::Battle && !roll.deployed;
    let marks = table.optional::<u8>("marks", faults).unwrap_or(full);
    if marks == 0 || marks > full || (must_be_fresh && marks != full) {
        let what = match must_be_fresh {
            true => format!("this class begins with {full} marks [{}]", class.marks_clause().id()),
            false => format!("expected 1 to {full} marks"),
        };
        table.fault("marks", what, faults);
    }
    let mut soldiers = Soldiers { marks, ..fresh };
    if let Some(rounds) = table.optional::<u8>("grape_left", faults) {
        soldiers.grape_left = rounds;
    }
    if mode == Mode::Battle && roll.deployed {
        soldiers.loaded = table.optional("loaded", faults).unwrap_or(true);
        soldiers.condition = table.optional("condition", faults).unwrap_or(Condition::Steady);
        if !matches!(soldiers.condition, Condition::Steady | Condition::Routing) {
            table.fault("condition", "a battle begins with units that are steady or routing", faults);
        }
    }
    if mode == Mode::Case {
        soldiers.loaded = table.optional("loaded", faults).unwrap_or(true);
        soldiers.volleyed = table.optional("volleyed", faults).unwrap_or(false);
        soldiers.meleed = table.optional("meleed", faults).unwrap_or(false);
        soldiers.condition = table.optional("condition", faults).unwrap_or(Condition::Steady);
        soldiers.charged_in = table.optional("charged_in", faults).unwrap_or(false);
        soldiers.counter_bonus = table.optional("counter_bonus", faults).unwrap_or(false);
        soldiers.charge_level = table.optional("charge_level", faults).unwrap_or(0);
        soldiers.task = table.optional("task", faults).unwrap_or(Task::None);
    }
    soldiers
}

pub(super) fn read_sharpshooters(
    root: &mut SheetTable<'_, '_>,
    opening: &Opening<Awi>,
    roll: &mut Roll,
    faults: &mut Faults,
) {
    let Some(mut table) = root.table("sharpshooters", faults) else { return };
    let charts = &opening.charts;
    for side in Side::BOTH {
        let key = roll.sides[side].key.clone();
        let brigades =
            roll.commands.iter().filter(|card| card.side == side && !card.key.ends_with("-division")).count() as i64;
        let limit = (brigades * i64::from(charts.sharpshooter.per_brigade.value.get()))
            .min(i64::from(charts.sharpshooter.at_most.value.get()));
        let places: Vec<Point> = match roll.mode {
            Mode::Case => {
                let places: Vec<Point> = table.optional(&key, faults).unwrap_or_default();
                if opening.settings.sharpshooters { places } else { Vec::new() }
            }
            Mode::Battle => {
                let count: i64 = table.optional(&key, faults).unwrap_or(0);
                if !(0..=limit).contains(&count) {
                    let what =
                        format!("{count} sharpshooters; this side may have {limit} [{}]", Clause::Sharpshooters.id());
                    table.fault(&key, what, faults);
                }
                let count = if opening.settings.sharpshooters { count.clamp(0, limit) } else { 0 };
                vec![Point::default(); count as usize]
            }
        };
        for (n, at) in places.iter().enumerate().take(20) {
            let unit = format!("sharpshooter-{key}-{}", n + 1);
            roll.keys.take(&unit);
            roll.units.push(UnitCard {
                key: unit,
                name: format!("{} sharpshooter {}", roll.sides[side].name, n + 1),
                side,
                command: None,
                facts: sharpshooter_facts(charts, Nation::parse(&key).unwrap_or(Nation::American)),
            });
            let pose = Pose { at: *at, facing: Default::default() };
            roll.units_at.push((roll.mode == Mode::Case).then_some(centred(pose, charts)));
            roll.drawn_up.push(Formation::Line);
            roll.soldiers.push(Soldiers::fresh(1, 0));
        }
    }
    table.finish(faults);
}

/// The pose of a sharpshooter's stand whose centre is at the point.
pub fn centred(pose: Pose, charts: &Charts) -> Pose {
    pose.ahead(charts.footprint.sharpshooter.stand_depth.value.0.half())
}

/// The facts of a sharpshooter.
pub fn sharpshooter_facts(charts: &Charts, nation: Nation) -> Facts {
    Facts {
        arm: Arm::Sharpshooter,
        class: Class::Elite,
        kind: Kind::Sharpshooter,
        nation,
        gun: None,
        shell: false,
        skirmish_able: false,
        woods_free: true,
        small_arms: false,
        marks: 1,
        zones: Vec::new(),
        stand: charts.footprint.sharpshooter.footprint(),
        stands: 1,
        gap: Length::ZERO,
        limbered: charts.footprint.sharpshooter.footprint(),
    }
}
