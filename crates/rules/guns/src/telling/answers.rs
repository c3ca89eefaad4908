//! Gestures of fire and of the small questions of a bound.

use super::Offer;
use super::speech::far;
use crate::field::{Field, gap};
use crate::order::{Order, Shot};
use crate::{artillery, musketry};
use book::telling::voice;
use engine::scene::Gesture;
use engine::{Side, UnitId};
use serde_json::{Value, json};

/// Who may fire at whom.
pub type Targets = fn(&Field, UnitId) -> Vec<UnitId>;

/// Every unit that may fire takes the nearest enemy it may fire at.
pub fn nearest_shots(field: &Field, side: Side, targets: Targets) -> Vec<Shot> {
    let aimed = |unit: UnitId| {
        let at = targets(field, unit).into_iter().min_by_key(|at| (gap(field, unit, *at), *at))?;
        Some(Shot { unit, at })
    };
    field.present(side).filter_map(|(id, _)| aimed(id)).collect()
}

/// A target and how far off it is, where that may be known.
pub fn aim_words(field: &Field, shot: Shot) -> String {
    let name = voice::unit(field, shot.at);
    match field.settings().premeasuring {
        true => format!("{name}, {}", far(field, gap(field, shot.unit, shot.at))),
        false => name.to_owned(),
    }
}

impl<'v> Offer<'v, '_> {
    /// What guns fire at over open sights; marked batteries fire as marked unless they are told otherwise.
    pub fn guns(&mut self) {
        let field: &'v Field = self.view;
        let is_marked = |id: UnitId| {
            let registration = field.unit(id).own.registration.as_ref();
            registration.is_some_and(|registration| registration.marked)
        };
        let marked: Vec<UnitId> = field.present(self.side).map(|(id, _)| id).filter(|id| is_marked(*id)).collect();
        self.volleys(artillery::targets, |id| if is_marked(id) { "Fire as marked" } else { "Hold fire" });
        let mut shots = nearest_shots(field, self.side, artillery::targets);
        shots.retain(|shot| !marked.contains(&shot.unit));
        self.button(if marked.is_empty() { "Hold fire" } else { "Fire as marked" }, Some('h'), &Order::Pass);
        if !marked.is_empty() {
            // Single batteries are held back by typed words.
            self.button("Marked batteries hold, the rest at the nearest", None, &Order::Fire { shots, hold: marked });
        }
    }

    /// What everybody else fires at.
    pub fn musketry(&mut self) {
        self.volleys(musketry::targets, |_| "Hold fire");
        self.button("Hold fire", Some('h'), &Order::Pass);
    }

    fn volleys(&mut self, targets: Targets, silent: impl Fn(UnitId) -> &'static str) {
        let field: &'v Field = self.view;
        let shots = nearest_shots(field, self.side, targets);
        let all = Order::Fire { shots: shots.clone(), hold: Vec::new() };
        if !shots.is_empty() && self.allows(&all) {
            self.button("Everybody fires at the nearest", Some('f'), &all);
        }
        let mut options = Vec::new();
        for shot in shots {
            let key = self.key(shot.unit);
            let list = self.apart(|offer| {
                offer.entry(&key, silent(shot.unit), Value::Null);
                offer.shots_of(shot.unit, targets, Some(shot));
            });
            options.push((key, list));
        }
        self.plan("Each at its own target", options, json!({ "fire": { "shots": "$plan" } }));
    }

    /// Targets of one unit as entries of the list of shots.
    pub fn shots_of(&mut self, unit: UnitId, targets: Targets, nearest: Option<Shot>) {
        let field: &'v Field = self.view;
        let key = self.key(unit);
        if let Some(shot) = nearest {
            let draft = json!({ "unit": key, "at": self.key(shot.at) });
            self.entry(&key, format!("Fire on the nearest, {}", aim_words(field, shot)), draft);
        }
        let at = targets(field, unit).into_iter().map(|id| self.key(id)).collect();
        self.target("Fire on", key.clone(), at, json!({ "unit": key, "at": "$target" }));
    }

    /// Cavalry that may ride against those who charge it.
    pub fn counter_charges(&mut self, able: &[Shot]) {
        let field: &'v Field = self.view;
        let mut units: Vec<UnitId> = able.iter().map(|shot| shot.unit).collect();
        units.dedup();
        let note = |unit: &UnitId| {
            let at = able.iter().filter(|shot| shot.unit == *unit);
            let names: Vec<&str> = at.map(|shot| voice::unit(field, shot.at)).collect();
            format!("rides against {}", voice::list(&names))
        };
        let notes = units.iter().map(note).collect();
        let all = Order::CounterCharge { units: units.clone() };
        self.button("All counter-charge", Some('c'), &all);
        if units.len() > 1 {
            let draft = json!({ "counter_charge": { "units": "$plan" } });
            self.subset("Choose who counter-charges", &units, notes, draft);
        }
        self.button("Stand", Some('s'), &Order::Pass);
    }

    /// Infantry that failed and may go to ground.
    pub fn lying_down(&mut self, units: &[UnitId]) {
        let own: Vec<UnitId> = units.iter().copied().filter(|id| self.view.side_of(*id) == self.side).collect();
        self.button("All lie down", Some('l'), &Order::LieDown { units: own.clone() });
        if own.len() > 1 {
            let notes = own.iter().map(|_| "goes to ground".to_owned()).collect();
            self.subset("Choose who lies down", &own, notes, json!({ "lie_down": { "units": "$plan" } }));
        }
        self.button("Stay on their feet", Some('s'), &Order::Pass);
    }

    /// Going on against a further enemy, or not.
    pub fn pressing_on(&mut self, unit: UnitId, among: &[UnitId]) {
        let at = among.iter().map(|id| self.key(id)).collect();
        let key = self.key(unit);
        self.target("Press on against", key.clone(), at, json!({ "press_on": { "at": "$target" } }));
        let draft = self.draft(&Order::Pass);
        self.gestures.push(Gesture::Button { of: Some(key), label: "Stop here".to_owned(), key: Some('s'), draft });
    }
}
