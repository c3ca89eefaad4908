//! Units of a set-up: their facts, their state where a case says more, and the stands of scouting cavalry.

use super::super::Fpw;
use super::super::charts::Charts;
use super::super::clause::Clause;
use super::super::unit::{
    Advance, Arm, Facts, FightRecord, Formation, Impetus, Level, Markers, Nation, Quality, Soldiers, TurnRecord, Weapon,
};
use super::Roll;
use book::enlist::{MOST_UNITS, read_stand, read_stands};
use engine::ruleset::Opening;
use engine::setup::{Mode, read_zones};
use engine::{CommandId, Faults, SheetTable, UnitCard, UnitId};
use serde::Deserialize;
use table::Pose;

pub(super) fn read_units(root: &mut SheetTable<'_, '_>, opening: &Opening<Fpw>, roll: &mut Roll, faults: &mut Faults) {
    let group = root.group("units", faults);
    if group.len() > MOST_UNITS {
        root.fault("units", format!("{} units are more than the {MOST_UNITS} a battle may have", group.len()), faults);
        return;
    }
    let mut regiments = Vec::new();
    for (key, mut table) in group {
        let scouts: Vec<Pose> = match roll.mode {
            Mode::Case => table.optional("scouts", faults).unwrap_or_default(),
            Mode::Battle => Vec::new(),
        };
        let hidden = roll.mode == Mode::Case && table.optional("hidden", faults).unwrap_or(false);
        let read = read_unit(&key, &mut table, opening, roll, faults);
        table.finish(faults);
        let Some((card, pose, formation, soldiers)) = read else { continue };
        roll.keys.claim(&key, &table, faults);
        if !scouts.is_empty() && (!opening.settings.scouting || card.facts.arm != Arm::Cavalry || pose.is_some()) {
            let what = "only cavalry that has no place of its own scouts, and only where scouting is played";
            table.fault("scouts", what, faults);
        }
        if card.facts.arm == Arm::Cavalry {
            regiments.push((UnitId(roll.units.len() as u16), scouts));
        }
        enlist(roll, card, pose, formation, soldiers, hidden);
    }
    if opening.settings.scouting {
        for (regiment, at) in regiments {
            add_scouts(roll, regiment, &at);
        }
    }
}

fn enlist(
    roll: &mut Roll,
    card: UnitCard<Fpw>,
    pose: Option<Pose>,
    formation: Formation,
    soldiers: Soldiers,
    hidden: bool,
) {
    roll.units.push(card);
    roll.units_at.push(pose);
    roll.drawn_up.push(formation);
    roll.soldiers.push(soldiers);
    roll.hidden.push(hidden);
}

/// Every cavalry regiment may be declared scouts, and then rides as single stands (R87).
fn add_scouts(roll: &mut Roll, regiment: UnitId, at: &[Pose]) {
    let card = roll.units[regiment.index()].clone();
    let freed = roll.soldiers[regiment.index()].freed;
    let hidden = roll.hidden[regiment.index()];
    for n in 0..card.facts.stands {
        let key = format!("{}-scout-{}", card.key, n + 1);
        roll.keys.take(&key);
        let facts = Facts { scout_of: Some(regiment), stands: 1, weapon: Weapon::None, ..card.facts.clone() };
        let name = format!("{}, patrol {}", card.name, n + 1);
        // Patrols belong to no brigade: any general may send them out.
        let scout = UnitCard { key, name, side: card.side, command: None, facts };
        let soldiers = Soldiers { freed, ..Soldiers::fresh(1) };
        enlist(roll, scout, at.get(usize::from(n)).copied(), Formation::Line, soldiers, hidden);
    }
}

type UnitRead = (UnitCard<Fpw>, Option<Pose>, Formation, Soldiers);

