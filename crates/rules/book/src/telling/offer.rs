//! Gathers the ways to answer one question.

use engine::scene::Gesture;
use engine::{Asked, Ruleset, Side, UnitId, View, facade, names};
use serde_json::Value;
use table::Length;

/// Gathers the ways to answer one question.
pub struct Offer<'v, 's, R: Ruleset> {
    pub view: &'v View<'s, R>,
    pub asked: &'v Asked<R>,
    pub side: Side,
    pub gestures: Vec<Gesture>,
}

/// Writes a blank into a draft: the named field of its order.
pub fn blank(mut draft: Value, field: &str, blank: impl Into<Value>) -> Value {
    if let Value::Object(order) = &mut draft
        && let Some((_, Value::Object(fields))) = order.iter_mut().next()
    {
        fields.insert(field.to_owned(), blank.into());
    }
    draft
}

impl<'v, 's, R: Ruleset> Offer<'v, 's, R> {
    /// Nothing offered yet.
    pub fn new(view: &'v View<'s, R>, asked: &'v Asked<R>, side: Side) -> Offer<'v, 's, R> {
        Offer { view, asked, side, gestures: Vec::new() }
    }

    /// A piece as drafts and scenes name it.
    pub fn key(&self, id: impl ToString) -> String {
        match names::outward(self.view.muster(), &Value::String(id.to_string())) {
            Value::String(key) => key,
            _ => id.to_string(),
        }
    }

    /// An order as a draft.
    pub fn draft(&self, order: &R::Order) -> Value {
        facade::encode::<R>(self.view, order)
    }

    /// Whether the rules allow an order.
    pub fn allows(&self, order: &R::Order) -> bool {
        R::check(self.view, self.asked, self.side, order).is_legal()
    }

    /// One press, about nobody in particular.
    pub fn button(&mut self, label: impl Into<String>, key: Option<char>, order: &R::Order) {
        let draft = self.draft(order);
        self.gestures.push(Gesture::Button { of: None, label: label.into(), key, draft });
    }

    /// One press about one piece: the label is the act alone, for the piece says whose it is.
    pub fn button_of(&mut self, piece: impl ToString, label: impl Into<String>, key: Option<char>, order: &R::Order) {
        let (of, draft) = (Some(self.key(piece)), self.draft(order));
        self.gestures.push(Gesture::Button { of, label: label.into(), key, draft });
    }

    /// The same, where the rules allow it.
    pub fn button_if(&mut self, unit: UnitId, label: impl Into<String>, key: char, order: &R::Order) {
        if self.allows(order) {
            self.button_of(unit, label, Some(key), order);
        }
    }

    /// One among several pieces.
    pub fn pick(&mut self, label: &str, from: &[impl ToString], draft: Value) {
        let from = from.iter().map(|id| self.key(id.to_string())).collect();
        self.gestures.push(Gesture::PickUnits { label: label.to_owned(), from, draft });
    }

    /// A target for a piece, where there is any.
    pub fn target(&mut self, label: impl Into<String>, by: String, at: Vec<String>, draft: Value) {
        if !at.is_empty() {
            self.gestures.push(Gesture::PickTarget { label: label.into(), by, at, draft });
        }
    }

    /// A place to be pointed at: the end of a line drawn from a piece goes where `"$point"` stands.
    pub fn point_at(&mut self, label: String, from: String, allowance: Length, draft: Value) {
        self.gestures.push(Gesture::DrawPath { label, unit: from, allowance, draft });
    }
}
