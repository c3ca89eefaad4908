//! What a set-up says beside its pieces: armies and year, buildings, opening orders, victory (R69, R81, period-a).

use super::super::Guns;
use super::super::charts::plain;
use super::super::clause::Clause;
use super::super::order::{BrigadeOrder, Matter, Posture};
use super::super::settings::{Objective, Scale, Scenario, Settings, VictoryBy};
use super::super::unit::{Building, Level};
use super::armies::{Lists, lists};
use super::{Army, Roll, find_feature, scenario_of};
use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{BySide, Faults, FeatureId, SheetTable, Side};
use serde::Deserialize;
use serde_json::Value;
use table::terrain::{Edge, Feature, Ground, TerrainKind};
use table::{Outline, Point, Vec2};

/// The year of a case that gives none.
const YEAR_OF_CASES: u16 = 1870;

/// One list or several: allies fight side by side.
#[derive(Deserialize)]
#[serde(untagged)]
enum Named {
    One(String),
    Several(Vec<String>),
}

pub(super) fn read_armies(root: &mut SheetTable<'_, '_>, settings: &Settings, roll: &mut Roll, faults: &mut Faults) {
    let book = match lists() {
        Ok(book) => book,
        Err(what) => {
            faults.push(root.span(), "armies", what);
            return;
        }
    };
    let year: Option<u16> = root.optional("year", faults);
    if year.is_none() && roll.mode == Mode::Battle && !root.has("year") {
        faults.push(root.span(), "year", "`year` is missing: it decides what an army has");
    }
    roll.year = year.unwrap_or(YEAR_OF_CASES);
    if !book.years.hold(roll.year) {
        let (from, to) = (book.years.0, book.years.1);
        let what = format!("these are rules for {from} to {to} [{}]", Clause::Period.id());
        match settings.historical_lists {
            true => root.fault("year", what, faults),
            false => root.caution("year", what, faults),
        }
    }
    for (key, mut table) in root.group("armies", faults) {
        let found = roll.sides.iter().find(|(_, card)| card.key == key).map(|(side, _)| side);
        let army = read_army(&mut table, &book, settings, roll.year, faults);
        table.finish(faults);
        match found {
            Some(side) => roll.armies[side] = army,
            None => faults.push(table.span(), table.path(), format!("no side is called `{key}`")),
        }
    }
    let strict = settings.historical_lists && roll.mode == Mode::Battle;
    for (_, card) in roll.sides.iter().filter(|(side, _)| strict && roll.armies[*side].lists.is_empty()) {
        let what = format!("which army are {}: [armies.{}] [{}]", card.name, card.key, Clause::HistoricalLists.id());
        faults.push(root.span(), "armies", what);
    }
}

fn read_army(
    table: &mut SheetTable<'_, '_>,
    book: &Lists,
    settings: &Settings,
    year: u16,
    faults: &mut Faults,
) -> Army {
    let names = match table.optional("list", faults) {
        Some(Named::One(name)) => vec![name],
        Some(Named::Several(names)) => names,
        None => Vec::new(),
    };
    let mut army = Army::default();
    for name in names {
        let Some((key, list)) = book.armies.get_key_value(&name) else {
            let known: Vec<&str> = book.armies.keys().map(String::as_str).collect();
            table.fault("list", format!("there is no list `{name}`; there are {}", known.join(", ")), faults);
            continue;
        };
        if !list.years.hold(year) {
            let (from, to) = (list.years.0, list.years.1);
            let what = format!("the list `{name}` is for {from} to {to}, not {year} [{}]", Clause::Period.id());
            match settings.historical_lists {
                true => table.fault("list", what, faults),
                false => table.caution("list", what, faults),
            }
        }
        if list.further && !settings.further_wars {
            let clause = Clause::FurtherWars.id();
            let what = format!("{} fought outside Europe: set the switch `further_wars` [{clause}]", list.name);
            table.fault("list", what, faults);
        }
        let since = |from: Option<u16>| from.is_some_and(|from| year >= from);
        army.indirect_fire |= since(list.indirect_fire);
        army.field_telephone |= since(list.field_telephone);
        army.lists.push((key.clone(), list.clone()));
    }
    let listed = !army.lists.is_empty() && settings.historical_lists;
    for (entry, slot, clause) in [
        ("indirect_fire", &mut army.indirect_fire, Clause::IndirectByPeriod),
        ("field_telephone", &mut army.field_telephone, Clause::FieldTelephone),
    ] {
        let Some(given) = table.optional::<bool>(entry, faults) else { continue };
        if listed && given && !*slot {
            table.fault(entry, format!("its list does not have it in {year} [{}]", clause.id()), faults);
        }
        *slot = given;
    }
    army
}

