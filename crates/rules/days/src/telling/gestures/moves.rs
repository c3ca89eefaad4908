//! Gestures of one move after another: paths to be drawn, formations to be chosen, presses for the rest.

use super::super::Offer;
use crate::candidates;
use crate::charts::reach;
use crate::detachment;
use crate::evolution;
use crate::field::{self, Field, facts, formation, is_hidden, is_mounted, troops};
use crate::formation::{Bend, Formation, Shape};
use crate::ground;
use crate::movement::limits;
use crate::order::{ForcedMarch, Order, Step};
use crate::unit::{Arm, Crest, Part, Task};
use book::telling::voice;
use engine::{CommandId, CommanderId, FeatureId, UnitId};
use serde_json::{Value, json};
use table::march::Leg;
use table::terrain::TerrainKind;
use table::{Length, Point};

/// By so many degrees wings are offered to be drawn back; other bends can be written.
const REFUSED: i8 = 30;

/// A march of these steps.
fn march(unit: &str, steps: Value) -> Value {
    json!({ "march": { "unit": unit, "steps": steps } })
}

/// A formation as a label says it.
pub fn form_words(to: Formation) -> String {
    match to.shape {
        Shape::March if to.files == 1 => "a single file".to_owned(),
        Shape::March => "march column".to_owned(),
        Shape::Manoeuvre => "manoeuvre column".to_owned(),
        Shape::Skirmish => "skirmish order".to_owned(),
        shape => shape.word().to_owned(),
    }
}

