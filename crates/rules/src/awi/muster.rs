//! Mustering: from a set-up to the opening state, with every fault of it written down (section B).

use super::clause::Clause;
use super::event::Ledger;
use super::sequence::{Opening as OpeningPhase, Phase, Turn};
use super::settings::{Scenario, Victory};
use super::unit::{Arm, Class, Condition, Facts, Formation, Gun, Kind, Level, Nation, Officer, Rating, Rider, Soldiers, Task};
use super::{Awi, case};
use crate::awi::charts::Charts;
use engine::ruleset::Opening;
use engine::setup::{Mode, read_zones, slug};
use engine::{
    BySide, CommandCard, CommandId, CommanderCard, CommanderId, Deed, Event, Faults, FeatureId, Muster, SheetTable,
    Side, SideCard, StandSet, State, UnitCard, UnitId,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use table::{Footprint, Length, Point, Pose};

/// More units than this are no battle.
const MOST_UNITS: usize = 300;

/// What is gathered while a set-up is read.
pub(super) struct Roll {
    pub sides: BySide<SideCard>,
    pub mode: Mode,
    pub commands: Vec<CommandCard>,
    pub zones: Vec<Vec<(Point, Point)>>,
    pub commanders: Vec<CommanderCard<Awi>>,
    pub commanders_at: Vec<Option<Pose>>,
    pub units: Vec<UnitCard<Awi>>,
    pub units_at: Vec<Option<Pose>>,
    pub drawn_up: Vec<Formation>,
    pub soldiers: Vec<Soldiers>,
    keys: BTreeSet<String>,
    /// Keys of units further down in the file, which an officer's made-up key must not take.
    reserved: BTreeSet<String>,
    /// Where each command stands in the file.
    spans: Vec<std::ops::Range<usize>>,
}

/// Builds the opening state.
pub fn muster(
    root: &mut SheetTable<'_, '_>,
    opening: Opening<Awi>,
    mode: Mode,
    faults: &mut Faults,
) -> Option<State<Awi>> {
    let mut roll = Roll {
        sides: opening.header.sides.clone(),
        mode,
        commands: Vec::new(),
        zones: Vec::new(),
        commanders: Vec::new(),
        commanders_at: Vec::new(),
        units: Vec::new(),
        units_at: Vec::new(),
        drawn_up: Vec::new(),
        soldiers: Vec::new(),
        keys: opening.ground.features.iter().map(|feature| feature.key.clone()).collect(),
        reserved: root.table("units", faults).map(|units| units.keys().into_iter().collect()).unwrap_or_default(),
        spans: Vec::new(),
    };
    let charts = &opening.charts;
    read_divisions(root, charts, &mut roll, faults);
    read_brigades(root, charts, &mut roll, faults);
    read_units(root, &opening, &mut roll, faults);
    read_sharpshooters(root, &opening, &mut roll, faults);
    check_chain(root, &opening, &roll, faults);
    let scenario = read_scenario(root, &opening, &roll, faults);
    let muster = Muster {
        title: opening.header.title.clone(),
        ground: Arc::new(opening.ground),
        sides: Arc::new(opening.header.sides),
        units: roll.units.into_iter().map(Arc::new).collect(),
        commanders: Arc::new(roll.commanders),
        commands: Arc::new(roll.commands),
        charts: Arc::new(opening.charts),
        settings: opening.settings,
        scenario,
        turn_limit: opening.header.turn_limit,
        digest: opening.digest,
    };
    let couriers = muster.settings.couriers.unwrap_or(muster.charts.courier.pool.value.get() as u8);
    let ledger = Ledger {
        active: muster.scenario.first.unwrap_or(Side::A),
        first: muster.scenario.first.unwrap_or(Side::A),
        orders: vec![None; muster.commands.len()],
        pool: muster
            .commands
            .iter()
            .map(|card| if is_division(&muster, card) { couriers } else { 0 })
            .collect(),
        returning: vec![0; muster.commands.len()],
        couriers: Vec::new(),
        withdrawn: Vec::new(),
    };
    let pieces = roll
        .drawn_up
        .iter()
        .zip(&roll.soldiers)
        .zip(&muster.units)
        .map(|((formation, soldiers), card)| {
            (*formation, StandSet::first(u32::from(card.facts.stands)), soldiers.clone())
        })
        .collect();
    let riders = vec![Rider::default(); muster.commanders.len()];
    let agenda = vec![Phase::Opening(OpeningPhase::Deploy { done: 0 })];
    let state = State::new(muster, pieces, riders, ledger, agenda);
    let state = match mode {
        Mode::Battle => state,
        Mode::Case => case::arrange(root, place_all(state), faults)?,
    };
    if mode == Mode::Battle {
        super::deployment::check_defaults(&state, root, faults);
    }
    faults.is_clean().then_some(state)
}

fn is_division(muster: &Muster<Awi>, card: &CommandCard) -> bool {
    card.commander.is_some_and(|id| muster.commander(id).facts.level == Level::Division)
}

fn place_all(state: State<Awi>) -> State<Awi> {
    let scenario = &state.muster().scenario;
    let mut events = Vec::new();
    for (id, unit) in state.units() {
        if let Some(pose) = scenario.units_at.get(id.index()).copied().flatten() {
            let hidden = !state.card(id).facts.is_troops();
            let deed = Deed::Placed { unit: id, pose, formation: unit.body.formation, hidden };
            events.push(Event::new(Clause::MarksAreShown, deed));
        }
    }
    for (id, _) in state.commanders() {
        if let Some(to) = scenario.commanders_at.get(id.index()).copied().flatten() {
            events.push(Event::new(Clause::MarksAreShown, Deed::CommanderMoved { commander: id, to }));
        }
    }
    state.folded(&events)
}

impl Roll {
    pub(super) fn side(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Side> {
        let key: String = table.get("side", faults)?;
        let found = self.sides.iter().find(|(_, card)| card.key == key).map(|(side, _)| side);
        if found.is_none() {
            table.fault("side", format!("no side is called `{key}`"), faults);
        }
        found
    }

    fn claim(&mut self, key: &str, table: &SheetTable<'_, '_>, faults: &mut Faults) {
        let sound = !key.is_empty() && key.len() <= 60 && key.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
        if !sound {
            faults.push(table.span(), table.path(), "a key is made of letters, digits, - _ and .");
        }
        if !self.keys.insert(key.to_owned()) {
            faults.push(table.span(), table.path(), format!("the key `{key}` is used twice"));
        }
    }

    fn command(&self, key: &str) -> Option<CommandId> {
        self.commands.iter().position(|card| card.key == key).map(|n| CommandId(n as u16))
    }

    /// A key for an officer who is only named: made of his name, with a number where the name is taken.
    fn officer_key(&mut self, name: &str, table: &SheetTable<'_, '_>, faults: &mut Faults) -> String {
        let plain = slug(name);
        let free = (1..).map(|n| if n == 1 { plain.clone() } else { format!("{plain}-{n}") }).find(|key| !self.keys.contains(key) && !self.reserved.contains(key));
        let key = free.unwrap_or(plain);
        self.claim(&key, table, faults);
        key
    }

    fn enlist(&mut self, key: String, name: String, side: Side, commands: CommandId, facts: Officer, at: Option<Pose>) {
        self.commands[commands.index()].commander = Some(CommanderId(self.commanders.len() as u16));
        self.commanders.push(CommanderCard { key, name, side, commands, facts });
        self.commanders_at.push(at);
    }
}

fn read_divisions(root: &mut SheetTable<'_, '_>, charts: &Charts, roll: &mut Roll, faults: &mut Faults) {
    for (key, mut table) in root.group("divisions", faults) {
        let side = roll.side(&mut table, faults);
        let name: String = table.optional("name", faults).unwrap_or_else(|| key.clone());
        let rating: Option<Rating> = table.get("rating", faults);
        let pose: Option<Pose> = table.optional("pose", faults);
        table.finish(faults);
        if pose.is_none() && roll.mode == Mode::Battle {
            table.fault("pose", "a commander needs a place", faults);
        }
        let (Some(side), Some(rating)) = (side, rating) else { continue };
        // The officer bears the key; his division is named after him.
        roll.claim(&key, &table, faults);
        let division = format!("{key}-division");
        roll.claim(&division, &table, faults);
        let id = CommandId(roll.commands.len() as u16);
        let title = format!("{name}'s division");
        roll.commands.push(CommandCard { key: division, name: title, side, parent: None, commander: None });
        roll.zones.push(Vec::new());
        roll.spans.push(table.span());
        let stand = charts.footprint.divisional_commander.footprint();
        roll.enlist(key, name, side, id, Officer { level: Level::Division, rating, stand }, pose);
    }
}

fn read_brigades(root: &mut SheetTable<'_, '_>, charts: &Charts, roll: &mut Roll, faults: &mut Faults) {
    for (key, mut table) in root.group("brigades", faults) {
        let side = roll.side(&mut table, faults);
        let name: String = table.optional("name", faults).unwrap_or_else(|| key.clone());
        let parent = table.optional::<String>("division", faults).and_then(|division| {
            let found = roll.command(&format!("{division}-division"));
            if found.is_none() {
                table.fault("division", format!("no division is called `{division}`"), faults);
            }
            found
        });
        if let (Some(parent), Some(side)) = (parent, side)
            && roll.commands[parent.index()].side != side
        {
            table.fault("division", "a brigade cannot belong to the other side's division", faults);
        }
        let zones = read_zones(&mut table, faults);
        let officer = table.table("commander", faults);
        if officer.is_none() && roll.mode == Mode::Battle && !table.has("commander") {
            table.fault("commander", "every brigade has one commander", faults);
        }
        table.finish(faults);
        let Some(side) = side else { continue };
        roll.claim(&key, &table, faults);
        let id = CommandId(roll.commands.len() as u16);
        roll.commands.push(CommandCard { key: key.clone(), name, side, parent, commander: None });
        roll.zones.push(zones);
        roll.spans.push(table.span());
        if let Some(mut officer) = officer {
            let name: String = officer.optional("name", faults).unwrap_or_else(|| format!("{key}-commander"));
            let rating: Option<Rating> = officer.get("rating", faults);
            let pose: Option<Pose> = officer.optional("pose", faults);
            let given: Option<String> = officer.optional("key", faults);
            officer.finish(faults);
            if pose.is_none() && roll.mode == Mode::Battle {
                officer.fault("pose", "a commander needs a place", faults);
            }
            let key = match given {
                Some(key) => {
                    roll.claim(&key, &officer, faults);
                    key
                }
                None => roll.officer_key(&name, &officer, faults),
            };
            if let Some(rating) = rating {
                let stand = charts.footprint.brigade_commander.footprint();
                roll.enlist(key, name, side, id, Officer { level: Level::Brigade, rating, stand }, pose);
            }
        }
    }
}

fn read_units(root: &mut SheetTable<'_, '_>, opening: &Opening<Awi>, roll: &mut Roll, faults: &mut Faults) {
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
        let what = format!("{} are not among the book's examples of {} [{}]", kind.word(), class.word(), class.types_clause().id());
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
        stand: table.optional("stand", faults).filter(|size| sound_stand(size, table, faults)).unwrap_or(stand.footprint()),
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
    let soldiers = read_soldiers(table, class, Soldiers::fresh(full, grape), roll.mode, faults);
    Some((UnitCard { key: key.to_owned(), name, side, command, facts }, pose, formation, soldiers))
}

fn sound_stand(size: &Footprint, table: &SheetTable<'_, '_>, faults: &mut Faults) -> bool {
    let sound = |length: Length| length >= Length::mm(5.0) && length <= Length::whole_inches(12);
    let fine = sound(size.width) && sound(size.depth);
    if !fine {
        table.fault("stand", "a stand is 5mm to 12in wide and deep", faults);
    }
    fine
}

fn read_stands(table: &mut SheetTable<'_, '_>, usual: u8, faults: &mut Faults) -> u8 {
    let stands: i64 = table.optional("stands", faults).unwrap_or(i64::from(usual));
    if !(1..=12).contains(&stands) {
        table.fault("stands", format!("{stands} is outside 1 to 12 stands"), faults);
        return usual;
    }
    stands as u8
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

/// Battles begin with fresh units; a case may say otherwise.
fn read_soldiers(
    table: &mut SheetTable<'_, '_>,
    class: Class,
    fresh: Soldiers,
    mode: Mode,
    faults: &mut Faults,
) -> Soldiers {
    let full = fresh.marks;
    let marks = table.optional::<u8>("marks", faults).unwrap_or(full);
    if marks == 0 || marks > full || (mode == Mode::Battle && marks != full) {
        let what = match mode {
            Mode::Battle => format!("this class begins with {full} marks [{}]", class.marks_clause().id()),
            Mode::Case => format!("expected 1 to {full} marks"),
        };
        table.fault("marks", what, faults);
    }
    let mut soldiers = Soldiers { marks, ..fresh };
    if let Some(rounds) = table.optional::<u8>("grape_left", faults) {
        soldiers.grape_left = rounds;
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

fn read_sharpshooters(root: &mut SheetTable<'_, '_>, opening: &Opening<Awi>, roll: &mut Roll, faults: &mut Faults) {
    let Some(mut table) = root.table("sharpshooters", faults) else { return };
    let charts = &opening.charts;
    for side in Side::BOTH {
        let key = roll.sides[side].key.clone();
        let brigades = roll
            .commands
            .iter()
            .filter(|card| card.side == side && !card.key.ends_with("-division"))
            .count() as i64;
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
                    let what = format!("{count} sharpshooters; this side may have {limit} [{}]", Clause::Sharpshooters.id());
                    table.fault(&key, what, faults);
                }
                let count = if opening.settings.sharpshooters { count.clamp(0, limit) } else { 0 };
                vec![Point::default(); count as usize]
            }
        };
        for (n, at) in places.iter().enumerate().take(20) {
            let unit = format!("sharpshooter-{key}-{}", n + 1);
            roll.keys.insert(unit.clone());
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

/// The rule of three (R66): norms, with a caution.
fn check_chain(root: &SheetTable<'_, '_>, opening: &Opening<Awi>, roll: &Roll, faults: &mut Faults) {
    if roll.mode == Mode::Case {
        return;
    }
    let force = &opening.charts.force;
    for (n, card) in roll.commands.iter().enumerate() {
        let id = CommandId(n as u16);
        let span = roll.spans.get(n).cloned().unwrap_or_default();
        let brigades = roll.commands.iter().filter(|other| other.parent == Some(id)).count() as i32;
        let members: Vec<&UnitCard<Awi>> = roll.units.iter().filter(|unit| unit.command == Some(id)).collect();
        let is_division = card.key.ends_with("-division");
        let (count, least, most, norm, clause, what) = if is_division {
            let f = (force.division_least.value, force.division_most.value, force.division_norm.value);
            (brigades, f.0, f.1, f.2, Clause::DivisionOfThree, "brigades")
        } else {
            let f = (force.brigade_least.value, force.brigade_most.value, force.brigade_norm.value);
            (members.len() as i32, f.0, f.1, f.2, Clause::BrigadeOfThree, "units")
        };
        if count != norm.get() {
            let strange = if (least.get()..=most.get()).contains(&count) { "" } else { ", far from the norm" };
            let text = format!("{} has {count} {what}; the norm is {}{strange} [{}]", card.name, norm.get(), clause.id());
            faults.caution(span.clone(), &card.key, text);
        }
        if count == 0 {
            faults.push(span.clone(), &card.key, format!("{} commands nothing", card.name));
        }
        if !is_division && !members.is_empty() && members.iter().all(|unit| unit.facts.arm == Arm::Cavalry) {
            let clause = Clause::CavalryBrigade.id();
            if opening.settings.cavalry_brigades {
                let text = format!("{} is a brigade of horse, which both sides must agree to [{clause}]", card.name);
                faults.caution(span.clone(), &card.key, text);
            } else {
                let text = format!("{} is a brigade of horse, and it was agreed to have none [{clause}]", card.name);
                faults.push(span.clone(), &card.key, text);
            }
        }
    }
    for side in Side::BOTH {
        if !roll.units.iter().any(|unit| unit.side == side && unit.facts.is_troops()) {
            faults.push(root.span(), "units", format!("{} has no units", roll.sides[side].name));
        }
    }
}

fn read_scenario(root: &mut SheetTable<'_, '_>, opening: &Opening<Awi>, roll: &Roll, faults: &mut Faults) -> Scenario {
    let feature = |key: &str| {
        opening.ground.features.iter().position(|feature| feature.key == key).map(|n| FeatureId(n as u16))
    };
    let victory = root.table("victory", faults).map_or(Victory::Threshold, |mut table| {
        let victory = read_victory(&mut table, &feature, roll, faults);
        table.finish(faults);
        victory.unwrap_or_default()
    });
    let slips_away = root.table("special", faults).and_then(|mut table| {
        let key: Option<String> = table.optional("militia_slip_away", faults);
        table.finish(faults);
        let key = key?;
        let found = roll.command(&key);
        if found.is_none() {
            table.fault("militia_slip_away", format!("no brigade is called `{key}`"), faults);
        }
        found
    });
    let mut strengths: Vec<(Nation, Side, u16, u16)> = Vec::new();
    for card in roll.units.iter().filter(|card| card.facts.is_troops()) {
        let marks = u16::from(card.facts.marks);
        match strengths.iter_mut().find(|row| row.0 == card.facts.nation && row.1 == card.side) {
            Some(row) => {
                row.2 += 1;
                row.3 += marks;
            }
            None => strengths.push((card.facts.nation, card.side, 1, marks)),
        }
    }
    Scenario {
        first: opening.header.first,
        victory,
        slips_away,
        units_at: roll.units_at.clone(),
        commanders_at: roll.commanders_at.clone(),
        strengths,
    }
}

fn read_victory(
    table: &mut SheetTable<'_, '_>,
    feature: &impl Fn(&str) -> Option<FeatureId>,
    roll: &Roll,
    faults: &mut Faults,
) -> Option<Victory> {
    let find = |key: &str, name: &str, table: &SheetTable<'_, '_>, faults: &mut Faults| {
        let found = feature(name);
        if found.is_none() {
            table.fault(key, format!("no terrain feature is called `{name}`"), faults);
        }
        found
    };
    let kind: String = table.get("kind", faults)?;
    match kind.as_str() {
        "threshold" => {
            let tie: Option<String> = table.optional("tie_break", faults);
            let hill: Option<String> = table.optional("feature", faults);
            let objective: Option<String> = table.optional("objective", faults);
            match (tie, hill, objective) {
                (None, None, None) => Some(Victory::Threshold),
                (_, Some(hill), None) => find("feature", &hill, table, faults).map(Victory::TieBreak),
                (None, None, Some(place)) => find("objective", &place, table, faults).map(Victory::Objective),
                _ => {
                    table.fault("kind", "give either a tie-breaking feature or an objective", faults);
                    None
                }
            }
        }
        "hold_all" => {
            let side = roll.side(table, faults)?;
            let names: Vec<String> = table.get("features", faults)?;
            let within: Length = table.get("within", faults)?;
            let features = names.iter().filter_map(|name| find("features", name, table, faults)).collect();
            Some(Victory::HoldAll { side, features, within })
        }
        other => {
            table.fault("kind", format!("`{other}` is not a way to win; expected threshold or hold_all"), faults);
            None
        }
    }
}

/// Puts a turn's part on the agenda, for cases.
pub fn turn_at(side: Side, step: u8) -> Vec<Phase> {
    vec![Phase::Turn(Turn { side, step })]
}

/// The unit with this key.
pub fn unit_named(state: &State<Awi>, key: &str) -> Option<UnitId> {
    state.muster().unit_ids().find(|id| state.card(*id).key == key)
}
