//! The sealed plan of a bound: one entry for each piece that may move. Every option is a move of the plan with blanks;
//! whoever is left out stays.

use super::Offer;
use super::observer_key;
use super::speech::{capital, formation_words, formed};
use crate::cycle;
use crate::evolution;
use crate::field::{
    Field, brigade, brigade_units, brigades, chain, cover_of, distance, facts, formation, is_ablaze, is_foot, troops,
};
use crate::formation::{Formation, Shape};
use crate::order::{Move, Order, Step};
use crate::pace;
use crate::plot;
use crate::unit::{Arm, Cycle, Observer};
use book::telling::voice;
use engine::scene::Gesture;
use engine::{CommanderId, FeatureId, UnitId, Verdict, Whereabouts};
use serde_json::{Value, json};
use table::march::Leg;
use table::{Length, Pose, Vec2};

/// So many places to defend are offered to a unit, the nearest first.
const MOST_PLACES: usize = 4;

/// Runs of a battery's cycle, as its classes know them: march, unlimber, fire, limber.
const RUNS: [&str; 12] = ["m", "u", "f", "l", "mu", "uf", "fl", "lm", "muf", "ufl", "flm", "lmu"];

/// A march with its steps as an entry of the plan.
fn march(unit: &str, steps: Value, defend: Option<&str>) -> Value {
    match defend {
        None => json!({ "march": { "unit": unit, "steps": steps } }),
        Some(place) => json!({ "march": { "unit": unit, "steps": steps, "defend": place } }),
    }
}

/// Battalions of a screen's brigade that could give it an element.
pub fn parents(field: &Field, screen: UnitId) -> Vec<UnitId> {
    let Some(brigade) = brigade(field, screen) else { return Vec::new() };
    let could = |id: &UnitId| {
        let (facts, own) = (facts(field, *id), troops(field, *id));
        let fit = !own.broken && !own.disorder.combat && !own.reforming && own.locked.is_empty() && !own.lent;
        facts.arm == Arm::Infantry && !facts.screen && facts.extended && fit && field.unit(*id).is_present()
    };
    brigade_units(field, brigade).filter(could).collect()
}

