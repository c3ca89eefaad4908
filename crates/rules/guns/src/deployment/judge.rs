//! Whether places will do: table, zones, ground, friends in the way, cover for ambushes.

use super::super::clause::Clause;
use super::super::defence;
use super::super::field::{self, Elements, Field, Ground, cover_of, elements_at, facts, ground, is_road};
use super::super::formation::Spacing;
use super::super::nearby::Nearby;
use super::super::order::Placement;
use super::{Asked, Places, places};
use book::enlist::in_zones;
use engine::{CommanderId, Faults, FeatureId, SheetTable, Side, UnitId};
use std::collections::BTreeMap;
use std::ops::Range;
use table::terrain::TerrainKind;
use table::{Footprint, Length, Point, Quad, Vec2, quads_overlap};

/// What is wrong with a place.
pub(super) struct Trouble {
    pub clause: Clause,
    pub unit: Option<UnitId>,
    pub general: Option<CommanderId>,
    pub text: String,
    pub at: Point,
}

/// Looks for whatever is wrong with the places of a side.
pub(super) fn judge(field: &Field, side: Side, places: &Places, mut tell: impl FnMut(Trouble)) {
    let zones = &field.muster().sides[side].zones;
    let house = Clause::TableAndBaselines;
    let standing: Vec<(&Placement, Elements)> =
        places.units.iter().map(|place| (place, elements_at(field, place.unit, place.pose, place.formation))).collect();
    for (place, elements) in &standing {
        let card = field.card(place.unit);
        let mut trouble = |clause: Clause, text: String| {
            let text = format!("{} {text}", card.name);
            tell(Trouble { clause, unit: Some(place.unit), general: None, text, at: place.pose.at });
        };
        let own = if card.facts.zones.is_empty() { zones } else { &card.facts.zones };
        if elements.iter().any(|quad| !field.ground().holds(quad)) {
            trouble(house, "stands beyond the table's edge".to_owned());
        } else if elements.iter().any(|quad| !in_zones(own, quad)) {
            trouble(house, "stands outside its zone".to_owned());
        }
        if let Some((clause, what)) = elements.iter().find_map(|quad| closed_to(field, place.unit, quad)) {
            trouble(clause, format!("cannot stand {what}"));
        }
        if let Some(at) = place.defend {
            for why in objections(field, place, elements, at) {
                trouble(Clause::DefendersLoose, format!("cannot defend that: {why}"));
            }
        }
        if place.hidden && !is_covered(field, place, elements) {
            trouble(Clause::AmbushedSilent, "has nothing to hide in or behind".to_owned());
        }
    }
    crowding(field, &standing, &mut tell);
    capacities(field, &places.units, &mut tell);
    for one in &places.commanders {
        let card = field.muster().commander(one.commander);
        let own = if card.facts.zones.is_empty() { zones } else { &card.facts.zones };
        let quad = card.facts.stand.quad(one.pose);
        if let Some(what) = nowhere(field, own, &quad) {
            tell(Trouble {
                clause: house,
                unit: None,
                general: Some(one.commander),
                text: format!("{} {what}", card.name),
                at: one.pose.at,
            });
        }
    }
    for one in &places.observers {
        let card = field.card(one.battery);
        let own = if card.facts.zones.is_empty() { zones } else { &card.facts.zones };
        if let Some(what) = nowhere(field, own, &Quad::of_square(one.at.vec(), Length::ZERO)) {
            let text = format!("the observer of {} {what}", card.name);
            tell(Trouble { clause: Clause::ObserverCounter, unit: Some(one.battery), general: None, text, at: one.at });
        }
    }
}

/// Why a general or an observer cannot be set up here.
fn nowhere(field: &Field, zones: &[(Point, Point)], quad: &Quad) -> Option<&'static str> {
    let shut = |kind: TerrainKind| ground(kind) == Ground::Impassable;
    let mut under = field.ground().at(quad.centre);
    if !field.ground().holds(quad) {
        Some("stands beyond the table's edge")
    } else if !in_zones(zones, quad) {
        Some("stands outside the zone")
    } else if under.any(|(_, feature)| shut(feature.kind)) && !on_road(field, quad.centre) {
        Some("cannot stand on this ground")
    } else {
        None
    }
}

