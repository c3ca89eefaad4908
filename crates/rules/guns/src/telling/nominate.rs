//! Gestures of activation and of ranging in: brigades named, dice dealt, targets marked.

use super::Offer;
use super::gestures::posture;
use super::speech::{matter, order_words};
use crate::command;
use crate::command::deal::Needs;
use crate::field::{Field, brigade_units, brigades, chain, distance, facts, gap, known, troops};
use crate::order::{BrigadeOrder, Marking, Matter, NewOrder, Nomination, Order, Posture};
use crate::ranging;
use crate::unit::{GunClass, Level};
use book::telling::voice;
use engine::scene::Gesture;
use engine::{CommandId, CommanderId, FeatureId, UnitId};
use serde_json::{Value, json};

/// So many things of each kind a general might have seen are tried as the cause of a new order.
const MOST_CAUSES: usize = 5;

impl<'v> Offer<'v, '_> {
    /// An entry for each brigade under its general: left out, going on, or with a new order.
    pub fn nominations(&mut self) {
        let field: &'v Field = self.view;
        let all: Vec<CommandId> = brigades(field, self.side).collect();
        let going: Vec<Nomination> = all.iter().filter_map(|brigade| self.goes_on(*brigade)).collect();
        let mut options = Vec::new();
        for brigade in &all {
            let by = self.leader(*brigade);
            let list = self.apart(|offer| {
                offer.entry(&by, "Is not named", Value::Null);
                offer.continuing(&by, *brigade);
                offer.new_orders(&by, *brigade);
            });
            if list.len() > 1 {
                options.push((by, list));
            }
        }
        let everybody = Order::Nominate { brigades: going.clone(), stay_disordered: Vec::new() };
        if !going.is_empty() && self.allows(&everybody) {
            self.button("Every brigade that may goes on as ordered", Some('a'), &everybody);
        }
        self.plan("Name brigades", options, json!({ "nominate": { "brigades": "$plan" } }));
        self.fight_on(&going);
        self.button("Name nobody", Some('e'), &Order::Pass);
    }

    fn is_legal(&self, one: &Nomination) -> bool {
        self.allows(&Order::Nominate { brigades: vec![one.clone()], stay_disordered: Vec::new() })
    }

    /// A brigade that may go on as it was told, with every higher general who may lend his weight.
    fn goes_on(&self, brigade: CommandId) -> Option<Nomination> {
        let mut one = Nomination { brigade, issuer: None, new: None, present: Vec::new() };
        if !self.is_legal(&one) {
            return None;
        }
        for general in self.weights(brigade) {
            one.present.push(general);
            if !self.is_legal(&one) {
                one.present.pop();
            }
        }
        Some(one)
    }

    /// Generals above a brigade whose presence counts for something.
    fn weights(&self, brigade: CommandId) -> Vec<CommanderId> {
        let field: &'v Field = self.view;
        let counts = |id: &CommanderId| {
            let (card, piece) = (field.muster().commander(*id), field.commander(*id));
            matches!(card.facts.level, Level::Division | Level::Corps) && piece.is_present() && piece.own.is_fit()
        };
        chain(field, brigade).into_iter().filter(counts).collect()
    }

    fn nomination(&mut self, by: &str, label: String, one: &Nomination) {
        // An entry of the list is the same as in the whole order.
        let whole = self.draft(&Order::Nominate { brigades: vec![one.clone()], stay_disordered: Vec::new() });
        let entry = whole.pointer("/nominate/brigades/0").cloned().unwrap_or(Value::Null);
        self.entry(by, label, entry);
    }

    /// Going on with the order it has: by its own general, with company, or through a superior.
    fn continuing(&mut self, by: &str, brigade: CommandId) {
        let field: &'v Field = self.view;
        let record = field.ledger().brigades.get(brigade.index());
        let what = record.and_then(|record| record.order).map(|order| format!(": {}", order_words(field, order)));
        let what = what.unwrap_or_default();
        let plain = Nomination { brigade, issuer: None, new: None, present: Vec::new() };
        if let Some(with) = self.goes_on(brigade) {
            if !with.present.is_empty() {
                let names: Vec<&str> = with.present.iter().map(|id| voice::commander(field, *id)).collect();
                self.nomination(by, format!("Go on{what}, with {}", voice::list(&names)), &with);
            }
            self.nomination(by, format!("Go on{what}"), &plain);
        }
        for superior in chain(field, brigade).into_iter().skip(1) {
            let through = Nomination { issuer: Some(superior), ..plain.clone() };
            if self.is_legal(&through) {
                let label = format!("Go on{what}, through {}", voice::commander(field, superior));
                self.nomination(by, label, &through);
            }
        }
    }

    /// New orders by the first general in its chain who has seen anything that prompts one.
    fn new_orders(&mut self, by: &str, brigade: CommandId) {
        let field: &'v Field = self.view;
        for issuer in chain(field, brigade) {
            let Some(cause) = self.cause(brigade, issuer) else { continue };
            let (key, giver) = (self.key(brigade), self.key(issuer));
            let seen = match cause {
                Matter::Unit(id) => json!({ "unit": self.key(id) }),
                Matter::Feature(id) => json!({ "feature": self.key(id) }),
                Matter::Point(point) => json!({ "point": point }),
            };
            let prefix = format!("New order, because of {}: ", matter(field, cause));
            self.objectives(by, &prefix, |how, objective| {
                let order = json!({ "posture": posture(how), "objective": objective });
                json!({ "brigade": key, "new": { "issuer": giver, "cause": seen, "order": order } })
            });
            return;
        }
    }

    /// Something a general has seen that prompts an order: an enemy sooner than a place, a place sooner than a friend.
    fn cause(&self, brigade: CommandId, issuer: CommanderId) -> Option<Matter> {
        let field: &'v Field = self.view;
        let piece = field.commander(issuer);
        if !piece.is_present() || !piece.own.is_fit() {
            return None;
        }
        let eye = piece.quad().centre;
        let off = |id: &UnitId| (field.unit(*id).quad().centre - eye).length_squared();
        let nearest = |mut ids: Vec<UnitId>| {
            ids.sort_by(|a, b| off(a).total_cmp(&off(b)).then(a.cmp(b)));
            ids.into_iter().take(MOST_CAUSES).map(Matter::Unit).collect::<Vec<Matter>>()
        };
        let enemies = nearest(known(field, self.side.other()).map(|(id, _)| id).collect());
        let friends = nearest(brigade_units(field, brigade).filter(|id| field.unit(*id).is_present()).collect());
        let features = field.ground().features.iter().zip(0..);
        let mut places: Vec<(f64, FeatureId)> =
            features.map(|(feature, no)| (feature.shape.distance(eye), FeatureId(no))).collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let places = places.into_iter().take(MOST_CAUSES).map(|(_, id)| Matter::Feature(id));
        enemies.into_iter().chain(places).chain(friends).find(|cause| {
            let order = BrigadeOrder { posture: Posture::Advance, objective: *cause };
            let new = Some(NewOrder { issuer: Some(issuer), cause: *cause, order });
            self.is_legal(&Nomination { brigade, issuer: None, new, present: Vec::new() })
        })
    }

    /// Every brigade goes on, and nobody stands still to reform; single units are kept from it by typed words.
    fn fight_on(&mut self, going: &[Nomination]) {
        let field: &'v Field = self.view;
        let could = field.present(self.side).filter(|(_, unit)| unit.own.disorder.combat && !unit.own.broken);
        let stay_disordered: Vec<UnitId> = could.map(|(id, _)| id).collect();
        let order = Order::Nominate { brigades: going.to_vec(), stay_disordered: stay_disordered.clone() };
        if !stay_disordered.is_empty() && self.allows(&order) {
            self.button("Every brigade goes on, and nobody reforms", None, &order);
        }
    }

    /// Dice for brigades: `"$deal"` is a list with an entry for each brigade, the number of its die or null.
    pub fn allotment(&mut self, dice: &[u8], brigades: &[CommandId]) {
        let to = brigades.iter().map(|brigade| self.key(*brigade)).collect();
        let draft = json!({ "allot": { "deal": "$deal" } });
        let notes = command::all_needs(self.view, brigades).iter().map(roused).collect();
        self.gestures.push(Gesture::DealDice { dice: dice.to_vec(), to, notes, draft });
        self.button("Let the staff deal them", Some('e'), &Order::Pass);
    }

    /// Targets for indirect fire.
    pub fn markings(&mut self) {
        let field: &'v Field = self.view;
        let batteries: Vec<(UnitId, Vec<UnitId>)> = field
            .present(self.side)
            .map(|(id, _)| (id, ranging::targets(field, id)))
            .filter(|(_, targets)| !targets.is_empty())
            .collect();
        let mut options = Vec::new();
        for (battery, targets) in &batteries {
            let key = self.key(battery);
            let list = self.apart(|offer| {
                offer.entry(&key, "No indirect fire", Value::Null);
                offer.marks_of(*battery, targets);
            });
            options.push((key, list));
        }
        let again = |(battery, targets): &(UnitId, Vec<UnitId>)| {
            let old = troops(field, *battery).registration.as_ref().map(|one| one.at);
            let at = old.filter(|at| targets.contains(at)).or_else(|| nearest(field, *battery, targets))?;
            Some(Marking { battery: *battery, at, point: None, blocks: Vec::new() })
        };
        let order = Order::Mark { shots: batteries.iter().filter_map(again).collect() };
        if self.allows(&order) {
            self.button("Keep to the old targets, else the nearest", Some('a'), &order);
        }
        self.plan("Mark targets for indirect fire", options, json!({ "mark": { "shots": "$plan" } }));
        self.button("No indirect fire", Some('e'), &Order::Pass);
    }

    fn marks_of(&mut self, battery: UnitId, targets: &[UnitId]) {
        let field: &'v Field = self.view;
        let key = self.key(battery);
        if let Some(old) = troops(field, battery).registration.as_ref().filter(|one| targets.contains(&one.at)) {
            let label = format!("Keep firing on {}", voice::unit(field, old.at));
            let draft = json!({ "battery": key, "at": self.key(old.at) });
            self.entry(&key, label, draft);
        }
        let at: Vec<String> = targets.iter().map(|id| self.key(id)).collect();
        self.target("Mark", key.clone(), at.clone(), json!({ "battery": key, "at": "$target" }));
        let indirect = &field.charts().indirect;
        let class = facts(field, battery).class.unwrap_or(GunClass::Field);
        self.gestures.push(Gesture::LayBlocks {
            label: "Mark, and lay the blocks by hand".to_owned(),
            unit: key.clone(),
            at,
            count: Some(troops(field, battery).guns),
            length: Some(distance(field, indirect.length(class))),
            width: Some(distance(field, &indirect.width)),
            draft: json!({ "battery": key, "at": "$target", "blocks": "$blocks" }),
        });
    }
}

/// The nearest of some enemies.
fn nearest(field: &Field, unit: UnitId, among: &[UnitId]) -> Option<UnitId> {
    among.iter().copied().min_by_key(|at| (gap(field, unit, *at), *at))
}

/// How many units of a brigade answer to which die.
fn roused(needs: &Needs) -> String {
    let mut faces = needs.clone();
    faces.dedup();
    let words = |face: &u8| {
        let count = voice::number(needs.iter().filter(|need| *need == face).count());
        format!("{count} on {face}+")
    };
    match faces.as_slice() {
        [] => "no die rouses anybody".to_owned(),
        faces => format!("obey: {}", faces.iter().map(words).collect::<Vec<String>>().join(", ")),
    }
}
