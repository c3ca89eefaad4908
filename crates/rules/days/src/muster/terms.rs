//! What a set-up says beside its pieces: armies and their lists, what was bought, how the battle is won.

use super::super::Days;
use super::super::clause::Clause;
use super::super::force::extras_price;
use super::super::settings::{Disputed, Nature, Objective, Scenario, VictoryBy};
use super::armies::Lists;
use super::{Army, Roll, find_feature};
use book::enlist::optional_side;
use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{BySide, Faults, FeatureId, Ruleset, SheetTable, Side};
use serde::Deserialize;
use table::Length;
use table::terrain::{Feature, Ground, TerrainKind};

/// Sizes of a usual game (days.5-a).
const USUAL_SIZES: std::ops::RangeInclusive<u32> = 400..=1200; // tidy: allow(the usual sizes, for a caution)
/// More points than this are no game.
const MOST_POINTS: u32 = 20_000;
/// What a case without a size is fought for.
const SIZE_OF_CASES: u32 = 800; // tidy: allow(the size of a case that gives none)

/// One list or several: allies fight side by side.
#[derive(Deserialize)]
#[serde(untagged)]
enum Named {
    One(String),
    Several(Vec<String>),
}

/// The agreed size of the forces (days.5-a).
pub(super) fn read_size(root: &mut SheetTable<'_, '_>, mode: Mode, faults: &mut Faults) -> u32 {
    let clause = Clause::PointsForAnArmy.id();
    let size: Option<u32> = root.optional("size", faults);
    match size {
        None if mode == Mode::Battle && !root.has("size") => {
            faults.push(root.span(), "size", format!("for how many points is it played: `size` is missing [{clause}]"));
        }
        Some(size) if !(1..=MOST_POINTS).contains(&size) => {
            root.fault("size", format!("{size} is outside 1 to {MOST_POINTS} points [{clause}]"), faults);
        }
        Some(size) if !USUAL_SIZES.contains(&size) => {
            let (least, most) = (USUAL_SIZES.start(), USUAL_SIZES.end());
            root.caution("size", format!("usual games are played for {least} to {most} points [{clause}]"), faults);
        }
        _ => {}
    }
    size.unwrap_or(SIZE_OF_CASES).clamp(1, MOST_POINTS)
}

pub(super) fn read_armies(
    root: &mut SheetTable<'_, '_>,
    opening: &Opening<Days>,
    book: &Lists,
    roll: &mut Roll,
    faults: &mut Faults,
) {
    let edition = Days::EDITIONS.get(usize::from(opening.edition.0)).map_or("", |edition| edition.id);
    for (key, mut table) in root.group("armies", faults) {
        let found = roll.sides.iter().find(|(_, card)| card.key == key).map(|(side, _)| side);
        let army = read_army(&mut table, opening, book, edition, faults);
        table.finish(faults);
        match found {
            Some(side) => roll.armies[side] = army,
            None => faults.push(table.span(), table.path(), format!("no side is called `{key}`")),
        }
    }
    let strict = opening.settings.composition && roll.mode == Mode::Battle;
    for (_, card) in roll.sides.iter().filter(|(side, _)| strict && roll.armies[*side].lists.is_empty()) {
        let what = format!("which army are {}: [armies.{}] [{}]", card.name, card.key, Clause::OrdersOfBattle.id());
        faults.push(root.span(), "armies", what);
    }
}

fn read_army(
    table: &mut SheetTable<'_, '_>,
    opening: &Opening<Days>,
    book: &Lists,
    edition: &str,
    faults: &mut Faults,
) -> Army {
    let names = match table.optional("list", faults) {
        Some(Named::One(name)) => vec![name],
        Some(Named::Several(names)) => names,
        None => Vec::new(),
    };
    let clause = Clause::OrdersOfBattle.id();
    if names.len() > book.composition.allied_lists && opening.settings.composition {
        let most = book.composition.allied_lists;
        table.fault("list", format!("no more than {most} lists make one army [{clause}]"), faults);
    }
    let mut army = Army::default();
    for name in names {
        match book.armies.get_key_value(&name) {
            Some((key, list)) if list.edition == edition => army.lists.push((key.clone(), list.clone())),
            Some((_, list)) => {
                table.fault("list", format!("{} did not fight in this book [{clause}]", list.name), faults);
            }
            None => {
                let known: Vec<&str> = book.of(edition).map(|(key, _)| key.as_str()).collect();
                let what = format!("there is no list `{name}`; there are {} [{clause}]", known.join(", "));
                table.fault("list", what, faults);
            }
        }
    }
    army.siege = table.optional("siege", faults).unwrap_or(false);
    army.earthworks = read_length(table, "earthworks", Clause::PayingForEarthworks, faults);
    army.pontoons = read_length(table, "pontoons", Clause::BuyingMorePontoons, faults);
    army.span = table.span();
    army
}

fn read_length(table: &mut SheetTable<'_, '_>, entry: &str, clause: Clause, faults: &mut Faults) -> Length {
    let length: Length = table.optional(entry, faults).unwrap_or_default();
    // tidy: allow(a bound on what a set-up may buy, not a figure of the book)
    let sound = Length::ZERO..=Length::whole_inches(240);
    if !sound.contains(&length) {
        table.fault(entry, format!("expected 0in to {} [{}]", sound.end(), clause.id()), faults);
        return Length::ZERO;
    }
    length
}

