//! Gestures of fire and of charges.

use super::super::Offer;
use crate::candidates::{self, at_will};
use crate::charge::way;
use crate::charts::count as figure;
use crate::defence;
use crate::field::{self, Field, gap, measured};
use crate::ground;
use crate::order::{Arson, Before, Charger, Declaration, Order, Shot};
use crate::shooting;
use crate::unit::ChargeKind;
use book::telling::voice;
use engine::{FeatureId, UnitId};
use serde_json::{Value, json};

/// A target and how far off it is, where that may be known.
pub fn aim_words(field: &Field, unit: UnitId, at: UnitId) -> String {
    let name = voice::unit(field, at);
    match field.settings().premeasuring {
        true => format!("{name}, {}", voice::inches(gap(field, unit, at))),
        false => name.to_owned(),
    }
}

impl<'v> Offer<'v, '_> {
    /// Sealed fire: for each unit a target, several, or its fire kept back.
    pub fn fire(&mut self) {
        let field: &'v Field = self.view;
        let able = candidates::able(field, self.side);
        let near = candidates::at_the_nearest(&able);
        let all = Order::Fire { shots: near.clone(), reserve: Vec::new(), arson: Vec::new() };
        if !near.is_empty() {
            self.button("Everybody fires at the nearest", Some('f'), &all);
        }
        let mut options = Vec::new();
        for (unit, _) in field.present(self.side) {
            let targets = able.iter().find(|(id, _)| *id == unit).map(|(_, targets)| targets.as_slice());
            let list = self.apart(|offer| offer.fire_of(unit, targets.unwrap_or_default()));
            if list.len() > 1 {
                options.push((self.key(unit), list));
            }
        }
        self.plan("Each at its own target", options, json!({ "fire": { "shots": "$plan" } }));
        self.arson(&near);
        self.button("Hold fire", Some('h'), &Order::Pass);
    }

    fn fire_of(&mut self, unit: UnitId, targets: &[Shot]) {
        let field: &'v Field = self.view;
        let key = self.key(unit);
        let fires = |shots| Order::Fire { shots, reserve: Vec::new(), arson: Vec::new() };
        self.entry(&key, "Hold fire", Value::Null);
        let keep = Shot { stands: Some(0), ..at_will(unit) };
        if targets.iter().any(|shot| shot.at.is_some() && !shot.passing) {
            self.entry(&key, "Fire at the nearest", json!({ "unit": key }));
        }
        let plain = targets.iter().filter(|shot| !shot.passing).filter_map(|shot| shot.at);
        let at: Vec<String> = plain.map(|at| self.key(at)).collect();
        self.target("Fire at", key.clone(), at, json!({ "unit": key, "at": "$target" }));
        let staff: Vec<String> =
            targets.iter().filter_map(|shot| shot.general).map(|general| self.key(general)).collect();
        self.target("Fire at a general", key.clone(), staff, json!({ "unit": key, "general": "$target" }));
        let passed = targets.iter().filter(|shot| shot.passing).filter_map(|shot| shot.at);
        let passed: Vec<String> = passed.map(|at| self.key(at)).collect();
        let draft = json!({ "unit": key, "at": "$target", "passing": true });
        self.target("Fire at it as it passed", key.clone(), passed, draft);
        let half = field::count(field, unit) / 2;
        if half > 0 && targets.iter().any(|shot| shot.at.is_some() && !shot.passing) {
            let label = format!("Fire with {} at the nearest", voice::count(usize::from(half), "stand"));
            self.entry(&key, label, json!({ "unit": key, "stands": half }));
        }
        if self.allows(&fires(vec![keep])) {
            self.entry(&key, "Keep the fire back for a charge", json!({ "unit": key, "stands": 0 }));
        }
    }

    /// Fires laid by hand, while the rest fires at the nearest.
    fn arson(&mut self, shots: &[Shot]) {
        let field: &'v Field = self.view;
        let mut places: Vec<(FeatureId, Vec<UnitId>)> = Vec::new();
        for (unit, _) in field.present(self.side) {
            for stand in field::stands(field, unit) {
                let Some((feature, _)) = ground::area_at(field, stand.centre) else { continue };
                match places.iter_mut().find(|(place, _)| *place == feature) {
                    Some((_, units)) if !units.contains(&unit) => units.push(unit),
                    Some(_) => {}
                    None => places.push((feature, vec![unit])),
                }
            }
        }
        for (feature, units) in places.into_iter().filter(|(id, _)| !ground::is_burning(field, *id)) {
            let Some(first) = units.first().copied() else { continue };
            let rest: Vec<Shot> = shots.iter().copied().filter(|shot| !units.contains(&shot.unit)).collect();
            let order = Order::Fire { shots: rest, reserve: Vec::new(), arson: vec![Arson { feature, units }] };
            let label = format!("Set fire to {}, the rest at the nearest", voice::feature(field, feature));
            self.press(first, label, &order);
        }
    }

    /// Fire that was kept back, at whoever charges.
    pub fn defence(&mut self) {
        let field: &'v Field = self.view;
        let able: Vec<(UnitId, Vec<Shot>)> = field
            .present(self.side)
            .map(|(id, _)| (id, defence::targets(field, id)))
            .filter(|(_, targets)| !targets.is_empty())
            .collect();
        let shots = able.iter().map(|(unit, _)| at_will(*unit)).collect();
        let all = Order::Fire { shots, reserve: Vec::new(), arson: Vec::new() };
        if self.allows(&all) {
            self.button("Fire at all who charge", Some('f'), &all);
        }
        let mut options = Vec::new();
        for (unit, targets) in able {
            let key = self.key(unit);
            let list = self.apart(|offer| {
                offer.entry(&key, "Hold fire", Value::Null);
                offer.entry(&key, "Fire at all who charge it", json!({ "unit": key }));
                let at = targets.iter().filter_map(|shot| shot.at).map(|at| offer.key(at)).collect();
                offer.target("Fire at", key.clone(), at, json!({ "unit": key, "at": "$target" }));
            });
            options.push((key, list));
        }
        self.plan("Each at its own target", options, json!({ "fire": { "shots": "$plan" } }));
        self.button("Hold fire", Some('h'), &Order::Pass);
    }

    /// Charges, declared or of opportunity: straight ones by pointing, others by a press for each.
    pub fn charges(&mut self, kind: ChargeKind) {
        let field: &'v Field = self.view;
        let found = candidates::suggested(field, self.side, kind);
        let mut options = Vec::new();
        for (unit, ways) in &found {
            let key = self.key(unit);
            let list = self.apart(|offer| {
                offer.entry(&key, "Does not charge", Value::Null);
                offer.charges_of(*unit, ways);
                offer.short_impulses(*unit, ways, kind);
                offer.squadrons(*unit, ways, kind);
                offer.together(*unit, ways, &found);
            });
            options.push((key, list));
        }
        let draft = json!({ "charge": { "declarations": "$plan" } });
        let label = if kind == ChargeKind::Declared { "Declare charges" } else { "Charge at this opportunity" };
        self.plan(label, options, draft);
        self.button("Nobody charges", Some('e'), &Order::Pass);
    }

    fn declaration(&self, units: Vec<Charger>, at: UnitId) -> Value {
        self.part_of(&Order::Charge { declarations: vec![Declaration { units, at }] }, "/charge/declarations/0")
    }

    fn charges_of(&mut self, unit: UnitId, ways: &[(Charger, UnitId)]) {
        let field: &'v Field = self.view;
        let key = self.key(unit);
        let straight: Vec<String> =
            ways.iter().filter(|(way, _)| way.before.is_none()).map(|(_, at)| self.key(at)).collect();
        let draft = json!({ "units": [{ "unit": key }], "at": "$target" });
        self.target("Charge straight at", key.clone(), straight, draft);
        for (way, at) in ways.iter().filter(|(way, _)| way.before.is_some()) {
            let aim = aim_words(field, unit, *at);
            let label = match way.before {
                Some(Before::Form(to)) => format!("Form {} and charge {aim}", to.shape.word()),
                _ => format!("Wheel and charge {aim}"),
            };
            let draft = self.declaration(vec![*way], *at);
            self.entry(&key, label, draft);
        }
    }

    /// Straight charges that go no more than about halfway between the least and the most of their 1st Impulse, so as to
    /// stay out of somebody's fire a little longer.
    fn short_impulses(&mut self, unit: UnitId, ways: &[(Charger, UnitId)], kind: ChargeKind) {
        let field: &'v Field = self.view;
        if kind == ChargeKind::Opportunity {
            return;
        }
        for (charger, at) in ways.iter().filter(|(charger, _)| charger.before.is_none()) {
            let Ok(way) = way::lay(field, kind, charger, *at) else { continue };
            let (least, most) = (way.over(field), way.longest(field));
            let short = measured((least + most).half());
            if short <= least || short >= most {
                continue;
            }
            let charger = Charger { advance: Some(short), ..*charger };
            let order = Order::Charge { declarations: vec![Declaration { units: vec![charger], at: *at }] };
            if self.allows(&order) {
                let (key, draft) = (self.key(unit), self.declaration(vec![charger], *at));
                let far = match field.settings().premeasuring {
                    true => format!(" of {}", voice::inches(short)),
                    false => String::new(),
                };
                self.entry(&key, format!("Charge {}, with a short 1st Impulse{far}", voice::unit(field, *at)), draft);
            }
        }
    }

    /// Part of a regiment of horse alone.
    fn squadrons(&mut self, unit: UnitId, ways: &[(Charger, UnitId)], kind: ChargeKind) {
        let field: &'v Field = self.view;
        if kind == ChargeKind::Opportunity || !field::is_mounted(field, unit) {
            return;
        }
        let least = figure(field.charts().constant.squadron_least) as u8;
        for (way, at) in ways {
            let charger = Charger { squadron: Some(least), ..*way };
            let order = Order::Charge { declarations: vec![Declaration { units: vec![charger], at: *at }] };
            if self.allows(&order) {
                let (key, draft) = (self.key(unit), self.declaration(vec![charger], *at));
                let stands = voice::count(usize::from(least), "stand");
                self.entry(&key, format!("A squadron of {stands} charges {}", aim_words(field, unit, *at)), draft);
            }
        }
    }

    /// With neighbours of its brigade at the same enemy, by one test.
    fn together(&mut self, unit: UnitId, ways: &[(Charger, UnitId)], found: &[(UnitId, Vec<(Charger, UnitId)>)]) {
        let field: &'v Field = self.view;
        for (way, at) in ways {
            let others = found.iter().filter(|(other, _)| *other > unit);
            let same = others.filter_map(|(_, ways)| ways.iter().find(|(_, whom)| whom == at));
            let mut units = vec![*way];
            for (other, _) in same {
                units.push(*other);
                let order = Order::Charge { declarations: vec![Declaration { units: units.clone(), at: *at }] };
                if !self.allows(&order) {
                    units.pop();
                }
            }
            if units.len() > 1 {
                let names: Vec<&str> = units.iter().skip(1).map(|one| voice::unit(field, one.unit)).collect();
                let label = format!("Charge {} with {}, by one test", voice::unit(field, *at), voice::list(&names));
                let (key, draft) = (self.key(unit), self.declaration(units, *at));
                self.entry(&key, label, draft);
            }
        }
    }
}

/// The band a shot falls into, in a word.
pub fn band_words(field: &Field, unit: UnitId, at: UnitId) -> Option<&'static str> {
    use crate::charts::Band;
    let weapon = shooting::weapon::weapon(field, unit)?;
    Some(match weapon.band(gap(field, unit, at))?.0 {
        Band::Close => "close range",
        Band::Effective => "effective range",
        Band::Long => "long range",
    })
}
