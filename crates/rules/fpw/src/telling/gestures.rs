//! Gestures with complete drafts for the long questions: setting up, initiative, command and the generals. Only what
//! the rules do not refuse outright is offered.

use super::Offer;
use crate::command;
use crate::field::{Field, facts, formation, known, soldiers, surely_beyond, troops};
use crate::fire;
use crate::generals;
use crate::initiative;
use crate::movement;
use crate::odds_command;
use crate::order::{Aim, Decision, Order, Shot, Step, Target, What};
use crate::unit::{Arm, Formation};
use book::telling::offer::blank;
use book::telling::voice;
use engine::scene::{Gesture, PlanKind};
use engine::{CommanderId, UnitId};
use serde_json::{Value, json};
use table::{Length, Point};

/// What may be ordered of a unit or brigade by one press, with its key.
const BY_PRESS: [(What, &str, char); 6] = [
    (What::Move, "Move", 'm'),
    (What::ByRoad, "March by road", 'b'),
    (What::Reform, "Reform", 'r'),
    (What::Charge, "Charge", 'c'),
    (What::Fire, "Fire", 'f'),
    (What::Scout, "Scout freely", 's'),
];

/// The units among shots, each with how many of its stands fire.
pub fn stands_of(shots: &[Shot]) -> Vec<(UnitId, usize)> {
    let mut units: Vec<(UnitId, usize)> = Vec::new();
    for shot in shots {
        match units.iter_mut().find(|(unit, _)| *unit == shot.unit) {
            Some((_, count)) => *count += 1,
            None => units.push((shot.unit, 1)),
        }
    }
    units
}

fn limbering(unit: UnitId) -> Step {
    Step { unit, formation: Some(Formation::Limbered), facing: None, after: false, legs: Vec::new() }
}

fn unlimbering(unit: UnitId) -> Step {
    Step { unit, formation: Some(Formation::Deployed), facing: None, after: true, legs: Vec::new() }
}

