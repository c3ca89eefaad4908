//! Gestures any question may use, and those of setting up.

use super::Offer;
use crate::evolution;
use crate::field::{Field, brigade_units, brigades, facts, general_of, known};
use crate::order::{Order, Posture};
use engine::scene::{Gesture, PlanKind};
use engine::{CommandId, FeatureId, UnitId, Whereabouts};
use serde_json::{Value, json};
use table::Length;

/// The word of a posture in a draft.
pub fn posture(posture: Posture) -> &'static str {
    posture.word()
}

impl<'v> Offer<'v, '_> {
    /// A press whose draft is an entry of a plan; null leaves its piece out.
    pub fn entry(&mut self, of: &str, label: impl Into<String>, draft: Value) {
        let of = Some(of.to_owned());
        self.gestures.push(Gesture::Button { of, label: label.into(), key: None, draft });
    }

    /// A path to be drawn from a piece.
    pub fn path(&mut self, label: impl Into<String>, unit: &str, allowance: Length, draft: Value) {
        self.gestures.push(Gesture::DrawPath { label: label.into(), unit: unit.to_owned(), allowance, draft });
    }

    /// What `fill` offers, apart from what is offered already.
    pub fn apart(&mut self, fill: impl FnOnce(&mut Self)) -> Vec<Gesture> {
        let so_far = std::mem::take(&mut self.gestures);
        fill(self);
        std::mem::replace(&mut self.gestures, so_far)
    }

    /// A plan with an entry for each piece that has options.
    pub fn plan(&mut self, label: &str, options: Vec<(String, Vec<Gesture>)>, draft: Value) {
        let pieces: Vec<String> = options.iter().map(|(key, _)| key.clone()).collect();
        if !pieces.is_empty() {
            let kind = PlanKind::Each { options };
            self.gestures.push(Gesture::Plan { label: label.to_owned(), kind, pieces, draft });
        }
    }

    /// A choice of some pieces, each with a few words about it.
    pub fn subset(&mut self, label: &str, units: &[UnitId], notes: Vec<String>, draft: Value) {
        let pieces: Vec<String> = units.iter().map(|unit| self.key(unit)).collect();
        if !pieces.is_empty() {
            let kind = PlanKind::Subset { notes };
            self.gestures.push(Gesture::Plan { label: label.to_owned(), kind, pieces, draft });
        }
    }

    /// Who stands for a brigade on the map: its commander, else its first unit there, else the brigade itself.
    pub fn leader(&self, brigade: CommandId) -> String {
        let field: &'v Field = self.view;
        let general = general_of(field, brigade).filter(|id| field.commander(*id).is_present());
        let mut units = brigade_units(field, brigade).filter(|id| field.unit(*id).is_present());
        match (general, units.next()) {
            (Some(officer), _) => self.key(officer),
            (None, Some(unit)) => self.key(unit),
            (None, None) => self.key(brigade),
        }
    }

    /// Postures with their objectives, each made into a draft by `make`.
    pub fn objectives(&mut self, by: &str, prefix: &str, make: impl Fn(Posture, Value) -> Value) {
        let field: &'v Field = self.view;
        let enemies: Vec<String> = known(field, self.side.other()).map(|(id, _)| self.key(id)).collect();
        let places: Vec<String> = (0..field.ground().features.len() as u16).map(|no| self.key(FeatureId(no))).collect();
        let anywhere = field.ground().size.0 + field.ground().size.1;
        let mut postures = vec![(Posture::Attack, "attack"), (Posture::Advance, "advance to"), (Posture::Hold, "hold")];
        if field.settings().withdraw_orders {
            postures.push((Posture::Withdraw, "withdraw to"));
        }
        for (posture, words) in postures {
            if posture == Posture::Attack {
                let draft = make(posture, json!({ "unit": "$target" }));
                self.target(format!("{prefix}{words} a unit"), by.to_owned(), enemies.clone(), draft);
            }
            let draft = make(posture, json!({ "feature": "$target" }));
            self.target(format!("{prefix}{words} a place"), by.to_owned(), places.clone(), draft);
            let draft = make(posture, json!({ "point": "$point" }));
            self.path(format!("{prefix}{words} a spot"), by, anywhere, draft);
        }
    }

    /// The plan is the whole set-up: `{ "units": […], "commanders": […], "observers": […], "orders": […] }`. A zone of
    /// one unit alone is shown with those of the side; who may stand in it the check tells.
    pub fn set_up(&mut self) {
        let field: &'v Field = self.view;
        let (side, muster) = (self.side, field.muster());
        let waits = |id: &UnitId| field.side_of(*id) == side && field.unit(*id).whereabouts != Whereabouts::Gone;
        let units: Vec<UnitId> = muster.unit_ids().filter(|id| waits(id) && !facts(field, *id).screen).collect();
        let riders = muster.commander_ids().filter(|id| muster.commander(*id).side == side);
        let mut zones = muster.sides[side].zones.clone();
        for zone in units.iter().flat_map(|id| &facts(field, *id).zones) {
            if !zones.contains(zone) {
                zones.push(*zone);
            }
        }
        let words = |id: &UnitId| evolution::allowed(field, *id).iter().map(ToString::to_string).collect();
        let of_units = units.iter().map(|id| (self.key(id), words(id)));
        let formations: Vec<(String, Vec<String>)> =
            of_units.chain(riders.map(|id| (self.key(id), Vec::new()))).collect();
        let pieces = formations.iter().map(|(key, _)| key.clone()).collect();
        self.gestures.push(Gesture::Plan {
            label: "Set the troops up".to_owned(),
            kind: PlanKind::Place { formations, zones },
            pieces,
            draft: json!({ "deploy": "$plan" }),
        });
        self.opening_orders();
        self.button("As the scenario places them", Some('e'), &Order::Pass);
    }

    /// Opening orders alone; the troops stand where the scenario places them.
    fn opening_orders(&mut self) {
        let field: &'v Field = self.view;
        let all: Vec<CommandId> = brigades(field, self.side).collect();
        let mut options = Vec::new();
        for brigade in all {
            let (by, key) = (self.leader(brigade), self.key(brigade));
            let list = self.apart(|offer| {
                offer.entry(&by, "As the scenario orders it", Value::Null);
                offer.objectives(&by, "To ", |how, objective| {
                    json!({ "brigade": key, "order": { "posture": posture(how), "objective": objective } })
                });
            });
            options.push((by, list));
        }
        self.plan(
            "Opening orders, troops as the scenario places them",
            options,
            json!({ "deploy": { "orders": "$plan" } }),
        );
    }
}