fn read_unit(
    key: &str,
    table: &mut SheetTable<'_, '_>,
    opening: &Opening<Fpw>,
    roll: &Roll,
    faults: &mut Faults,
) -> Option<UnitRead> {
    let charts = &opening.charts;
    let command = read_command(table, roll, faults);
    let name: String = table.optional("name", faults).unwrap_or_else(|| key.to_owned());
    let arm: Option<Arm> = table.get("arm", faults);
    let weapon: Option<Weapon> = table.optional("weapon", faults);
    let heavy: bool = table.optional("heavy", faults).unwrap_or(false);
    let quality: Quality = table.optional("quality", faults).unwrap_or(Quality::Regular);
    let independent: bool = table.optional("independent", faults).unwrap_or(false);
    let level: Option<Level> = table.optional("level", faults);
    let formation: Option<Formation> = table.optional("formation", faults);
    let pose: Option<Pose> = table.optional("pose", faults);
    let size = read_stand(table, faults);
    let zones = read_zones(table, faults);
    if pose.is_none() && roll.mode == Mode::Battle && !table.has("pose") {
        table.fault("pose", "a unit needs a place", faults);
    }
    let side = match command {
        Some(command) => {
            let side = roll.commands[command.index()].side;
            if table.has("side") && roll.side(table, faults) != Some(side) {
                table.fault("side", "is not the side of its general", faults);
            }
            Some(side)
        }
        None if roll.mode == Mode::Case || table.has("side") => roll.side(table, faults),
        None => None,
    };
    let general = command.and_then(|command| roll.general_of(command));
    let nation = side.map(|side| match general {
        Some(general) if !table.has("nation") => general.facts.nation,
        _ => roll.nation(table, side, faults),
    });
    let stands = arm.map_or(1, |arm| read_count(table, charts, arm, independent, roll.mode, faults));
    let soldiers = read_soldiers(table, stands, roll.mode, faults);
    let (arm, side, nation) = (arm?, side?, nation?);
    let weapon = weapon.unwrap_or_else(|| usual_weapon(arm, nation, heavy));
    check_kind(table, arm, weapon, heavy, independent, nation, faults);
    let own_level = general.map_or(Level::Division, |general| general.facts.level);
    if level.is_some_and(|level| level != own_level) && !arm.is_artillery() {
        table.fault("level", "only batteries are held at another level than their general's", faults);
    }
    let arrival = command.and_then(|command| roll.arrivals[command.index()].clone());
    let zones = match &arrival {
        Some(arrival) if zones.is_empty() => arrival.zones.clone(),
        _ => zones,
    };
    let facts = Facts {
        arm,
        weapon,
        heavy,
        quality,
        nation,
        level: level.unwrap_or(own_level),
        independent,
        scout_of: None,
        stands,
        stand: size.unwrap_or(charts.stand(arm)),
        zones,
        enters: arrival.map(|arrival| arrival.turn),
    };
    let usual = match (arm.is_artillery(), facts.enters.is_some()) {
        (true, true) => Formation::Limbered,
        (true, false) => Formation::Deployed,
        (false, true) => Formation::March,
        (false, false) => Formation::Line,
    };
    let formation = formation.unwrap_or(usual);
    if !facts.formations(stands).contains(&formation) {
        let clause = Clause::ThreeFormations.id();
        table.fault("formation", format!("this unit cannot be in {} [{clause}]", formation.word()), faults);
    } else if facts.enters.is_some() && roll.mode == Mode::Battle && !formation.is_march() {
        table.fault("formation", "reinforcements come on in march column, guns limbered", faults);
    }
    Some((UnitCard { key: key.to_owned(), name, side, command, facts }, pose, formation, soldiers))
}

/// The brigade or the general a unit belongs to: exactly one of the two, but for cases.
fn read_command(table: &mut SheetTable<'_, '_>, roll: &Roll, faults: &mut Faults) -> Option<CommandId> {
    let brigade: Option<String> = table.optional("brigade", faults);
    let general: Option<String> = table.optional("general", faults);
    let (entry, what, found, key) = match (&brigade, &general) {
        (Some(_), Some(_)) => {
            table.fault("general", "a unit in a brigade is held by the brigade's general; give one of the two", faults);
            return None;
        }
        (Some(key), None) => ("brigade", "brigade", roll.brigade(key), key),
        (None, Some(key)) => ("general", "general", roll.command_of(key), key),
        (None, None) => {
            if roll.mode == Mode::Battle && !table.has("brigade") && !table.has("general") {
                let clause = Clause::DirectCommand.id();
                faults.push(table.span(), table.path(), format!("every unit is held by one general [{clause}]"));
            }
            return None;
        }
    };
    if found.is_none() {
        table.fault(entry, format!("no {what} is called `{key}`"), faults);
    }
    found
}

/// How many stands: the book's number in a battle, any in a case.
fn read_count(
    table: &mut SheetTable<'_, '_>,
    charts: &Charts,
    arm: Arm,
    independent: bool,
    mode: Mode,
    faults: &mut Faults,
) -> u8 {
    let book = if independent { 1 } else { charts.stands(arm).value.clamp(1, 12) as u8 };
    let stands = read_stands(table, book, faults);
    if mode == Mode::Battle && stands != book {
        let clause = Clause::StandsPerUnit.id();
        table.fault("stands", format!("such a unit has {book} stands, not {stands} [{clause}]"), faults);
    }
    stands
}