fn on_road(field: &Field, place: Vec2) -> bool {
    field.ground().at(place).any(|(_, feature)| is_road(feature.kind))
}

/// Ground an element may not stand on, with the clause: water for all, woods and houses for horse and guns, rough ground
/// for guns; a road leads through all of it (terrain-b to -f, R56).
pub(super) fn closed_to(field: &Field, unit: UnitId, quad: &Quad) -> Option<(Clause, &'static str)> {
    let own = facts(field, unit);
    let rides = own.is_mounted(field::troops(field, unit)) || own.is_battery();
    let cleared = |place: Vec2| field.ground().at(place).any(|(_, feature)| feature.kind == TerrainKind::Clearing);
    let under = field.ground().features.iter().filter(|feature| feature.shape.overlaps_quad(quad));
    let closed = under.filter_map(|feature| match ground(feature.kind) {
        Ground::Impassable => Some((Clause::Wading, "where nobody can go")),
        Ground::Woods if rides && !cleared(quad.centre) => Some((Clause::Woods, "in a wood off the road")),
        Ground::BuiltUp if rides => Some((Clause::BuiltUpArea, "among houses off the road")),
        Ground::Rough if own.is_battery() => Some((Clause::RoughGround, "on rough ground")),
        _ => None,
    });
    let first = closed.into_iter().next();
    first.filter(|_| !on_road(field, quad.centre))
}

/// Whether a unit can lie in ambush: it defends cover, or each element is inside cover or close behind some (R74).
fn is_covered(field: &Field, place: &Placement, elements: &[Quad]) -> bool {
    if place.defend.is_some() {
        return true;
    }
    let forward = field::forward(field, field.side_of(place.unit));
    let reach = field::distance(field, &field.charts().charge.ambush).as_f64();
    let covers = || field.ground().features.iter().filter(|feature| cover_of(feature.kind).is_some());
    elements.iter().all(|element| {
        covers().any(|feature| {
            feature.shape.contains(element.centre)
                || !feature.shape.clip((element.centre, element.centre + forward * reach)).is_empty()
        })
    })
}

/// Two units on one spot.
fn crowding(field: &Field, standing: &[(&Placement, Elements)], tell: &mut impl FnMut(Trouble)) {
    let around = |place: &Placement| field.footprint(place.unit, place.formation).quad(place.pose);
    let nearby = Nearby::of(standing.iter().map(|(place, _)| (place.unit, around(place))));
    let by_unit: BTreeMap<UnitId, &Elements> =
        standing.iter().map(|(place, elements)| (place.unit, elements)).collect();
    for (place, elements) in standing {
        for (other, _) in nearby.around(&around(place), Length::ZERO).filter(|(other, _)| *other < place.unit) {
            let Some(there) = by_unit.get(&other) else { continue };
            if elements.iter().any(|one| there.iter().any(|another| quads_overlap(one, another))) {
                let names = (&field.card(place.unit).name, &field.card(other).name);
                let text = format!("{} and {} stand on the same ground", names.0, names.1);
                let clause = Clause::TableAndBaselines;
                tell(Trouble { clause, unit: Some(place.unit), general: None, text, at: place.pose.at });
            }
        }
    }
}

/// Why a unit could not defend a feature from its place, but for want of room. Whoever is set up in houses or a work has
/// loosened beforehand, so only other areas ask how it stands (R59).
fn objections(field: &Field, place: &Placement, elements: &[Quad], at: FeatureId) -> Vec<String> {
    let (facts, count) = (facts(field, place.unit), field::count(field, place.unit));
    let mut reasons = defence::unfit(field, at, facts.is_foot(field::troops(field, place.unit)));
    if let Some(feature) = field.ground().features.get(at.index()) {
        let front = usize::from(place.formation.files_of(count));
        reasons.extend(defence::misplaced(feature, elements, front, facts.width()));
        let close = place.formation.spacing(facts.width(), count) == Spacing::Close;
        if close && !feature.shape.is_line() && !defence::is_garrisoned(feature) {
            reasons.push(format!("in {} it must stand in loose order", field::feature_name(feature)));
        }
    }
    reasons
}

