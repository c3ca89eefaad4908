//! Gestures for those who obey and those who answer: paths, charges, shots, reactive fire and following up.

use super::Offer;
use super::gestures::{stands_of, step_of};
use crate::field::{Field, facts, formation, gap, known, soldiers, surely_beyond};
use crate::fire;
use crate::movement;
use crate::order::{Aim, Going, Order, Shot, StandRef, Target};
use crate::unit::Formation;
use book::telling::offer::blank;
use book::telling::voice;
use engine::UnitId;
use engine::scene::{Gesture, PlanKind};
use serde_json::{Value, json};

impl<'v> Offer<'v, '_> {
    /// Paths of the units that obey: all together from any of them, one alone, or each its own.
    pub fn marches(&mut self, units: &[UnitId], going: Going) {
        if units.len() > 1 {
            for unit in units {
                let draft = json!({ "together": { "legs": "$legs" } });
                let allowance = self.pace(*unit, going);
                self.path("All go together", *unit, allowance, draft);
            }
        }
        self.marches_of(units, going);
        if units.len() > 1 {
            self.each(units, "Each its own way", json!({ "march": { "moves": "$plan" } }), |offer, unit| {
                offer.steps(unit, going, "Go", |step| step);
            });
        }
    }

    /// Ways of single units; whoever else obeys stays.
    pub fn marches_of(&mut self, units: &[UnitId], going: Going) {
        let label = if units.len() > 1 { "Go alone, the rest stay" } else { "Go" };
        for unit in units {
            self.steps(*unit, going, label, |step| json!({ "march": { "moves": [step] } }));
        }
    }

    fn pace(&self, unit: UnitId, going: Going) -> table::Length {
        let full = movement::full_pace(self.view, unit);
        match going {
            Going::Move | Going::ByRoad => full,
            Going::Reform | Going::HalfPace => movement::formed(self.view, full),
        }
    }

    fn steps(&mut self, unit: UnitId, going: Going, label: &str, make: impl Fn(Value) -> Value) {
        let allowance = self.pace(unit, going);
        if going == Going::Reform {
            self.reforms(unit, allowance, false, make);
        } else if formation(self.view, unit) == Formation::Deployed {
            // Guns in action may only be limbered, and only where a blunder drives them.
            if going == Going::HalfPace {
                let limbered = Formation::Limbered.word();
                let step = json!({ "unit": self.key(unit), "formation": limbered, "legs": "$legs" });
                self.path("Limber up, then go", unit, allowance, make(step));
            }
        } else {
            let step = json!({ "unit": self.key(unit), "legs": "$legs" });
            self.path(label, unit, allowance, make(step));
        }
    }

    /// A plan with an entry for each unit, or none where it stays out of it.
    fn each(&mut self, units: &[UnitId], label: &str, draft: Value, fill: impl Fn(&mut Self, UnitId)) {
        let mut options = Vec::new();
        for unit in units {
            let so_far = std::mem::take(&mut self.gestures);
            let key = self.key(unit);
            self.gestures.push(Gesture::Button {
                of: Some(key.clone()),
                label: "Stay out of it".to_owned(),
                key: None,
                draft: Value::Null,
            });
            fill(self, *unit);
            options.push((key, std::mem::replace(&mut self.gestures, so_far)));
        }
        let pieces = options.iter().map(|(key, _)| key.clone()).collect();
        self.gestures.push(Gesture::Plan { label: label.to_owned(), kind: PlanKind::Each { options }, pieces, draft });
    }

    /// Advances to contact of the units that obey.
    pub fn charges(&mut self, units: &[UnitId]) {
        let one = |aim: Aim| Order::Charges { charges: vec![aim] };
        for unit in units {
            let at = self.within_charge(*unit, one);
            let label = if units.len() > 1 { "Advance alone on" } else { "Advance on" };
            let entry = json!({ "unit": self.key(unit), "at": "$target" });
            let key = self.key(unit);
            self.target(label, key, at, json!({ "charges": { "charges": [entry] } }));
        }
        if units.len() > 1 {
            let nearest: Vec<Aim> = units.iter().filter_map(|unit| self.nearest_aim(*unit)).collect();
            let order = Order::Charges { charges: nearest };
            if matches!(&order, Order::Charges { charges } if charges.len() > 1) && self.allows(&order) {
                self.button("All at the nearest", Some('a'), &order);
            }
            self.each(units, "Each at its own enemy", json!({ "charges": { "charges": "$plan" } }), |offer, unit| {
                let at = offer.within_charge(unit, one);
                let entry = json!({ "unit": offer.key(unit), "at": "$target" });
                let key = offer.key(unit);
                offer.target("Advance on", key, at, entry);
            });
        }
    }

    /// The nearest enemy a unit may advance on.
    fn nearest_aim(&self, unit: UnitId) -> Option<Aim> {
        let field: &'v Field = self.view;
        let (reach, body) = (movement::full_pace(field, unit), field.unit(unit).quad());
        let near = known(field, self.side.other()).filter(|(_, enemy)| !surely_beyond(body, enemy.quad(), reach));
        let aims = near.map(|(at, _)| (gap(field, unit, at), Aim { unit, at, wheel: None, bearing: None }));
        let legal = aims.filter(|(_, aim)| self.allows(&Order::Charges { charges: vec![*aim] }));
        legal.min_by_key(|(gap, aim)| (*gap, aim.at)).map(|(_, aim)| aim)
    }

    /// Enemies a battery may be told to shoot at; foot takes the nearest and is told none.
    fn in_range(&self, unit: UnitId) -> Vec<UnitId> {
        let field: &'v Field = self.view;
        if facts(field, unit).arm.is_artillery() { fire::ordered_targets(field, unit) } else { Vec::new() }
    }

    /// What the units that obey may shoot at.
    pub fn shots(&mut self, units: &[UnitId]) {
        let all = Order::Shots { shots: units.iter().map(|unit| Target { unit: *unit, at: None }).collect() };
        if self.allows(&all) {
            let label = if units.len() > 1 { "All at the nearest" } else { "At the nearest" };
            self.button(label, Some('f'), &all);
        }
        let ranges: Vec<Vec<UnitId>> = units.iter().map(|unit| self.in_range(*unit)).collect();
        let keys = |offer: &Self, at: &[UnitId]| at.iter().map(|id| offer.key(id)).collect::<Vec<String>>();
        if units.len() > 1 {
            let common = ranges.first().map(|first| {
                let everybody = |id: &&UnitId| ranges.iter().all(|range| range.contains(id));
                first.iter().filter(everybody).copied().collect::<Vec<UnitId>>()
            });
            let common = keys(self, &common.unwrap_or_default());
            let shots: Vec<Value> =
                units.iter().map(|unit| json!({ "unit": self.key(unit), "at": "$target" })).collect();
            for unit in units {
                let key = self.key(unit);
                self.target("All fire on", key, common.clone(), json!({ "shots": { "shots": shots } }));
            }
        }
        for (unit, range) in units.iter().zip(&ranges) {
            let label = if units.len() > 1 { "Fire alone on" } else { "Fire on" };
            let entry = json!({ "unit": self.key(unit), "at": "$target" });
            let at = keys(self, range);
            let key = self.key(unit);
            self.target(label, key, at, json!({ "shots": { "shots": [entry] } }));
        }
        if units.len() > 1 {
            self.each(units, "Each at its own target", json!({ "shots": { "shots": "$plan" } }), |offer, unit| {
                let at = offer.in_range(unit);
                let at = at.iter().map(|id| offer.key(id)).collect();
                let entry = json!({ "unit": offer.key(unit), "at": "$target" });
                let key = offer.key(unit);
                offer.target("Fire on", key, at, entry);
                let nearest = Order::Shots { shots: vec![Target { unit, at: None }] };
                if offer.allows(&nearest) {
                    let (of, draft) = (Some(offer.key(unit)), json!({ "unit": offer.key(unit) }));
                    let label = "Fire on the nearest".to_owned();
                    offer.gestures.push(Gesture::Button { of, label, key: None, draft });
                }
            });
        }
    }

    /// Fire in answer: all, nobody, one unit, or a choice of units.
    pub fn reaction(&mut self, able: &[Shot]) {
        let field: &'v Field = self.view;
        let units = stands_of(able);
        self.button("All fire", Some('f'), &Order::ReactAll);
        self.button("Hold fire", Some('h'), &Order::Pass);
        self.fire_alone(able);
        if units.len() > 1 {
            let pieces: Vec<String> = units.iter().map(|(unit, _)| self.key(unit)).collect();
            let notes = units.iter().map(|(unit, _)| aim_words(field, able, *unit)).collect();
            self.gestures.push(Gesture::Plan {
                label: "Choose who fires".to_owned(),
                kind: PlanKind::Subset { notes },
                pieces,
                draft: json!({ "react": { "units": "$plan" } }),
            });
        }
    }

    /// One unit fires, the others hold.
    pub fn fire_alone(&mut self, able: &[Shot]) {
        let field: &'v Field = self.view;
        for (unit, _) in stands_of(able) {
            let label = format!("Fire alone: {}", aim_words(field, able, unit));
            self.button_of(unit, label, None, &Order::React { units: vec![unit], stands: Vec::new() });
        }
    }

    /// Which stands aim at the unit in the middle: as many as may, beginning with those of one unit.
    pub fn concentration(&mut self, stands: &[StandRef], most: u8) {
        self.button("In roster order", Some('e'), &Order::Pass);
        let mut units: Vec<UnitId> = stands.iter().map(|stand| stand.unit).collect();
        units.dedup();
        for unit in units {
            let first = stands.iter().filter(|stand| stand.unit == unit);
            let rest = stands.iter().filter(|stand| stand.unit != unit);
            let aimed: Vec<StandRef> = first.chain(rest).copied().take(usize::from(most)).collect();
            self.button_of(unit, "Its stands aim first", None, &Order::Concentrate { stands: aimed });
        }
    }

    /// After the enemy yielded.
    pub fn follow_up(&mut self, unit: UnitId, may_follow: bool) {
        let field: &'v Field = self.view;
        if may_follow {
            let plain = Order::FollowUp { at: None };
            self.button_if(unit, "Follow up", 'f', &plain);
            let order = |at: UnitId| Order::FollowUp { at: Some(at) };
            let (reach, body) = (movement::full_pace(field, unit), field.unit(unit).quad());
            let near = known(field, self.side.other()).filter(|(_, enemy)| !surely_beyond(body, enemy.quad(), reach));
            let able: Vec<UnitId> = near.map(|(id, _)| id).filter(|at| self.allows(&order(*at))).collect();
            if let Some(at) = able.first() {
                let draft = blank(self.draft(&order(*at)), "at", "$target");
                let at = able.iter().map(|id| self.key(id)).collect();
                let key = self.key(unit);
                self.target("Follow up into", key, at, draft);
            }
        }
        let shapes = facts(field, unit).formations(soldiers(field, unit).count());
        let into = shapes.iter().map(|one| one.word().to_owned()).collect();
        let step = json!({ "unit": self.key(unit), "formation": "$formation", "facing": "$facing", "legs": [] });
        self.form("Reform", unit, into, step_of("reform", &step));
        self.button_of(unit, "Stay", Some('s'), &Order::Pass);
    }
}

/// What a unit would fire at, how far off, with how many stands.
pub fn aim_words(field: &Field, able: &[Shot], unit: UnitId) -> String {
    let mut at: Vec<(UnitId, usize)> = Vec::new();
    for shot in able.iter().filter(|shot| shot.unit == unit) {
        match at.iter_mut().find(|(target, _)| *target == shot.at) {
            Some((_, count)) => *count += 1,
            None => at.push((shot.at, 1)),
        }
    }
    let each: Vec<String> = at
        .into_iter()
        .map(|(target, count)| {
            let far = match field.settings().premeasuring {
                true => format!(", {}", voice::inches(gap(field, unit, target))),
                false => String::new(),
            };
            format!("{} at {}{far}", voice::count(count, "stand"), voice::unit(field, target))
        })
        .collect();
    each.join("; ")
}
