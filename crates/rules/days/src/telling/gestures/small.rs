//! Gestures of the smaller questions: rallying, meeting a charge, feints, what follows a fight.

use super::super::Offer;
use crate::candidates;
use crate::evolution;
use crate::field::{self, Field, formation, is_routing, troops};
use crate::formation::{Formation, Shape};
use crate::order::{Help, Order};
use crate::{assault, rally, rout};
use book::telling::voice;
use engine::{CommanderId, UnitId};
use serde_json::{Value, json};

impl<'v> Offer<'v, '_> {
    /// New men for generals who are lost.
    pub fn replacements(&mut self, lost: &[CommanderId]) {
        let all = Order::Replace { generals: lost.to_vec() };
        if self.allows(&all) {
            self.button(if lost.len() > 1 { "Replace them all" } else { "Replace him" }, Some('r'), &all);
        }
        if lost.len() > 1 {
            let mut options = Vec::new();
            for general in lost {
                let key = self.key(general);
                let list = self.apart(|offer| {
                    offer.entry(&key, "Wait", Value::Null);
                    offer.entry(&key, "Put somebody in his place", json!(key));
                });
                options.push((key, list));
            }
            self.plan("Choose who is replaced", options, json!({ "replace": { "generals": "$plan" } }));
        }
        self.button("Wait", Some('e'), &Order::Pass);
    }

    /// The help the staff would give: whoever runs first, each general once.
    fn usual_help(&self) -> Vec<Help> {
        let field: &'v Field = self.view;
        let mut triers = rally::triers(field, self.side);
        triers.sort_by_key(|unit| !is_routing(field, *unit));
        let mut help: Vec<Help> = Vec::new();
        for unit in triers {
            let free = rally::helpers(field, unit).into_iter().find(|id| help.iter().all(|one| one.general != *id));
            help.extend(free.map(|general| Help { general, unit }));
        }
        help
    }

    /// Generals to units; units that run and are left to it; how they form when they stop.
    pub fn rallying(&mut self) {
        let field: &'v Field = self.view;
        let triers = rally::triers(field, self.side);
        let help = self.usual_help();
        let usual = Order::Rally { help: help.clone(), decline: Vec::new(), form: Vec::new() };
        if !help.is_empty() && self.allows(&usual) {
            self.button("Generals help where they can", Some('a'), &usual);
        }
        let mut options = Vec::new();
        let side = self.side;
        let own = |id: &CommanderId| field.muster().commander(*id).side == side;
        for general in field.muster().commander_ids().filter(own) {
            let helps = |unit: &&UnitId| rally::helpers(field, **unit).contains(&general);
            let units: Vec<String> = triers.iter().filter(helps).map(|unit| self.key(unit)).collect();
            if units.is_empty() {
                continue;
            }
            let key = self.key(general);
            let list = self.apart(|offer| {
                offer.entry(&key, "Helps nobody", Value::Null);
                offer.target("Help", key.clone(), units, json!({ "general": key, "unit": "$target" }));
            });
            options.push((key, list));
        }
        self.plan("Send generals to rally units", options, json!({ "rally": { "help": "$plan" } }));
        let free: Vec<UnitId> = triers.iter().copied().filter(|unit| rally::may_choose(field, *unit)).collect();
        let mut draft = self.draft(&usual);
        draft["rally"]["decline"] = json!("$plan");
        let label = "Leave these to run or pursue; generals help the others";
        self.subset(label, &free, |_| "does not try to rally".to_owned(), draft);
        for unit in free {
            let shapes = [Shape::Line, Shape::March, Shape::Manoeuvre, Shape::Column, Shape::Limbered];
            let fits = shapes.map(Formation::usual).into_iter();
            let fits = fits.filter(|to| evolution::may_form(field, unit, *to).is_legal());
            let words = fits.map(|to| to.to_string()).collect();
            let mut draft = self.draft(&usual);
            draft["rally"]["form"] = json!([{ "unit": self.key(unit), "formation": "$formation" }]);
            self.form("If it rallies, form", unit, words, draft);
        }
        self.button("Everybody by himself", Some('e'), &Order::Pass);
    }

    /// How a charge is met.
    pub fn reactions(&mut self, unit: UnitId, by: &[UnitId]) {
        let field: &'v Field = self.view;
        let now = formation(field, unit);
        if self.allows(&Order::Stand) {
            self.button_of(unit, "Stand", Some('s'), &Order::Stand);
        }
        let evades = Order::Evade { to: None };
        if self.allows(&evades) {
            self.button_of(unit, "Get out of the way", Some('v'), &evades);
        }
        let key = self.key(unit);
        let places = candidates::shelters(field, unit);
        let charger = by.first().copied();
        let shelter = charger
            .and_then(|from| places.into_iter().find(|to| rout::may_evade_to(field, unit, from, *to).is_legal()));
        if let Some(to) = shelter.filter(|to| self.allows(&Order::Evade { to: Some(*to) })) {
            self.press(unit, "Run for the nearest cover", &Order::Evade { to: Some(to) });
            let far = rout::evading_distance(field, unit);
            self.path("Run to", &key, far, json!({ "evade": { "to": "$point" } }));
        }
        let mut forms = Vec::new();
        for to in evolution::choices(field, unit) {
            let order = Order::Reform { formation: to, facing: None };
            if !self.allows(&order) {
                continue;
            }
            if to.shape == Shape::Square {
                self.button_of(unit, "Form square", Some('q'), &order);
            } else {
                forms.push(to.to_string());
            }
        }
        self.form("Change formation", unit, forms, json!({ "reform": { "formation": "$formation" } }));
        let facing = field.unit(unit).pose().facing;
        for turned in charger.map(|from| candidates::turns_to(field, unit, from)).into_iter().flatten() {
            let label = match (turned - facing).signed() {
                by if by.abs() > table::Angle::EAST.as_millidegrees() => "Face about",
                by if by > 0 => "Turn to the right",
                _ => "Turn to the left",
            };
            self.press(unit, label, &Order::Reform { formation: now, facing: Some(turned) });
        }
        self.button_of(unit, "As it comes", Some('e'), &Order::Pass);
    }

    /// Charges broken off.
    pub fn feints(&mut self, among: &[UnitId]) {
        let field: &'v Field = self.view;
        self.button("Press on", Some('e'), &Order::Pass);
        self.button("All break off", Some('b'), &Order::Feint { units: among.to_vec() });
        if among.len() > 1 {
            let note = |unit: UnitId| {
                let at = troops(field, unit).charge.as_ref().map(|charge| voice::unit(field, charge.at));
                format!("breaks off its charge at {}", at.unwrap_or("the enemy"))
            };
            self.subset("Choose who breaks off", among, note, json!({ "feint": { "units": "$plan" } }));
        }
    }

    /// Who holds his cover after a fight.
    pub fn assaults(&mut self, stay: &[UnitId], follow: &[UnitId]) {
        let both = Order::Assault { stay: stay.to_vec(), decline: follow.to_vec() };
        self.button("Everybody holds his cover", Some('h'), &both);
        if !stay.is_empty() && !follow.is_empty() {
            let stays = Order::Assault { stay: stay.to_vec(), decline: Vec::new() };
            self.button("Nobody is driven out, victors follow", None, &stays);
            let declines = Order::Assault { stay: Vec::new(), decline: follow.to_vec() };
            self.button("The beaten fall back, victors stay", None, &declines);
        }
        if stay.len() > 1 {
            let note = |_| "stays if it is beaten".to_owned();
            self.subset("Choose who is not driven out", stay, note, json!({ "assault": { "stay": "$plan" } }));
        }
        if follow.len() > 1 {
            let note = |_| "stays if it wins".to_owned();
            self.subset("Choose who does not follow", follow, note, json!({ "assault": { "decline": "$plan" } }));
        }
        self.button("Nobody: take what comes", Some('e'), &Order::Pass);
    }

    /// Wheels towards other enemies.
    pub fn going_on(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let most = assault::reach_of(field, unit);
        let wheels = most.map(|most| assault::moves::wheels(field, unit, most)).unwrap_or_default();
        for by in wheels {
            let degrees = by.signed();
            let flank = if degrees < 0 { "left" } else { "right" };
            let label = format!("Wheel to the {flank} by {}°, then on", degrees.abs() / 1000);
            self.press(unit, label, &Order::GoOn { by });
        }
        self.button_of(unit, "Straight on", Some('e'), &Order::Pass);
    }

    /// Units given up.
    pub fn surrenders(&mut self, units: &[UnitId]) {
        let field: &'v Field = self.view;
        let own: Vec<UnitId> = units.iter().copied().filter(|unit| field.side_of(*unit) == self.side).collect();
        self.button("Fight on", Some('e'), &Order::Pass);
        let note = |unit: UnitId| match is_routing(field, unit) {
            true => "runs".to_owned(),
            false => format!("{} left", voice::count(field::strength(field, unit) as usize, "stand")),
        };
        self.subset("Choose who surrenders", &own, note, json!({ "surrender": { "units": "$plan" } }));
    }
}
