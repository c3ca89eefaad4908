//! Gestures that answer each question: drafts with blanks, complete as soon as the blanks are filled.

mod battle;
mod moves;
mod setup;
mod small;
#[cfg(test)]
mod tests;

pub use battle::{aim_words, band_words};

use super::Offer;
use crate::Days;
use crate::order::{Decision, Order};
use crate::unit::ChargeKind;
use engine::scene::{Gesture, PlanKind};
use engine::{Asked, Side, UnitId, View};
use serde_json::Value;
use table::Length;

/// Ways to answer.
pub fn gestures(view: &View<'_, Days>, asked: &Asked<Days>, side: Side) -> Vec<Gesture> {
    let mut offer = Offer::new(view, asked, side);
    match &asked.decision {
        Decision::Reserves => offer.reserves(),
        Decision::Deploy => offer.set_up(),
        Decision::DeployBrigade { left } => offer.set_up_brigade(left),
        Decision::Replace { lost } => offer.replacements(lost),
        Decision::Arrive { absent } => offer.arrivals(absent),
        Decision::Charges => offer.charges(ChargeKind::Declared),
        Decision::Opportunity => offer.charges(ChargeKind::Opportunity),
        Decision::Rally => offer.rallying(),
        Decision::Fire => offer.fire(),
        Decision::Defend => offer.defence(),
        Decision::React { unit, by } => offer.reactions(*unit, by),
        Decision::Feint { among } => offer.feints(among),
        Decision::Move => offer.moves(),
        Decision::Assault { stay, follow } => offer.assaults(&stay[side], &follow[side]),
        Decision::GoOn { unit } => offer.going_on(*unit),
        Decision::Surrender { units } => offer.surrenders(units),
    }
    offer.into_gestures()
}

impl Offer<'_, '_> {
    /// A press whose draft is an entry of a plan; null leaves its piece out.
    fn entry(&mut self, of: &str, label: impl Into<String>, draft: Value) {
        let of = Some(of.to_owned());
        self.gestures.push(Gesture::Button { of, label: label.into(), key: None, draft });
    }

    /// A path to be drawn from a piece.
    fn path(&mut self, label: impl Into<String>, piece: &str, allowance: Length, draft: Value) {
        self.gestures.push(Gesture::DrawPath { label: label.into(), unit: piece.to_owned(), allowance, draft });
    }

    /// A formation to be chosen for a piece.
    fn form(&mut self, label: impl Into<String>, unit: UnitId, into: Vec<String>, draft: Value) {
        if !into.is_empty() {
            let unit = self.key(unit);
            self.gestures.push(Gesture::PickFormation { label: label.into(), unit, into, draft });
        }
    }

    /// What `fill` offers, apart from what is offered already.
    fn apart(&mut self, fill: impl FnOnce(&mut Self)) -> Vec<Gesture> {
        let so_far = std::mem::take(&mut self.gestures);
        fill(self);
        std::mem::replace(&mut self.gestures, so_far)
    }

    /// A plan with an entry for each piece that has options.
    fn plan(&mut self, label: &str, options: Vec<(String, Vec<Gesture>)>, draft: Value) {
        let pieces: Vec<String> = options.iter().map(|(key, _)| key.clone()).collect();
        if !pieces.is_empty() {
            let kind = PlanKind::Each { options };
            self.gestures.push(Gesture::Plan { label: label.to_owned(), kind, pieces, draft });
        }
    }

    /// A choice of some pieces, each with a few words about it.
    fn subset(&mut self, label: &str, units: &[UnitId], note: impl Fn(UnitId) -> String, draft: Value) {
        let pieces: Vec<String> = units.iter().map(|unit| self.key(unit)).collect();
        if !pieces.is_empty() {
            let kind = PlanKind::Subset { notes: units.iter().map(|unit| note(*unit)).collect() };
            self.gestures.push(Gesture::Plan { label: label.to_owned(), kind, pieces, draft });
        }
    }

    /// The value at a place of an order's draft: an entry of one of its lists.
    fn part_of(&self, order: &Order, pointer: &str) -> Value {
        self.draft(order).pointer(pointer).cloned().unwrap_or(Value::Null)
    }

    /// One press about one piece, where the rules allow it; without a key.
    fn press(&mut self, piece: impl ToString, label: impl Into<String>, order: &Order) -> bool {
        let legal = self.allows(order);
        if legal {
            self.button_of(piece, label, None, order);
        }
        legal
    }
}