/// Blocks of buildings with their status: a tenth of length times width in game units (building-c, R69).
pub(super) fn buildings(
    root: &SheetTable<'_, '_>,
    opening: &Opening<Guns>,
    mode: Mode,
    faults: &mut Faults,
) -> Vec<Building> {
    let mut found = Vec::new();
    for (id, feature) in opening.ground.numbered() {
        if !matches!(feature.kind, TerrainKind::Building | TerrainKind::Town) {
            continue;
        }
        let (area, square) = match feature.shape.outline() {
            Outline::Area(corners) => (area(corners), is_rectangle(corners)),
            Outline::Line { .. } | Outline::Disc { .. } => (0.0, false),
        };
        if !square && mode == Mode::Battle {
            let what = format!(
                "{} is no rectangle, as blocks of buildings are [{}]",
                label(feature),
                Clause::BuildingStatus.id()
            );
            faults.push(root.span_of("table"), &format!("table.features.{}", feature.key), what);
        }
        let start = building_status(area, opening.settings.scale);
        found.push(Building { feature: FeatureId(id.0), start, status: start, ablaze: false });
    }
    found
}

fn label(feature: &Feature) -> &str {
    if feature.name.is_empty() { &feature.key } else { &feature.name }
}

/// The status of a block that covers so many square micrometres.
pub(super) fn building_status(area: f64, scale: Scale) -> u16 {
    // Figures a quarter larger stand before houses a quarter larger, which are no stronger for it.
    let unit = match scale {
        Scale::Small | Scale::Large => scale.game_unit().as_f64(),
        Scale::Middle => scale.game_unit().as_f64() * 5.0 / 4.0,
    };
    const SHARE: f64 = 10.0;
    // A hair more, so that a block of exactly 15 is not cut to 14 by the way numbers are kept.
    let status = area / (unit * unit) / SHARE + 1e-6;
    (status as u16).max(1)
}

fn area(corners: &[Point]) -> f64 {
    let places: Vec<Vec2> = corners.iter().map(|corner| corner.vec()).collect();
    let next = places.iter().cycle().skip(1);
    let doubled: f64 = places.iter().zip(next).map(|(a, b)| a.x * b.y - b.x * a.y).sum();
    doubled.abs() / 2.0
}

fn is_rectangle(corners: &[Point]) -> bool {
    let [a, b, c, d] = corners else { return false };
    let [a, b, c, d] = [a, b, c, d].map(|corner| corner.vec());
    let slack = table::SLACK.as_f64();
    let skew = (a + c) - (b + d);
    let diagonals = (c - a).length_squared().sqrt() - (d - b).length_squared().sqrt();
    skew.length_squared().sqrt() <= slack && diagonals.abs() <= slack
}

/// The middle of the enemy's baseline: where brigades go that have no order of their own.
pub fn enemy_baseline(ground: &Ground, sides: &BySide<engine::SideCard>, side: Side) -> Point {
    let (width, depth) = ground.size;
    let other = if side == Side::A { Edge::North } else { Edge::South };
    match sides[side.other()].edges.first().copied().unwrap_or(other) {
        Edge::North => Point::new(width.half(), depth),
        Edge::South => Point::new(width.half(), table::Length::ZERO),
        Edge::East => Point::new(width, depth.half()),
        Edge::West => Point::new(table::Length::ZERO, depth.half()),
    }
}

/// The opening orders of all commands: what the set-up says, else an advance on the enemy's baseline (orders-a).
fn read_orders(opening: &Opening<Guns>, roll: &Roll, faults: &mut Faults) -> Vec<Option<BrigadeOrder>> {
    let mut orders = Vec::new();
    for (general, pending) in roll.commanders.iter().zip(&roll.pending) {
        if general.facts.level != Level::Brigade {
            orders.push(None);
            continue;
        }
        let baseline = Matter::Point(enemy_baseline(&opening.ground, &roll.sides, general.side));
        let usual = BrigadeOrder { posture: Posture::Advance, objective: baseline };
        let order = pending.order.as_ref().map(|(value, span)| {
            read_order(value, opening, roll, general.side, usual).unwrap_or_else(|what| {
                faults.push(span.clone(), &format!("generals.{}.order", general.key), what);
                usual
            })
        });
        orders.push(Some(order.unwrap_or(usual)));
    }
    orders
}