/// More defenders than a place has room for (R59).
fn capacities(field: &Field, units: &[Placement], tell: &mut impl FnMut(Trouble)) {
    let mut held: BTreeMap<FeatureId, u32> = BTreeMap::new();
    for place in units {
        let Some(at) = place.defend else { continue };
        let Some(feature) = field.ground().features.get(at.index()).filter(|one| defence::is_garrisoned(one)) else {
            continue;
        };
        let count = held.entry(at).or_default();
        *count += u32::from(field::count(field, place.unit));
        let most = defence::capacity(feature, facts(field, place.unit).width());
        if *count > most {
            let name = field::feature_name(feature);
            let text = format!("{}: {name} has room for {most} elements", field.card(place.unit).name);
            tell(Trouble {
                clause: Clause::DefendersLoose,
                unit: Some(place.unit),
                general: None,
                text,
                at: place.pose.at,
            });
        }
    }
}

/// The default places of a set-up must themselves be in order, and the two sides must be kept apart.
pub fn check_defaults(field: &Field, root: &mut SheetTable<'_, '_>, faults: &mut Faults) {
    let [units, generals] = ["units", "generals"].map(|group| spans(root, group, faults));
    for side in Side::BOTH {
        judge(field, side, &places(field, side, Asked::default()), |trouble| {
            let Trouble { clause, unit, general, text, at } = trouble;
            let (group, key, spans) = match (unit, general) {
                (Some(unit), _) => ("units", &field.card(unit).key, &units),
                (None, general) => match general.map(|id| field.muster().commander(id)) {
                    Some(card) => ("generals", &card.key, &generals),
                    None => return,
                },
            };
            let span = spans.get(key).cloned().unwrap_or_default();
            let text = format!("{text} (at {}, {}) [{}]", at.x, at.y, clause.id());
            faults.push(span, &format!("{group}.{key}.pose"), text);
        });
    }
    if field.muster().scenario.deployed {
        check_apart(field, root, faults);
        return;
    }
    let meets = |(low, high): &(Point, Point), (other_low, other_high): &(Point, Point)| {
        low.x <= other_high.x && other_low.x <= high.x && low.y <= other_high.y && other_low.y <= high.y
    };
    let [ours, theirs] = Side::BOTH.map(|side| zones_of(field, side));
    if ours.iter().any(|one| theirs.iter().any(|other| meets(one, other))) {
        faults.push(root.span_of("sides"), "sides", "the deployment zones of the two sides meet");
    }
}

/// Where the entries of a group stand in the file.
fn spans(root: &mut SheetTable<'_, '_>, group: &str, faults: &mut Faults) -> BTreeMap<String, Range<usize>> {
    let entries = root.group(group, faults);
    entries.into_iter().map(|(key, table)| (key, table.span_of("pose"))).collect()
}

/// Every zone a side may set up in.
fn zones_of(field: &Field, side: Side) -> Vec<(Point, Point)> {
    let units = field.muster().units.iter().filter(|card| card.side == side);
    let own = units.flat_map(|card| card.facts.zones.iter().copied());
    field.muster().sides[side].zones.iter().copied().chain(own).collect()
}

/// Where nobody deploys, the set-up itself must keep opposing units as far apart as moving would (R55).
fn check_apart(field: &Field, root: &SheetTable<'_, '_>, faults: &mut Faults) {
    let standoff = field::distance(field, &field.charts().pace.standoff);
    let [ours, theirs] = Side::BOTH.map(|side| places(field, side, Asked::default()).units);
    let around = |place: &Placement| {
        let footprint: Footprint = field.footprint(place.unit, place.formation);
        footprint.quad(place.pose)
    };
    let elements = |place: &Placement| elements_at(field, place.unit, place.pose, place.formation);
    let nearby = Nearby::of(theirs.iter().map(|place| (place.unit, around(place))));
    for own in &ours {
        for (id, _) in nearby.around(&around(own), standoff) {
            let Some(other) = theirs.iter().find(|place| place.unit == id) else { continue };
            if field::gap_of(&elements(own), &elements(other)) + table::SLACK < standoff {
                let names = (&field.card(own.unit).name, &field.card(id).name);
                let text = format!("{} and {} are in each other's way before the battle has begun", names.0, names.1);
                faults.push(root.span_of("units"), "units", text);
            }
        }
    }
}