impl<'v> Offer<'v, '_> {
    /// The plan, brigade by brigade: general, units and observers; higher generals last.
    pub fn plot(&mut self) {
        let field: &'v Field = self.view;
        let side = self.side;
        let mut options: Vec<(String, Vec<Gesture>)> = Vec::new();
        let mut generals: Vec<CommanderId> = Vec::new();
        let mut units: Vec<UnitId> = Vec::new();
        let duties = plot::dutiful(field, side);
        for one in brigades(field, side) {
            if let Some(general) = field.muster().command(one).commander {
                generals.push(general);
                self.moves_of(&mut options, |offer| offer.general_moves(general));
            }
            for unit in brigade_units(field, one) {
                units.push(unit);
                self.moves_of(&mut options, |offer| {
                    let key = offer.unit_moves(unit)?;
                    offer.duty(unit, &key, &duties);
                    Some(key)
                });
                self.moves_of(&mut options, |offer| offer.observer_moves(unit));
            }
        }
        let rest = field.muster().unit_ids().filter(|id| field.side_of(*id) == side && !units.contains(id));
        for unit in rest.collect::<Vec<UnitId>>() {
            self.moves_of(&mut options, |offer| offer.unit_moves(unit));
        }
        let above = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side);
        for general in above.filter(|id| !generals.contains(id)).collect::<Vec<CommanderId>>() {
            self.moves_of(&mut options, |offer| offer.general_moves(general));
        }
        self.plan("The plan for this bound", options, json!({ "plot": { "moves": "$plan" } }));
        self.button("Let the brigadiers see to it", Some('e'), &Order::Pass);
    }

    /// What one piece may do, if it may do anything; staying comes first.
    fn moves_of(&mut self, into: &mut Vec<(String, Vec<Gesture>)>, fill: impl FnOnce(&mut Self) -> Option<String>) {
        let mut key = None;
        let mut list = self.apart(|offer| key = fill(offer));
        if let Some(key) = key.filter(|_| !list.is_empty()) {
            let stay =
                Gesture::Button { of: Some(key.clone()), label: "Stay".to_owned(), key: None, draft: Value::Null };
            list.insert(0, stay);
            into.push((key, list));
        }
    }

    /// Moves of a unit, and under which key it is listed.
    pub fn unit_moves(&mut self, unit: UnitId) -> Option<String> {
        let field: &'v Field = self.view;
        let key = self.key(unit);
        match field.unit(unit).whereabouts {
            Whereabouts::OffTable if facts(field, unit).screen => self.screen_out(unit),
            _ if !field.unit(unit).is_present() => return None,
            _ if facts(field, unit).is_battery() => self.battery_moves(unit),
            _ => self.troop_moves(unit),
        }
        Some(key)
    }

    /// What its brigade's order asks of a unit at least, second on its card: one press, and easily copied.
    fn duty(&mut self, unit: UnitId, key: &str, duties: &[Move]) {
        let owed = duties.iter().find_map(|one| match one {
            Move::March { unit: id, steps, .. } if *id == unit => Some(steps),
            _ => None,
        });
        if let Some(steps) = owed {
            let place = self.gestures.len().min(1);
            let draft = march(key, json!(steps), None);
            let (of, label) = (Some(key.to_owned()), "Do its duty".to_owned());
            self.gestures.insert(place, Gesture::Button { of, label, key: Some('d'), draft });
        }
    }

    fn troop_moves(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let key = self.key(unit);
        if let Ok(allowance) = plot::allowance(field, unit)
            && allowance > Length::ZERO
        {
            self.path("March", &key, allowance, march(&key, json!([{ "march": "$legs" }]), None));
            self.charges(unit);
            if facts(field, unit).screen {
                return self.entry(&key, "Go back to the battalions", json!({ "recall": { "screen": key } }));
            }
            self.evolutions(unit, allowance);
            self.saddles(unit, allowance);
            self.defences(unit, allowance);
        } else {
            self.charges(unit);
        }
        let own = troops(field, unit);
        let may_lie = field.settings().prone_at_will && is_foot(field, unit) && facts(field, unit).weapon.breech;
        if may_lie && !own.prone && !own.broken && own.locked.is_empty() {
            self.entry(&key, "Lie down", json!({ "lie_down": { "unit": key } }));
        }
    }

    /// Changes of formation: on the spot, before a march, after one.
    fn evolutions(&mut self, unit: UnitId, allowance: Length) {
        let field: &'v Field = self.view;
        let (now, key) = (formation(field, unit), self.key(unit));
        let into: Vec<Formation> = evolution::allowed(field, unit).into_iter().filter(|one| *one != now).collect();
        if into.is_empty() {
            return;
        }
        self.gestures.push(Gesture::PickFormation {
            label: "Change formation where it stands".to_owned(),
            unit: key.clone(),
            into: into.iter().map(ToString::to_string).collect(),
            draft: march(&key, json!([{ "form": "$formation" }]), None),
        });
        // Unusual numbers of files are formed on the spot, or typed.
        for shape in into.into_iter().filter(|one| one.files == 0 && one.gap.is_none()) {
            let word = shape.to_string();
            let left = evolution::cost(field, unit, now, shape).map_or(allowance, |(cost, _)| allowance - cost);
            let label = formed(shape);
            if left > Length::ZERO {
                let steps = json!([{ "form": word }, { "march": "$legs" }]);
                self.path(format!("{}, then march", capital(&label)), &key, left, march(&key, steps, None));
                let steps = json!([{ "march": "$legs" }, { "form": word }]);
                self.path(format!("March, then {label}"), &key, left, march(&key, steps, None));
            }
        }
    }

    /// Cavalry that may fight on foot.
    fn saddles(&mut self, unit: UnitId, allowance: Length) {
        let field: &'v Field = self.view;
        if !facts(field, unit).can_dismount {
            return;
        }
        let key = self.key(unit);
        let (word, verb) = if troops(field, unit).mounted { ("dismount", "dismount") } else { ("mount", "mount") };
        self.entry(&key, capital(verb), march(&key, json!([word]), None));
        let left = allowance - distance(field, &field.charts().evolution.mounting);
        if left > Length::ZERO {
            let steps = json!([word, { "march": "$legs" }]);
            self.path(format!("{}, then march", capital(verb)), &key, left, march(&key, steps, None));
            let steps = json!([{ "march": "$legs" }, word]);
            self.path(format!("March, then {verb}"), &key, left, march(&key, steps, None));
        }
    }

    /// Cover within reach that foot may line.
    fn defences(&mut self, unit: UnitId, allowance: Length) {
        let field: &'v Field = self.view;
        if !is_foot(field, unit) {
            return;
        }
        let (key, body) = (self.key(unit), field.unit(unit).quad());
        let held = troops(field, unit).defending;
        let mut near: Vec<(f64, FeatureId)> = Vec::new();
        for (no, feature) in (0..).zip(&field.ground().features) {
            let id = FeatureId(no);
            if cover_of(feature.kind).is_some() && !is_ablaze(field, id) && held != Some(id) {
                near.push((feature.shape.gap_to(body), id));
            }
        }
        near.retain(|(gap, _)| *gap <= allowance.as_f64());
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let close = facts(field, unit).width().as_f64();
        for (gap, id) in near.into_iter().take(MOST_PLACES) {
            let (place, name) = (self.key(id), voice::feature(field, id));
            if gap <= close {
                self.entry(&key, format!("Defend {name} from here"), march(&key, json!([]), Some(&place)));
            }
            let steps = json!([{ "march": "$legs" }]);
            self.path(format!("March and defend {name}"), &key, allowance, march(&key, steps, Some(&place)));
        }
    }

    /// Enemies it could charge: straight ahead by pointing at them, after a wheel by a press for each.
    fn charges(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let key = self.key(unit);
        let found = plot::charge_targets(field, unit);
        let straight = |legs: &[Leg]| legs.iter().all(|leg| matches!(leg, Leg::Ahead(_)));
        let ahead: Vec<String> = found.iter().filter(|(_, legs)| straight(legs)).map(|(at, _)| self.key(at)).collect();
        let led = field
            .commanders()
            .find(|(_, general)| general.own.attached == Some(unit) && general.is_present() && general.own.is_fit());
        let mut leaders = vec![(None, String::new())];
        leaders.extend(led.map(|(id, _)| (Some(self.key(id)), format!(", led by {}", voice::commander(field, id)))));
        for (leader, words) in leaders {
            let make = |at: Value, legs: Option<&Vec<Leg>>| {
                let mut charge = json!({ "unit": key, "at": at });
                if let Some(legs) = legs {
                    charge["legs"] = json!(legs);
                }
                if let Some(leader) = &leader {
                    charge["led_by"] = json!(leader);
                }
                json!({ "charge": charge })
            };
            self.target(format!("Charge{words}"), key.clone(), ahead.clone(), make(json!("$target"), None));
            for (at, legs) in found.iter().filter(|(_, legs)| !straight(legs)) {
                let label = format!("Wheel and charge {}{words}", voice::unit(field, *at));
                let draft = make(json!(self.key(at)), Some(legs));
                self.entry(&key, label, draft);
            }
        }
    }

    /// Runs of the cycle its class and state allow.
    fn battery_moves(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let (key, own) = (self.key(unit), troops(field, unit));
        if own.cycle == Cycle::Abandoned {
            return self.entry(&key, "Gunners return to the guns", json!({ "return": { "battery": key } }));
        }
        let full = pace::full_move(field, unit).0;
        for run in RUNS {
            let needs_orders = run.contains(['m', 'l']);
            let marches = run.contains('m');
            if needs_orders && !own.bound.responds || marches && full <= Length::ZERO {
                continue;
            }
            let mut verdict = Verdict::fine();
            let steps: Vec<Step> = run.chars().map(|letter| step(letter, full)).collect();
            cycle::check(field, unit, &steps, &mut verdict);
            if !verdict.is_legal() {
                continue;
            }
            let drafted: Vec<Value> = run.chars().map(drafted).collect();
            let words: Vec<&str> = run.chars().map(said).collect();
            let (label, draft) = (capital(&words.join(", then ")), march(&key, json!(drafted), None));
            if marches {
                self.path(label, &key, full, draft);
            } else {
                self.entry(&key, label, draft);
            }
        }
    }

    /// Skirmishers thrown out before the battalions of a brigade that was activated.
    fn screen_out(&mut self, screen: UnitId) {
        let field: &'v Field = self.view;
        let Some(brigade) = brigade(field, screen) else { return };
        let parents = parents(field, screen);
        let activated = field.ledger().brigades.get(brigade.index()).is_some_and(|record| record.activated);
        let Some(first) = parents.first().filter(|_| activated) else { return };
        let key = self.key(screen);
        let facing = field.unit(*first).pose().facing;
        let sum = parents.iter().fold(Vec2::ZERO, |sum, id| sum + field.unit(*id).pose().at.vec());
        let middle = sum * (1.0 / parents.len() as f64);
        let charts = field.charts();
        let reach = distance(field, &charts.pace.extended) - distance(field, &charts.evolution.line_open);
        let keys: Vec<String> = parents.iter().map(|id| self.key(id)).collect();
        let close = facts(field, *first).width() * 2;
        for (ahead, label) in [
            (close, "Throw out close before the battalions"),
            (reach.half(), "Throw out half way"),
            (reach, "Throw out as far as they get"),
        ] {
            let place = Pose { at: table::Point::from_vec(middle), facing }.ahead(ahead);
            let draft = json!({ "screen": { "screen": key, "parents": keys, "pose": place } });
            self.entry(&key, label, draft);
        }
    }

    /// Where a general may ride, and whom he may join.
    pub fn general_moves(&mut self, general: CommanderId) -> Option<String> {
        let field: &'v Field = self.view;
        let piece = field.commander(general);
        if !piece.is_present() || !piece.own.is_fit() {
            return None;
        }
        let key = self.key(general);
        let reach = distance(field, &field.charts().pace.general);
        self.path("Ride", &key, reach, json!({ "ride": { "commander": key, "to": "$point" } }));
        let centre = piece.quad().centre;
        let his = |id: UnitId| brigade(field, id).is_some_and(|brigade| chain(field, brigade).contains(&general));
        let near = |id: UnitId| {
            let body = field.unit(id).quad();
            (body.centre - centre).length() <= reach.as_f64() + body.radius
        };
        let units = field.present(self.side).map(|(id, _)| id);
        let units = units.filter(|id| his(*id) && near(*id) && piece.own.attached != Some(*id));
        let units: Vec<String> = units.map(|id| self.key(id)).collect();
        let draft = json!({ "join": { "commander": key, "unit": "$target" } });
        self.target("Join a unit", key.clone(), units, draft);
        Some(key)
    }

    /// Where a battery's observer may go.
    pub fn observer_moves(&mut self, battery: UnitId) -> Option<String> {
        let field: &'v Field = self.view;
        let Some(Observer::At(_)) = troops(field, battery).observer.filter(|_| field.unit(battery).is_present()) else {
            return None;
        };
        let key = format!("@{}", observer_key(field, battery));
        let reach = distance(field, &field.charts().pace.observer);
        let draft = json!({ "observe": { "battery": self.key(battery), "to": "$point" } });
        self.path("Walk", &key, reach, draft);
        Some(key)
    }
}

/// A step of a battery's run, for the check.
fn step(letter: char, full: Length) -> Step {
    match letter {
        'm' => Step::March(vec![Leg::Ahead(full.half())]),
        'u' => Step::Unlimber,
        'l' => Step::Limber,
        _ => Step::Fire,
    }
}

/// The same as a draft.
fn drafted(letter: char) -> Value {
    match letter {
        'm' => json!({ "march": "$legs" }),
        'u' => json!("unlimber"),
        'l' => json!("limber"),
        _ => json!("fire"),
    }
}

/// The same in a word.
fn said(letter: char) -> &'static str {
    match letter {
        'm' => "march",
        'u' => "unlimber",
        'l' => "limber up",
        _ => "fire",
    }
}

/// What a unit stands in, for the card.
pub fn stands_in(field: &Field, unit: UnitId) -> String {
    match formation(field, unit).shape {
        Shape::Limbered => "limbered".to_owned(),
        Shape::Deployed => "in action".to_owned(),
        _ => formation_words(formation(field, unit)),
    }
}