fn usual_weapon(arm: Arm, nation: Nation, heavy: bool) -> Weapon {
    match (arm, nation) {
        (Arm::Infantry, Nation::French) => Weapon::Chassepot,
        (Arm::Infantry, Nation::German) => Weapon::NeedleGun,
        (Arm::Cavalry, _) => {
            if heavy {
                Weapon::None
            } else {
                Weapon::Carbine
            }
        }
        (_, Nation::French) => Weapon::FrenchGun,
        (_, Nation::German) => Weapon::PrussianGun,
    }
}

fn check_kind(
    table: &SheetTable<'_, '_>,
    arm: Arm,
    weapon: Weapon,
    heavy: bool,
    independent: bool,
    nation: Nation,
    faults: &mut Faults,
) {
    use Weapon as W;
    let fits = match arm {
        Arm::Infantry => matches!(weapon, W::MuzzleLoader | W::NeedleGun | W::Chassepot | W::BreechLoader),
        Arm::Cavalry => matches!(weapon, W::Carbine | W::None),
        Arm::FootArtillery | Arm::HorseArtillery => weapon.is_gun() || weapon == W::Mitrailleuse,
    };
    if !fits {
        table.fault("weapon", format!("{} does not carry {}", arm.word().replace('_', " "), weapon.name()), faults);
    }
    if arm == Arm::Infantry && nation == Nation::French && weapon != W::Chassepot {
        table.caution("weapon", "French foot carries the chassepot unless the scenario has a reason", faults);
    }
    if heavy && arm != Arm::Cavalry {
        table.fault("heavy", "only cavalry is heavy", faults);
    }
    if independent && arm.is_artillery() {
        table.fault("independent", "a battery is a unit of its own already", faults);
    }
}

/// Stands that have fired: all of them, or those named.
#[derive(Deserialize)]
#[serde(untagged)]
enum Fired {
    All(bool),
    These(Vec<u8>),
}

/// Battles begin with fresh units; a case may say otherwise.
fn read_soldiers(table: &mut SheetTable<'_, '_>, stands: u8, mode: Mode, faults: &mut Faults) -> Soldiers {
    let mut soldiers = Soldiers::fresh(stands);
    if mode == Mode::Battle {
        return soldiers;
    }
    if let Some(markers) = table.optional::<Vec<(u8, u8)>>("markers", faults) {
        if markers.len() == usize::from(stands) {
            let read = markers
                .iter()
                .map(|(disruption, degradation)| Markers { disruption: *disruption, degradation: *degradation });
            soldiers.stands = read.collect();
        } else {
            let what = format!("expected markers for {stands} stands: [disruption, degradation] of each");
            table.fault("markers", what, faults);
        }
    }
    let fired = match table.optional("fired", faults) {
        None | Some(Fired::All(false)) => 0,
        Some(Fired::All(true)) => (0..stands).fold(0, |mask, stand| mask | bit(stand)),
        Some(Fired::These(list)) => list.into_iter().fold(0, |mask, stand| mask | bit(stand)),
    };
    soldiers.penalty = table.optional("penalty", faults).unwrap_or(0);
    soldiers.freed = table.optional("freed", faults).unwrap_or(false);
    soldiers.turn = TurnRecord {
        orders: table.optional("orders", faults).unwrap_or(0),
        from_above: table.optional("from_above", faults).unwrap_or(false),
        moves: table.optional("moves", faults).unwrap_or(0),
        halted: table.optional("halted", faults).unwrap_or(false),
        fired_ordered: table.optional("fired_ordered", faults).unwrap_or(false),
        fired,
        initiative: table.optional("initiative", faults).unwrap_or(false),
        deployed_late: table.optional("deployed_late", faults).unwrap_or(false),
        withdrew: table.optional("withdrew", faults).unwrap_or(false),
        advance: table.optional::<Advance>("advance", faults).map(Box::new),
        inflicted: table.optional("inflicted", faults).unwrap_or(0),
    };
    soldiers.fight = FightRecord {
        contacts: Default::default(),
        impetus: table.optional::<Impetus>("impetus", faults),
        failed_evade: table.optional("failed_evade", faults).unwrap_or(false),
        given: table.optional("given", faults).unwrap_or(0),
        taken: table.optional("taken", faults).unwrap_or(0),
        momentum: table.optional("momentum", faults).unwrap_or(false),
        rounds: table.optional("rounds", faults).unwrap_or(0),
        followed_up: table.optional("followed_up", faults).unwrap_or(false),
    };
    soldiers
}

/// The bit of a stand in a turn's record of fire.
fn bit(stand: u8) -> u16 {
    1 << stand.min(15)
}