impl<'v> Offer<'v, '_> {
    /// Everything anybody may still do.
    pub fn moves(&mut self) {
        let field: &'v Field = self.view;
        let side = self.side;
        for unit in field.muster().unit_ids().filter(|id| field.side_of(*id) == side) {
            self.moves_of(unit);
        }
        for general in candidates::riders(field, self.side) {
            self.rides(general);
        }
        self.forced_marches();
        self.button("No more moves", Some('e'), &Order::Pass);
    }

    fn moves_of(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let (own, there) = (facts(field, unit), field.unit(unit).is_present());
        if there && is_hidden(field.unit(unit)) {
            self.press(unit, "Show itself", &Order::Reveal { unit });
            return;
        }
        if limits::may_return(field, unit) {
            self.press(unit, "Come back onto the table", &Order::Return { unit });
            return;
        }
        if there && own.arm == Arm::Engineers {
            self.engineers(unit);
        }
        if there {
            self.small_moves(unit);
        }
        if !limits::may_move(field, unit) {
            return;
        }
        if field::is_battery(field, unit) {
            self.guns(unit);
        } else {
            self.marches(unit);
        }
    }

    /// A path, a formation, or both.
    fn marches(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let (key, now) = (self.key(unit), formation(field, unit));
        let mounted = is_mounted(field, unit);
        let waits = limits::waits(field, unit);
        let column = if waits { crate::arrival::column_of(facts(field, unit).arm) } else { now };
        let pace = evolution::allowance(field, unit, column, mounted);
        let road = reach(evolution::pace(field, unit, column).road);
        let label = if waits { "March on" } else { "March" };
        self.path(label, &key, pace.max(road), march(&key, json!([{ "march": "$legs" }])));
        if waits {
            return;
        }
        self.at_the_crest(unit, pace);
        for (label, leg) in [
            ("Turn to the right", Leg::Turn(table::Angle::EAST)),
            ("Turn to the left", Leg::Turn(table::Angle::WEST)),
            ("Face about", Leg::About),
        ] {
            self.press(unit, label, &Order::March { unit, steps: vec![Step::March(vec![leg])], crest: None });
        }
        let mut words = Vec::new();
        let reformed = troops(field, unit).turn.reformed;
        for to in evolution::choices(field, unit).into_iter().filter(|_| !reformed) {
            words.push(to.to_string());
            let Some(cost) = evolution::cost(field, unit, to) else { continue };
            let left = evolution::allowance(field, unit, to, mounted).max(pace) - cost;
            if cost < pace && left > Length::ZERO {
                let (name, word) = (form_words(to), to.to_string());
                let steps = json!([{ "form": word }, { "march": "$legs" }]);
                self.path(format!("Form {name}, then march"), &key, left, march(&key, steps));
                let steps = json!([{ "march": "$legs" }, { "form": word }]);
                self.path(format!("March, then form {name}"), &key, pace - cost, march(&key, steps));
            }
        }
        self.form("Change formation", unit, words, march(&key, json!([{ "form": "$formation" }])));
        if now.shape == Shape::Line && !mounted && !reformed {
            self.bends(unit);
        }
    }

    /// A line with a third of its stands drawn back at one end, or at both.
    fn bends(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let count = field::count(field, unit);
        let third = count / 3;
        if third < 2 {
            return;
        }
        let joint = |after: u8| Bend { after, by: REFUSED };
        let (left, right) = (joint(third), joint(count - third));
        for (label, bends) in [
            ("Draw the left wing back", vec![left]),
            ("Draw the right wing back", vec![right]),
            ("Draw both wings back", vec![left, right]),
        ] {
            let mut to = Formation::usual(Shape::Line);
            to.bends.iter_mut().zip(bends).for_each(|(slot, bend)| *slot = bend);
            if to != formation(field, unit) {
                self.press(unit, label, &Order::March { unit, steps: vec![Step::Form(to)], crest: None });
            }
        }
    }

    /// Where a crest is near a unit says on which side of it it stays.
    fn at_the_crest(&mut self, unit: UnitId, pace: Length) {
        let field: &'v Field = self.view;
        let place = field.unit(unit).quad().centre;
        let near = |(from, to): (table::Vec2, table::Vec2)| {
            let way = to - from;
            let along = ((place - from).dot(way) / way.length_squared().max(1.0)).clamp(0.0, 1.0);
            (from + way * along).distance(place) <= pace.as_f64() + field.unit(unit).quad().radius
        };
        if !ground::crest_lines(field).any(near) {
            return;
        }
        let key = self.key(unit);
        for (label, crest) in
            [("March, and keep behind the crest", Crest::Behind), ("March, and stand over the crest", Crest::Over)]
        {
            let steps = json!([{ "march": "$legs" }]);
            let draft = json!({ "march": { "unit": key, "steps": steps, "crest": crest.word() } });
            self.path(label, &key, pace, draft);
        }
    }

    /// Guns limbered, driven, brought into action; crews shared out.
    fn guns(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let key = self.key(unit);
        let order = |steps| Order::March { unit, steps, crest: None };
        if limits::waits(field, unit) {
            let column = crate::arrival::column_of(facts(field, unit).arm);
            let pace = evolution::allowance(field, unit, column, false);
            let pace = pace.max(reach(evolution::pace(field, unit, column).road));
            self.path("Drive on", &key, pace, march(&key, json!([{ "march": "$legs" }])));
        } else if field::is_limbered(field, unit) {
            let pace = evolution::allowance(field, unit, formation(field, unit), false);
            let pace = pace.max(reach(evolution::pace(field, unit, formation(field, unit)).road));
            self.path("Drive", &key, pace, march(&key, json!([{ "march": "$legs" }])));
            for (shape, how) in [(Shape::Deployed, "into action"), (Shape::Massed, "into action, massed")] {
                if self.press(unit, format!("Bring the guns {how}"), &order(vec![Step::Unlimber(shape)])) {
                    let steps = json!([{ "march": "$legs" }, { "unlimber": shape.word() }]);
                    self.path(format!("Drive, then {how}"), &key, pace, march(&key, steps));
                }
            }
        } else {
            let limbered = Formation::usual(Shape::Limbered);
            let pace = evolution::allowance(field, unit, limbered, false);
            if self.press(unit, "Limber up", &order(vec![Step::Limber])) {
                let steps = json!(["limber", { "march": "$legs" }]);
                self.path("Limber up, then drive", &key, pace, march(&key, steps));
            }
            let push = evolution::allowance(field, unit, formation(field, unit), false);
            if push > Length::ZERO && limits::can_push(field, unit) {
                self.path("Push the guns", &key, push, march(&key, json!([{ "march": "$legs" }])));
            }
        }
    }

    /// Men sent out or taken in, saddles, the ground, fords, barricades, gunners.
    fn small_moves(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let own = facts(field, unit);
        match own.part {
            Some((Part::Crew, battery)) => {
                self.press(unit, "Back to the guns", &Order::Man { battery });
            }
            Some((Part::Screen, _)) => {
                self.press(unit, "Join the unit again", &Order::Recall { unit });
            }
            _ => {}
        }
        if own.is_battery() && own.part.is_none() {
            self.press(unit, "Gunners back to the guns", &Order::Man { battery: unit });
            self.crews(unit);
            return;
        }
        if own.part.is_none() && own.arm == Arm::Infantry {
            let most = detachment::screen::most(field, unit);
            let mut few: Vec<u8> = vec![most, most / 2];
            few.retain(|stands| *stands > 0);
            few.dedup();
            for stands in few {
                let label = format!("Send out {} as skirmishers", voice::count(usize::from(stands), "stand"));
                self.press(unit, label, &Order::Screen { unit, stands, pose: None });
            }
            self.press(unit, "Take the skirmishers in", &Order::Recall { unit });
            self.press(unit, "Lie down", &Order::ToGround { unit });
            self.press(unit, "Build a barricade", &Order::Work { unit, task: Task::Barricade });
        }
        if own.part.is_none() && own.arm == Arm::Cavalry {
            let order = |step| Order::March { unit, steps: vec![step], crest: None };
            self.press(unit, "Mount", &order(Step::Mount));
            for shape in [Shape::Skirmish, Shape::Line] {
                let to = Formation::usual(shape);
                self.press(unit, format!("Dismount in {}", form_words(to)), &order(Step::Dismount(to)));
            }
        }
        let body = field.unit(unit).quad();
        for (river, feature) in self.features().filter(|(_, it)| it.kind == TerrainKind::River) {
            if feature.shape.gap_to(body) <= body.radius {
                let label = format!("Look for a ford over {}", voice::feature(field, river));
                self.press(unit, label, &Order::SearchFord { unit, river });
            }
        }
    }

    fn features(&self) -> impl Iterator<Item = (FeatureId, &'v table::terrain::Feature)> + use<'v> {
        let field: &'v Field = self.view;
        let all = field.ground().features.iter().enumerate();
        all.filter_map(|(no, feature)| u16::try_from(no).ok().map(|no| (FeatureId(no), feature)))
    }

    /// Crew shared out evenly among the guns.
    fn crews(&mut self, battery: UnitId) {
        let field: &'v Field = self.view;
        let guns = &troops(field, battery).guns;
        let (all, count) = (guns.iter().map(|gun| u32::from(gun.crew)).sum::<u32>(), guns.len() as u32);
        if count == 0 {
            return;
        }
        let even: Vec<u8> = (0..count).map(|no| (all / count + u32::from(no < all % count)) as u8).collect();
        if guns.iter().map(|gun| gun.crew).ne(even.iter().copied()) {
            self.press(battery, "Share the gunners out evenly", &Order::Regroup { battery, crew: even });
        }
    }

    /// Work for engineers, and whom they go with.
    fn engineers(&mut self, unit: UnitId) {
        use TerrainKind as K;
        let field: &'v Field = self.view;
        let body = field.unit(unit).quad();
        for (id, feature) in self.features().filter(|(_, it)| it.shape.gap_to(body) <= 2.0 * body.radius) {
            let name = voice::feature(field, id);
            match feature.kind {
                K::Bridge | K::Pontoon => {
                    let task = Task::Demolish { bridge: id };
                    self.press(unit, format!("Blow up {name}"), &Order::Work { unit, task });
                }
                K::Hedge | K::Fence | K::Wall | K::Abatis | K::Earthwork | K::Redoubt => {
                    let near = nearest_on(feature, body.centre);
                    let task = Task::Clear { obstacle: id, at: near };
                    self.press(unit, format!("Open a gap in {name}"), &Order::Work { unit, task });
                }
                K::River | K::Stream | K::Lake => {
                    if let Some(order) = candidates::span(field, unit, id, feature) {
                        self.press(unit, format!("Lay boats over {name}"), &order);
                    }
                }
                _ => {}
            }
        }
        let ledger = field.ledger();
        let near = |from: Point, to: Point| {
            let (place, _) = table::convex::nearest_points(&[from.vec(), to.vec()], body.points());
            Some(Point::from_vec(place)).filter(|_| place.distance(body.centre) <= 3.0 * body.radius)
        };
        for at in ledger.barriers.iter().filter_map(|barrier| near(barrier.from, barrier.to)) {
            self.press(unit, "Open a gap in the works", &Order::Work { unit, task: Task::Breach { at } });
        }
        for at in ledger.spans.iter().filter_map(|span| near(span.from, span.to)) {
            self.press(unit, "Blow up the boats", &Order::Work { unit, task: Task::Sever { at } });
        }
        self.press(unit, "Leave the unit", &Order::Attach { party: unit, to: None });
        let near = field.present(self.side).map(|(id, _)| id);
        let near = near.filter(|to| self.allows(&Order::Attach { party: unit, to: Some(*to) }));
        let at: Vec<String> = near.map(|id| self.key(id)).collect();
        let key = self.key(unit);
        self.target("Go with", key.clone(), at, json!({ "attach": { "party": key, "to": "$target" } }));
    }

    /// Where a general rides, and whom he joins.
    fn rides(&mut self, general: CommanderId) {
        let field: &'v Field = self.view;
        let key = self.key(general);
        let pace = reach(field.charts().pace.staff.normal);
        self.path("Ride", &key, pace, json!({ "ride": { "general": key, "to": "$point" } }));
        let here = field.commander(general).quad();
        let near = field.present(self.side).filter(|(_, unit)| !field::surely_beyond(here, unit.quad(), pace));
        let joins = near.map(|(id, _)| id).filter(|unit| self.allows(&Order::Join { general, unit: *unit }));
        let at: Vec<String> = joins.map(|id| self.key(id)).collect();
        self.target("Join", key.clone(), at, json!({ "join": { "general": key, "unit": "$target" } }));
    }

    /// Whole brigades in column, straight on as far as the slowest gets.
    fn forced_marches(&mut self) {
        let field: &'v Field = self.view;
        let side = self.side;
        let own = |id: &CommandId| field.muster().command(*id).side == side;
        for brigade in field.muster().command_ids().filter(own) {
            let units: Vec<UnitId> = field::members(field, brigade).filter(|id| field::is_there(field, *id)).collect();
            let far = |unit: &UnitId| reach(evolution::pace(field, *unit, formation(field, *unit)).forced);
            let Some(go) = units.iter().map(far).min().filter(|go| *go > Length::ZERO) else { continue };
            let marches =
                |go: Length| units.iter().map(|unit| ForcedMarch { unit: *unit, legs: vec![Leg::Ahead(go)] }).collect();
            let order = Order::ForcedMarch { brigade, marches: marches(go) };
            let leader = field.muster().command(brigade).commander;
            if self.allows(&order) {
                let name = voice::command(field, brigade);
                let label = format!("{name}: forced march straight on, {}", voice::inches(go));
                match leader {
                    Some(general) => self.button_of(general, label, None, &order),
                    None => self.button(label, None, &order),
                }
            }
        }
    }
}

/// The place of a line nearest to another place; the place itself beside an area.
fn nearest_on(feature: &table::terrain::Feature, to: table::Vec2) -> Point {
    let table::Outline::Line { points, .. } = feature.shape.outline() else { return Point::from_vec(to) };
    let feet = points.windows(2).filter_map(|pair| {
        let [from, end] = pair else { return None };
        let (from, way) = (from.vec(), end.vec() - from.vec());
        let along = ((to - from).dot(way) / way.length_squared().max(1.0)).clamp(0.0, 1.0);
        Some(from + way * along)
    });
    let nearest = feet.min_by(|a, b| a.distance(to).total_cmp(&b.distance(to)));
    Point::from_vec(nearest.unwrap_or(to))
}