impl<'v> Offer<'v, '_> {
    /// The plan is the whole set-up: `{ "units": […], "commanders": […] }`. A zone of one unit alone is shown with those
    /// of the side; who may stand in it the check tells.
    pub fn set_up(&mut self, entering: bool) {
        let field: &'v Field = self.view;
        let (side, muster, turn) = (self.side, field.muster(), field.turn());
        let due = |enters: Option<u16>| match (entering, enters) {
            (true, Some(when)) => when <= turn,
            (false, None) => true,
            _ => false,
        };
        let waits = |id: &UnitId| {
            let there = field.unit(*id).is_present() || field.unit(*id).whereabouts == engine::Whereabouts::Gone;
            field.side_of(*id) == side && due(facts(field, *id).enters) && !(entering && there)
        };
        let units: Vec<UnitId> = muster.unit_ids().filter(|id| waits(id) && !facts(field, *id).is_scout()).collect();
        let riders = muster.commander_ids().filter(|id| {
            let card = muster.commander(*id);
            card.side == side && due(card.facts.enters) && !(entering && field.commander(*id).is_present())
        });
        let mut zones = if entering { Vec::new() } else { muster.sides[side].zones.clone() };
        for zone in units.iter().flat_map(|id| &facts(field, *id).zones) {
            if !zones.contains(zone) {
                zones.push(*zone);
            }
        }
        if zones.is_empty() {
            zones.clone_from(&muster.sides[side].zones);
        }
        let words = |id: &UnitId| {
            let shapes = facts(field, *id).formations(soldiers(field, *id).count());
            shapes.iter().map(|one| one.word().to_owned()).collect()
        };
        let of_units = units.iter().map(|id| (self.key(id), words(id)));
        let formations: Vec<(String, Vec<String>)> =
            of_units.chain(riders.map(|id| (self.key(id), Vec::new()))).collect();
        let pieces = formations.iter().map(|(key, _)| key.clone()).collect();
        self.gestures.push(Gesture::Plan {
            label: if entering { "Bring them on" } else { "Set the troops up" }.to_owned(),
            kind: PlanKind::Place { formations, zones },
            pieces,
            draft: json!({ "deploy": "$plan" }),
        });
        self.button("As the scenario places them", Some('e'), &Order::Pass);
        if !entering && field.settings().scouting {
            self.scouting(&units);
        }
    }

    fn scouting(&mut self, units: &[UnitId]) {
        let field: &'v Field = self.view;
        for unit in units.iter().copied().filter(|id| facts(field, *id).arm == Arm::Cavalry) {
            let order = Order::Deploy { units: Vec::new(), commanders: Vec::new(), scouts: vec![unit] };
            if self.allows(&order) {
                let label =
                    format!("{} ride out in patrols, the rest as the scenario places them", voice::unit(field, unit));
                self.button(label, None, &order);
            }
        }
    }

    /// One among several units.
    pub fn pick_unit(&mut self, label: &str, units: &[UnitId], order: impl Fn(UnitId) -> Order) {
        if let Some(unit) = units.first() {
            let draft = blank(self.draft(&order(*unit)), "unit", "$piece");
            self.pick(label, units, draft);
        }
    }

    /// What one unit may do in answer to the question.
    pub fn of_unit(&mut self, unit: UnitId) {
        match &self.asked.decision {
            Decision::Initiative => self.initiative(unit),
            Decision::Command { .. } => self.commands_to(unit),
            Decision::March { units, going } if units.contains(&unit) => self.marches_of(&[unit], *going),
            Decision::Charges { units } if units.contains(&unit) => self.charges(&[unit]),
            Decision::Shots { units } if units.contains(&unit) => self.shots(&[unit]),
            Decision::Reaction { able, .. } => {
                let own: Vec<Shot> = able.iter().copied().filter(|shot| shot.unit == unit).collect();
                self.fire_alone(&own);
            }
            _ => {}
        }
    }

    /// Every unit that may act without orders.
    pub fn initiatives(&mut self) {
        let field: &'v Field = self.view;
        for unit in troops(field, self.side).map(|(id, _)| id) {
            self.initiative(unit);
        }
    }

    fn initiative(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let (facts, own, now) = (facts(field, unit), soldiers(field, unit), formation(field, unit));
        if !initiative::may_act(field, unit) || own.host.is_some() {
            return;
        }
        if facts.is_scout() {
            let draft = blank(self.draft(&Order::Scout { unit, legs: Vec::new() }), "legs", "$legs");
            return self.path("Scout", unit, field.charts().pace.scout.value.0, draft);
        }
        let half = movement::formed(field, movement::full_pace(field, unit));
        match (facts.arm, now) {
            (Arm::Infantry, Formation::March) => self.reforms(unit, half, true, |step| step_of("reform", &step)),
            (_, Formation::Deployed) => {
                let draft = blank(self.draft(&Order::LimberBack(limbering(unit))), "legs", "$legs");
                self.path("Limber up and go back", unit, half, draft);
            }
            (_, Formation::Limbered) => {
                self.button_if(unit, "Unlimber", 'u', &Order::Unlimber { unit, facing: None });
                let draft = blank(self.draft(&Order::Unlimber { unit, facing: None }), "facing", "$facing");
                self.form("Unlimber, facing", unit, vec![Formation::Deployed.word().to_owned()], draft);
                let draft = blank(self.draft(&Order::HalfAndUnlimber(unlimbering(unit))), "legs", "$legs");
                self.path("Go half a move, then unlimber", unit, half, draft);
            }
            _ => {}
        }
        if !now.is_march() {
            self.button_if(unit, "Retire", 't', &Order::Retire { unit });
            let at = self.within_charge(unit, Order::Charge);
            let order = Order::Charge(Aim { unit, at: unit, wheel: None, bearing: None });
            let draft = blank(self.draft(&order), "at", "$target");
            let key = self.key(unit);
            self.target("Advance to contact", key, at, draft);
        }
    }

    /// Enemies a unit may advance on.
    pub fn within_charge(&self, unit: UnitId, order: impl Fn(Aim) -> Order) -> Vec<String> {
        let field: &'v Field = self.view;
        let reach = movement::full_pace(field, unit);
        let body = field.unit(unit).quad();
        let near = known(field, self.side.other()).filter(|(_, enemy)| !surely_beyond(body, enemy.quad(), reach));
        let able =
            near.map(|(id, _)| id).filter(|at| self.allows(&order(Aim { unit, at: *at, wheel: None, bearing: None })));
        able.map(|id| self.key(id)).collect()
    }

    /// A path to be drawn.
    pub fn path(&mut self, label: impl Into<String>, unit: UnitId, allowance: Length, draft: Value) {
        let key = self.key(unit);
        self.gestures.push(Gesture::DrawPath { label: label.into(), unit: key, allowance, draft });
    }

    /// A formation to be chosen.
    pub fn form(&mut self, label: impl Into<String>, unit: UnitId, into: Vec<String>, draft: Value) {
        let key = self.key(unit);
        self.gestures.push(Gesture::PickFormation { label: label.into(), unit: key, into, draft });
    }

    /// A change of formation or facing alone, with a move after it, or at the end of a move; `make` wraps the step.
    pub fn reforms(&mut self, unit: UnitId, half: Length, must_change: bool, make: impl Fn(Value) -> Value) {
        let field: &'v Field = self.view;
        let (now, key) = (formation(field, unit), self.key(unit));
        let shapes = facts(field, unit).formations(soldiers(field, unit).count());
        let mut into: Vec<Formation> = shapes.iter().copied().filter(|one| *one != now).collect();
        let others = into.clone();
        if !must_change {
            into.push(now);
        }
        let words = into.iter().map(|one| one.word().to_owned()).collect();
        let step = json!({ "unit": key, "formation": "$formation", "facing": "$facing", "legs": [] });
        self.form("Change formation or facing", unit, words, make(step));
        for shape in others {
            let form = super::phrase::formed(shape);
            let form = voice::sentence(&form);
            let form = form.trim_end_matches('.');
            if shape != Formation::Deployed {
                let step = json!({ "unit": key, "formation": shape.word(), "legs": "$legs" });
                self.path(format!("{form}, then go"), unit, half, make(step));
            }
            if now != Formation::Deployed {
                let step = json!({ "unit": key, "formation": shape.word(), "after": true, "legs": "$legs" });
                self.path(format!("Go, then {}", lowered(form)), unit, half, make(step));
            }
        }
        if now != Formation::Deployed && !must_change {
            self.path("Go, formation kept", unit, half, make(json!({ "unit": key, "legs": "$legs" })));
        }
    }

    /// Every order any general may give.
    pub fn commands(&mut self) {
        let field: &'v Field = self.view;
        for unit in troops(field, self.side).map(|(id, _)| id) {
            self.commands_to(unit);
        }
        for general in self.generals() {
            self.brigades_of(general);
            self.raises(general);
        }
    }

    /// Whether an order leads anywhere as things stand: somebody to charge, somebody to shoot at. The rules let a general
    /// order it all the same; nobody is tempted to.
    fn has_aim(&self, what: What, units: &[UnitId]) -> bool {
        let field: &'v Field = self.view;
        let near = |unit: &UnitId| {
            let (body, reach) = (field.unit(*unit).quad(), movement::full_pace(field, *unit));
            known(field, self.side.other()).any(|(_, enemy)| !surely_beyond(body, enemy.quad(), reach))
        };
        let aims = |unit: &UnitId| match facts(field, *unit).arm.is_artillery() {
            true => !fire::ordered_targets(field, *unit).is_empty(),
            false => !fire::shots_of(field, &Target { unit: *unit, at: None }).is_empty(),
        };
        match what {
            What::Charge => units.iter().any(near),
            What::Fire => units.iter().any(aims),
            _ => true,
        }
    }

    /// On a general's own card: what each of his brigades may be told to do.
    fn brigades_of(&mut self, general: CommanderId) {
        let field: &'v Field = self.view;
        for units in command::groups(field, general).into_iter().filter(|group| group.len() > 1) {
            let brigade = units.first().and_then(|unit| command::brigade(field, *unit));
            let Some(name) = brigade.map(|id| field.muster().command(id).name.as_str()) else { continue };
            for (what, label, _) in BY_PRESS {
                let order = Order::Command { general, what, units: units.clone() };
                if self.has_aim(what, &units) && self.allows(&order) {
                    let needs = odds_command::needs_of(field, general, what, &units);
                    self.button_of(general, format!("{name}: {} on {needs}", lowered(label)), None, &order);
                }
            }
        }
    }

    /// Generals who may still give orders, whoever gives them now first.
    fn generals(&self) -> Vec<CommanderId> {
        let field: &'v Field = self.view;
        let side = self.side;
        let ready = |id: &CommanderId| field.muster().commander(*id).side == side && field.commander(*id).is_present();
        let mut all: Vec<CommanderId> =
            field.muster().commander_ids().filter(ready).filter(|id| !field.commander(*id).own.done).collect();
        if let Decision::Command { current: Some(current) } = self.asked.decision {
            all.sort_by_key(|id| *id != current);
        }
        all
    }

    fn commands_to(&mut self, unit: UnitId) {
        let mut keys: Vec<char> = Vec::new();
        let mut first = true;
        let field: &'v Field = self.view;
        let held = command::holder(field, unit);
        // Whoever is held by one general alone is not offered to the others.
        let shared = facts(field, unit).independent || facts(field, unit).is_scout();
        for general in self.generals().into_iter().filter(|general| shared || held == Some(*general)) {
            let before = self.gestures.len();
            let name = if first { String::new() } else { format!(", by {}", voice::commander(self.view, general)) };
            for (what, label, key) in BY_PRESS {
                let order = Order::Command { general, what, units: vec![unit] };
                if self.has_aim(what, &[unit]) && self.allows(&order) {
                    let key = (!keys.contains(&key)).then_some(key);
                    keys.extend(key);
                    let needs = odds_command::needs_of(self.view, general, what, &[unit]);
                    self.button_of(unit, format!("{label}{name}: {needs}"), key, &order);
                }
            }
            self.brigade_commands(general, unit, &name, &mut keys);
            self.attachments(general, unit, &name);
            first &= self.gestures.len() == before;
        }
    }

    /// The same order for the whole brigade a unit stands with, on the card of each of its units.
    fn brigade_commands(&mut self, general: CommanderId, unit: UnitId, name: &str, keys: &mut Vec<char>) {
        let groups = command::groups(self.view, general);
        let Some(units) = groups.into_iter().find(|group| group.len() > 1 && group.contains(&unit)) else { return };
        for (what, label, key) in BY_PRESS {
            let order = Order::Command { general, what, units: units.clone() };
            if self.has_aim(what, &units) && self.allows(&order) {
                let key = Some(key.to_ascii_uppercase()).filter(|key| !keys.contains(key));
                keys.extend(key);
                let needs = odds_command::needs_of(self.view, general, what, &units);
                let label = format!("{label} the brigade, {}{name}: {needs}", voice::count(units.len(), "unit"));
                self.button_of(unit, label, key, &order);
            }
        }
    }

    /// Joining an independent stand to a unit, and on the card of the unit it has joined, parting with it again.
    fn attachments(&mut self, general: CommanderId, stand: UnitId, name: &str) {
        let field: &'v Field = self.view;
        if let Some(guest) = soldiers(field, stand).guest {
            let part = Order::Command { general, what: What::Detach, units: vec![stand] };
            if self.allows(&part) {
                let needs = odds_command::needs_of(field, general, What::Detach, &[stand]);
                let label = format!("Part with {}{name}: {needs}", voice::unit(field, guest));
                self.button_of(stand, label, None, &part);
            }
        }
        if !facts(field, stand).independent {
            return;
        }
        let order = |host: UnitId| Order::Command { general, what: What::Attach(host), units: vec![stand] };
        let hosts = troops(field, self.side).map(|(id, _)| id).filter(|host| *host != stand);
        let hosts: Vec<String> = hosts.filter(|host| self.allows(&order(*host))).map(|id| self.key(id)).collect();
        let draft = blank(self.draft(&order(stand)), "what", json!({ "attach": "$target" }));
        let key = self.key(stand);
        self.target(format!("Join a unit{name}"), key, hosts, draft);
    }

    fn raises(&mut self, general: CommanderId) {
        let field: &'v Field = self.view;
        let order = |who: CommanderId| Order::Raise { general, who };
        let side = self.side;
        let below = field.muster().commander_ids().filter(|id| *id != general);
        let below = below.filter(|id| field.muster().commander(*id).side == side);
        let able: Vec<String> = below.filter(|who| self.allows(&order(*who))).map(|id| self.key(id)).collect();
        let draft = blank(self.draft(&order(general)), "who", "$target");
        let key = self.key(general);
        self.target("Put heart into a general", key, able, draft);
    }

    /// Where the generals may ride.
    pub fn rides(&mut self) {
        let field: &'v Field = self.view;
        let side = self.side;
        let ours = |id: &CommanderId| field.muster().commander(*id).side == side && field.commander(*id).is_present();
        let riders: Vec<CommanderId> =
            field.muster().commander_ids().filter(ours).filter(|id| !field.commander(*id).own.rode).collect();
        for commander in riders {
            let draft = blank(self.draft(&Order::Ride { commander, to: Point::default() }), "to", "$point");
            let key = self.key(commander);
            self.point_at("Ride".to_owned(), key, generals::reach(field), draft);
            let order = |unit: UnitId| Order::Join { commander, unit };
            let units = troops(field, side).map(|(id, _)| id).filter(|unit| self.allows(&order(*unit)));
            let units: Vec<UnitId> = units.collect();
            if let Some(unit) = units.first() {
                let at = units.iter().map(|id| self.key(id)).collect();
                let draft = blank(self.draft(&order(*unit)), "unit", "$target");
                let key = self.key(commander);
                self.target("Lead a unit", key, at, draft);
            }
            let leave = Order::Leave { commander };
            if field.commander(commander).own.attached.is_some() && self.allows(&leave) {
                self.button_of(commander, "Leave his unit", Some('l'), &leave);
            }
        }
    }
}

/// A step as the whole of an order.
pub fn step_of(order: &str, step: &Value) -> Value {
    json!({ order: step })
}

/// A label after a comma begins small.
fn lowered(label: &str) -> String {
    let mut letters = label.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
