//! Fires: set, spreading with the wind, killing who stays. Section 15.9, C-08, A-81.

#[cfg(test)]
mod tests;

use super::Days;
use super::charts::{count as figure, reach};
use super::clause::Clause;
use super::damage;
use super::detachment;
use super::event::DaysEvent;
use super::field::{self, Field, stands};
use super::hidden;
use super::works;
use engine::event::Leaving;
use engine::{Event, FeatureId, Roll, Umpire, UnitId};
use table::terrain::{Feature, TerrainKind as K};
use table::{SLACK, Vec2, convex};

/// Whether a piece of ground can burn: woods, houses, wooden obstacles.
pub fn can_burn(field: &Field, id: FeatureId) -> bool {
    works::feature(field, id).is_some_and(|feature| match feature.kind {
        K::Woods | K::Orchard | K::Town | K::Building => true,
        K::Hedge | K::Fence | K::Wall | K::Abatis | K::Earthwork | K::Redoubt => works::is_wooden(field, id),
        _ => false,
    })
}

fn is_burning(field: &Field, id: FeatureId) -> bool {
    field.ledger().fires.iter().any(|fire| fire.feature == id)
}

/// Sets a feature alight in this turn; what is connected with it burns too.
pub fn ignite(umpire: &mut Umpire<'_, Days>, feature: FeatureId) {
    ignite_under(umpire, feature, Clause::ShellsSetFires, None);
}

/// The same under another clause, with the die that did it.
pub fn ignite_under(umpire: &mut Umpire<'_, Days>, feature: FeatureId, clause: Clause, roll: Option<Roll>) {
    let since = umpire.state().turn();
    let fires = connected(umpire.state(), feature);
    if fires.is_empty()
        && let Some(roll) = roll
    {
        umpire.announce(Event::own(clause, DaysEvent::NoFire { feature }).rolled(roll));
        return;
    }
    let mut roll = roll;
    for feature in fires {
        let wooden = matches!(works::feature(umpire.state(), feature), Some(found) if is_obstacle(found));
        let event = Event::own(clause, DaysEvent::Ablaze { feature, since }).also(Clause::AnFKillsNobody);
        let event = event.also_if(wooden, Clause::TimberCatchesFire);
        umpire.announce(match roll.take() {
            Some(roll) => event.rolled(roll),
            None => event,
        });
    }
}

fn is_obstacle(feature: &Feature) -> bool {
    !matches!(feature.kind, K::Woods | K::Orchard | K::Town | K::Building)
}

/// A feature and everything that touches it, link by link, that can burn and does not yet.
fn connected(field: &Field, first: FeatureId) -> Vec<FeatureId> {
    if !can_burn(field, first) {
        return Vec::new();
    }
    let mut group = vec![first];
    let mut next = 0;
    while let Some(one) = group.get(next).copied() {
        next += 1;
        let Some(here) = works::feature(field, one) else { continue };
        for (id, other) in works::features(field) {
            if !group.contains(&id) && can_burn(field, id) && touch(here, other, Vec2::ZERO) {
                group.push(id);
            }
        }
    }
    group.retain(|id| !is_burning(field, *id));
    group
}

/// Whether one shape meets another when it is moved so far.
fn touch(a: &Feature, b: &Feature, by: Vec2) -> bool {
    let reach = by.length() + SLACK.as_f64();
    if !a.shape.bounds().grown(reach).meets(&b.shape.bounds()) {
        return false;
    }
    a.shape.parts().any(|one| {
        b.shape
            .parts()
            .any(|other| convex::gap(one, other) <= SLACK.as_f64() || convex::sweep(one, by, other).is_some())
    })
}

/// What the wind carries the fires to in this Movement Phase (days.15.9-e, A-81).
pub fn reached(field: &Field) -> Vec<FeatureId> {
    let Some(wind) = super::field::wind(field) else { return Vec::new() };
    let by = wind.unit() * reach(field.charts().constant.fire_spread).as_f64();
    let burning: Vec<&Feature> =
        field.ledger().fires.iter().filter_map(|fire| works::feature(field, fire.feature)).collect();
    let catches = |id: FeatureId, feature: &Feature| {
        can_burn(field, id) && !is_burning(field, id) && burning.iter().any(|fire| touch(fire, feature, by))
    };
    works::features(field).filter(|(id, feature)| catches(*id, feature)).map(|(id, _)| id).collect()
}

/// 4.13: fires spread downwind; work is counted; screens that ran are back.
pub fn spread(umpire: &mut Umpire<'_, Days>) {
    // What the wind sets alight counts from the next turn on.
    let since = umpire.state().turn() + 1;
    for first in reached(umpire.state()) {
        for feature in connected(umpire.state(), first) {
            let wooden = matches!(works::feature(umpire.state(), feature), Some(found) if is_obstacle(found));
            let event = Event::own(Clause::HowFireSpreads, DaysEvent::Ablaze { feature, since });
            umpire.announce(event.also(Clause::WhatWindDoes).also_if(wooden, Clause::TimberCatchesFire));
        }
    }
    works::count_phases(umpire);
    detachment::rejoin(umpire);
}

/// Whoever has been in a fire for too long when a turn ends; whole units.
pub fn doomed(field: &Field) -> Vec<UnitId> {
    let turns = figure(field.charts().constant.fire_turns);
    let out_of_time = |since: u16| u32::from(field.turn()) + 1 >= u32::from(since) + turns;
    let fires = field.ledger().fires.iter().filter(|fire| out_of_time(fire.since));
    let areas = fires.filter_map(|fire| works::feature(field, fire.feature));
    let areas: Vec<&Feature> = areas.filter(|feature| !is_obstacle(feature)).collect();
    let mut doomed = Vec::new();
    for (id, unit) in field.units().filter(|(_, unit)| unit.is_present() && !areas.is_empty()) {
        let near = |area: &&&Feature| area.shape.overlaps_quad(unit.quad());
        let inside =
            areas.iter().filter(near).any(|area| stands(field, id).iter().any(|stand| area.shape.overlaps_quad(stand)));
        let whole = field::whole(field, id);
        if inside && !doomed.contains(&whole) {
            doomed.push(whole);
        }
    }
    doomed
}

/// 5.6: whoever is still in a fire after three turns is lost.
pub fn burn(umpire: &mut Umpire<'_, Days>) {
    for unit in doomed(umpire.state()) {
        let event = Event::own(Clause::LeavingTheFlames, DaysEvent::Burnt { unit });
        hidden::announce(umpire, unit, event);
        damage::remove(umpire, unit, Leaving::Destroyed);
    }
    works::interrupt(umpire);
}