/// The terms, and how the battle is won. A switch that was set otherwise than usual goes before the scenario's word.
pub(super) fn read_scenario(
    root: &mut SheetTable<'_, '_>,
    opening: &Opening<Days>,
    roll: &Roll,
    natures: Vec<Nature>,
    faults: &mut Faults,
) -> (Scenario, VictoryBy) {
    let mut by = opening.settings.victory;
    let mut objectives = Vec::new();
    if let Some(mut table) = root.table("victory", faults) {
        let kind: Option<VictoryBy> = table.optional("kind", faults);
        objectives = read_objectives(&mut table, &opening.ground, roll, faults);
        table.finish(faults);
        if by == VictoryBy::Points {
            let usual = if objectives.is_empty() { VictoryBy::Points } else { VictoryBy::Objectives };
            by = kind.unwrap_or(usual);
        }
        if by == VictoryBy::Objectives && objectives.is_empty() {
            let clause = Clause::PlayingForObjectives.id();
            faults.push(table.span(), "victory.objectives", format!("there is nothing to hold [{clause}]"));
        }
    } else if by == VictoryBy::Objectives {
        let clause = Clause::PlayingForObjectives.id();
        faults.push(root.span(), "victory", format!("there is nothing to hold [{clause}]"));
    }
    let attacker = optional_side(&roll.sides, "attacker", root, faults);
    let burning = read_burning(root, &opening.ground, &natures, faults);
    let bought = BySide::from_fn(|side| (roll.armies[side].earthworks, roll.armies[side].pontoons));
    let extras = BySide::from_fn(|side| {
        let (earthworks, pontoons) = bought[side];
        extras_price(&opening.charts, earthworks, pontoons).whole().unsigned_abs()
    });
    let scenario = Scenario {
        deployed: roll.deployed,
        size: roll.size,
        attacker,
        off_board: roll.off_board,
        disputes: read_disputes(root, roll, faults),
        chance_edges: roll.chance_edges,
        natures,
        burning,
        objectives,
        earthworks: BySide::from_fn(|side| bought[side].0),
        pontoons: BySide::from_fn(|side| bought[side].1),
        extras,
        units_at: roll.units.iter().map(|unit| unit.pose).collect(),
        drawn_up: roll.units.iter().map(|unit| Some(unit.formation)).collect(),
        in_hiding: roll.units.iter().map(|unit| unit.hidden).collect(),
        at_crest: roll.units.iter().map(|unit| unit.crest).collect(),
        commanders_at: roll.commanders_at.clone(),
        kept_off: roll.pending.iter().map(|pending| pending.off).collect(),
    };
    (scenario, by)
}

/// What burns already: woods, houses, and obstacles of wood (days.15-b).
fn read_burning(
    root: &mut SheetTable<'_, '_>,
    ground: &Ground,
    natures: &[Nature],
    faults: &mut Faults,
) -> Vec<FeatureId> {
    let clause = Clause::SettledBetweenThePlayers.id();
    let names: Vec<String> = root.optional("burning", faults).unwrap_or_default();
    let mut burning = Vec::new();
    for name in names {
        let plain = name.trim_start_matches('@');
        let Some(feature) = find_feature(ground, &name) else {
            root.fault("burning", format!("no terrain feature is called `{plain}` [{clause}]"), faults);
            continue;
        };
        let wooden = natures.get(feature.index()).is_some_and(|nature| nature.wooden);
        let spans = |one: &Feature| matches!(one.kind, TerrainKind::Bridge | TerrainKind::Pontoon);
        let bridge = ground.features.get(feature.index()).is_some_and(spans);
        if !wooden || bridge {
            root.fault("burning", format!("`{plain}` does not burn [{clause}]"), faults);
        } else {
            burning.push(feature);
        }
    }
    burning
}

/// Switches over which the players differ, each with the side that wants it on (days.3.4-a, 19-b).
fn read_disputes(root: &mut SheetTable<'_, '_>, roll: &Roll, faults: &mut Faults) -> Vec<(Disputed, Side)> {
    let Some(mut table) = root.table("disputes", faults) else { return Vec::new() };
    let mut wanted = Vec::new();
    for rule in Disputed::ALL {
        let side = optional_side(&roll.sides, rule.word(), &mut table, faults);
        wanted.extend(side.map(|side| (*rule, side)));
    }
    table.finish(faults);
    wanted
}

fn read_objectives(
    table: &mut SheetTable<'_, '_>,
    ground: &Ground,
    roll: &Roll,
    faults: &mut Faults,
) -> Vec<Objective> {
    let mut objectives: Vec<Objective> = Vec::new();
    for mut entry in table.tables("objectives", faults) {
        let name: Option<String> = entry.get("feature", faults);
        let of = optional_side(&roll.sides, "of", &mut entry, faults);
        entry.finish(faults);
        if of.is_none() && !entry.has("of") {
            faults.push(entry.span(), entry.path(), "`of` is missing: whose task is it");
        }
        let (Some(name), Some(of)) = (name, of) else { continue };
        let Some(feature) = find_feature(ground, &name) else {
            let name = name.trim_start_matches('@');
            entry.fault("feature", format!("no terrain feature is called `{name}`"), faults);
            continue;
        };
        if objectives.iter().any(|other| other.feature == feature && other.of == of) {
            entry.fault("feature", format!("`{name}` is his task twice"), faults);
        }
        objectives.push(Objective { feature, of });
    }
    objectives
}
