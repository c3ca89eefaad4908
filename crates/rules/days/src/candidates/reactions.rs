//! Answers to smaller questions: rallying, meeting a charge, feints, what follows a fight.

use super::Sieve;
use crate::evolution;
use crate::field::{self, Field, formation, is_routing, present, troops};
use crate::formation::{Formation, Shape};
use crate::order::{Help, Order, Reform};
use crate::unit::Arm;
use crate::{assault, rally};
use engine::{CommanderId, Lots, UnitId};
use table::{Angle, Point};

/// New men for all who are lost, or for one.
pub(super) fn replacements(sieve: &mut Sieve<'_, '_>, lost: &[CommanderId]) {
    sieve.offer(Order::Replace { generals: lost.to_vec() });
    for general in lost {
        sieve.offer(Order::Replace { generals: vec![*general] });
    }
}

/// Each unit with the first general who is still free; nobody helped; those who run left to it; formed otherwise.
pub(super) fn rallies(sieve: &mut Sieve<'_, '_>, lots: &mut Lots) {
    let field = sieve.field();
    let triers = rally::triers(field, sieve.side);
    let mut help: Vec<Help> = Vec::new();
    // Whoever runs needs it most.
    let (running, others): (Vec<UnitId>, Vec<UnitId>) = triers.iter().partition(|id| is_routing(field, **id));
    for unit in running.iter().chain(&others).copied() {
        let free = rally::helpers(field, unit).into_iter().find(|id| help.iter().all(|one| one.general != *id));
        help.extend(free.map(|general| Help { general, unit }));
    }
    let choose = |id: &UnitId| is_routing(field, *id) || field::pursued(field, *id).is_some();
    let free: Vec<UnitId> = triers.iter().copied().filter(choose).collect();
    let shapes = [Shape::Line, Shape::March, Shape::Manoeuvre, Shape::Column, Shape::Limbered].map(Formation::usual);
    let form = free.iter().filter_map(|unit| {
        let fits = shapes.into_iter().filter(|to| evolution::may_form(field, *unit, *to).is_legal());
        lots.pick(&fits.collect::<Vec<_>>()).map(|formation| Reform { unit: *unit, formation: *formation })
    });
    let form: Vec<Reform> = form.collect();
    let plain = |help: Vec<Help>, decline, form| Order::Rally { help, decline, form };
    sieve.offer(plain(help.clone(), Vec::new(), Vec::new()));
    if !form.is_empty() {
        sieve.offer(plain(help.clone(), Vec::new(), form));
    }
    if !free.is_empty() {
        let helped = help.iter().copied().filter(|one| !free.contains(&one.unit)).collect();
        sieve.offer(plain(helped, free, Vec::new()));
    }
    if !help.is_empty() {
        let one = help.swap_remove(lots.below(help.len()));
        sieve.offer(plain(vec![one], Vec::new(), Vec::new()));
    }
}

/// Quarter turns and the turn about, the one nearest to a charger first.
pub fn turns_to(field: &Field, unit: UnitId, by: UnitId) -> [Angle; 3] {
    let pose = field.unit(unit).pose();
    let way = Angle::of(field.unit(by).quad().centre - pose.at.vec());
    let mut turns = [Angle::EAST, Angle::SOUTH, Angle::WEST].map(|by| pose.facing + by);
    turns.sort_by_key(|facing| (*facing - way).signed().abs());
    turns
}

/// Places to run to: behind friends on foot, into ground that shelters.
pub fn shelters(field: &Field, unit: UnitId) -> Vec<Point> {
    let quad = field.unit(unit).quad();
    let far = evolution::allowance(field, unit, formation(field, unit), field::is_mounted(field, unit));
    let depth = field::facts(field, unit).stand.depth * 2;
    let friends = present(field, field.side_of(unit))
        .filter(|(id, friend)| *id != unit && !field::surely_beyond(quad, friend.quad(), far))
        .filter(|(id, _)| field::facts(field, *id).arm == Arm::Infantry)
        .map(|(id, friend)| friend.pose().ahead(-(field.footprint(id, formation(field, id)).depth + depth)).at);
    let cover = field.ground().features.iter().filter(|feature| feature.shape.gap_to(quad) <= far.as_f64());
    friends.chain(cover.map(|feature| Point::from_vec(feature.shape.bounds().centre()))).collect()
}

/// Stand, get out of the way, form otherwise, turn to face them.
pub(super) fn reactions(sieve: &mut Sieve<'_, '_>, unit: UnitId, by: &[UnitId], lots: &mut Lots) {
    let field = sieve.field();
    let horse = by.iter().any(|charger| field::is_mounted(field, *charger));
    let square = Order::Reform { formation: Formation::usual(Shape::Square), facing: None };
    let mut forms: Vec<Formation> = evolution::choices(field, unit).to_vec();
    forms.retain(|to| to.shape != Shape::Square);
    let turns = by.first().map(|charger| turns_to(field, unit, *charger));
    let places = shelters(field, unit);
    let now = formation(field, unit);
    if horse {
        sieve.offer(square.clone());
    }
    sieve.offer(Order::Stand);
    sieve.offer(Order::Evade { to: None });
    for to in places {
        sieve.offer(Order::Evade { to: Some(to) });
    }
    if let Some(facing) = turns.map(|turns| turns[0]) {
        sieve.offer(Order::Reform { formation: now, facing: Some(facing) });
    }
    if let Some(formation) = lots.pick(&forms).copied() {
        sieve.offer(Order::Reform { formation, facing: None });
    }
    if !horse {
        sieve.offer(square);
    }
}

/// Nobody as a rule; one; all.
pub(super) fn feints(sieve: &mut Sieve<'_, '_>, among: &[UnitId], lots: &mut Lots) {
    sieve.offer(Order::Pass);
    if let Some(unit) = lots.pick(among) {
        sieve.offer(Order::Feint { units: vec![*unit] });
    }
    sieve.offer(Order::Feint { units: among.to_vec() });
}

/// Whoever may keeps his cover; or takes what comes.
pub(super) fn assaults(sieve: &mut Sieve<'_, '_>, stay: &[UnitId], follow: &[UnitId], lots: &mut Lots) {
    let both = |stay: &[UnitId], decline: &[UnitId]| Order::Assault { stay: stay.to_vec(), decline: decline.to_vec() };
    sieve.offer(both(stay, follow));
    sieve.offer(both(stay, &[]));
    sieve.offer(both(&[], follow));
    if let Some(unit) = lots.pick(stay) {
        sieve.offer(both(&[*unit], &[]));
    }
}

/// Towards each enemy near, then straight on.
pub(super) fn wheels(sieve: &mut Sieve<'_, '_>, unit: UnitId) {
    let field = sieve.field();
    let found = assault::reach_of(field, unit).map(|most| assault::moves::wheels(field, unit, most));
    for by in found.unwrap_or_default() {
        sieve.offer(Order::GoOn { by });
    }
}

/// Nobody as a rule; all who are in contact; one.
pub(super) fn surrenders(sieve: &mut Sieve<'_, '_>, units: &[UnitId], lots: &mut Lots) {
    let field = sieve.field();
    let own: Vec<UnitId> = units.iter().copied().filter(|unit| field.side_of(*unit) == sieve.side).collect();
    let lost: Vec<UnitId> = own.iter().copied().filter(|unit| !troops(field, *unit).contact.is_empty()).collect();
    sieve.offer(Order::Pass);
    if !lost.is_empty() {
        sieve.offer(Order::Surrender { units: lost });
    }
    if let Some(unit) = lots.pick(&own) {
        sieve.offer(Order::Surrender { units: vec![*unit] });
    }
}