fn read_order(
    value: &Value,
    opening: &Opening<Guns>,
    roll: &Roll,
    side: Side,
    usual: BrigadeOrder,
) -> Result<BrigadeOrder, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Written {
        posture: Posture,
        #[serde(default)]
        objective: Option<Value>,
    }
    let Written { posture, objective } = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    if posture == Posture::Withdraw && !opening.settings.withdraw_orders {
        let clause = Clause::WithdrawOrders.id();
        return Err(format!("only with the switch `withdraw_orders` is a brigade told to withdraw [{clause}]"));
    }
    let objective = match objective {
        None => usual.objective,
        Some(Value::String(name)) => {
            let key = name.strip_prefix('@').unwrap_or(&name);
            let unit = roll.unit(key).filter(|unit| roll.units[unit.index()].card.side != side);
            let feature = || find_feature(&opening.ground, key).map(Matter::Feature);
            let nobody = || format!("no enemy and no terrain feature is called `{key}`");
            unit.map(Matter::Unit).or_else(feature).ok_or_else(nobody)?
        }
        Some(place) => Matter::Point(serde_json::from_value(place).map_err(|error| error.to_string())?),
    };
    Ok(BrigadeOrder { posture, objective })
}

/// The terms, and how the battle is won. A switch that was set otherwise than usual goes before the scenario's word.
pub(super) fn read_scenario(
    root: &mut SheetTable<'_, '_>,
    opening: &Opening<Guns>,
    roll: &Roll,
    faults: &mut Faults,
) -> (Scenario, VictoryBy) {
    let usual = plain(opening.charts.victory.breaks_at).value.clamp(1, 100) as u8;
    let mut by = opening.settings.victory;
    let mut breaks_at = BySide::from_fn(|_| usual);
    let mut objectives = Vec::new();
    if let Some(mut table) = root.table("victory", faults) {
        let kind: Option<VictoryBy> = table.optional("kind", faults);
        read_limits(&mut table, roll, &mut breaks_at, faults);
        objectives = read_objectives(&mut table, &opening.ground, faults);
        table.finish(faults);
        if by == VictoryBy::Losses {
            // Places worth holding are the first thing a battle is about.
            let usual = if objectives.is_empty() { VictoryBy::Losses } else { VictoryBy::Objectives };
            by = kind.unwrap_or(usual);
        }
        if by == VictoryBy::Objectives && objectives.is_empty() {
            table.fault("objectives", format!("there is nothing to hold [{}]", Clause::BattleEnd.id()), faults);
        }
    }
    let orders = read_orders(opening, roll, faults);
    (Scenario { breaks_at, objectives, orders, ..scenario_of(roll) }, by)
}

fn read_limits(table: &mut SheetTable<'_, '_>, roll: &Roll, breaks_at: &mut BySide<u8>, faults: &mut Faults) {
    let Some(mut limits) = table.table("breaks_at", faults) else { return };
    for side in Side::BOTH {
        let key = roll.sides[side].key.as_str();
        let Some(share) = limits.optional::<i64>(key, faults) else { continue };
        if (1..=100).contains(&share) {
            breaks_at[side] = share as u8;
        } else {
            limits.fault(key, "expected 1 to 100 per cent", faults);
        }
    }
    limits.finish(faults);
}

fn read_objectives(table: &mut SheetTable<'_, '_>, ground: &Ground, faults: &mut Faults) -> Vec<Objective> {
    let mut objectives: Vec<Objective> = Vec::new();
    for mut entry in table.tables("objectives", faults) {
        let name: Option<String> = entry.get("feature", faults);
        let worth: i64 = entry.optional("worth", faults).unwrap_or(1);
        entry.finish(faults);
        if !(1..=100).contains(&worth) {
            entry.fault("worth", "expected 1 to 100 points", faults);
        }
        let Some(name) = name else { continue };
        let Some(feature) = find_feature(ground, &name) else {
            let name = name.trim_start_matches('@');
            entry.fault("feature", format!("no terrain feature is called `{name}`"), faults);
            continue;
        };
        if objectives.iter().any(|other| other.feature == feature) {
            entry.fault("feature", format!("`{name}` is an objective twice"), faults);
        }
        objectives.push(Objective { feature, worth: worth.clamp(1, 100) as u8 });
    }
    objectives
}
