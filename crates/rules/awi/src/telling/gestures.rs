//! Gestures with complete drafts for the two long questions: who moves, and who fires. Only what the rules do not
//! refuse outright is offered; how far anything is plays no part in it (E.2).

use super::Offer;
use super::phrase::order_word;
use super::voice;
use crate::charge;
use crate::field::{Field, facts, flag, in_arc, is_engaged, soldiers, touching_enemies, troops};
use crate::fire;
use crate::movement;
use crate::officers;
use crate::order::{Decision, Going, Order, Piece};
use crate::unit::{Arm, Class, Formation};
use book::telling::offer::blank;
use engine::scene::Gesture;
use engine::{CommanderId, UnitId, Verdict};
use table::terrain::TerrainKind;
use table::{Angle, Length, Point};

impl<'v> Offer<'v, '_> {
    /// A path to be drawn, once alone and once for each officer who could ride along.
    pub fn draw(&mut self, label: &str, unit: UnitId, allowance: Length, make: impl Fn(Vec<CommanderId>) -> Order) {
        let alone = std::iter::once(None);
        for rider in alone.chain(officers::companions(self.view, unit).map(Some).collect::<Vec<_>>()) {
            let draft = blank(self.draft(&make(rider.into_iter().collect())), "legs", "$legs");
            let with = rider.map(|id| format!(" with {}", voice::commander(self.view, id))).unwrap_or_default();
            let label = format!("{label}{with}");
            let key = self.key(unit);
            self.gestures.push(Gesture::DrawPath { label, unit: key, allowance, draft });
        }
    }

    /// Every way to use the Movement part.
    pub fn activations(&mut self) {
        let field: &'v Field = self.view;
        for unit in troops(field, self.side).map(|(id, _)| id) {
            self.activation(unit);
        }
        let riders: Vec<CommanderId> =
            field.muster().commander_ids().filter(|id| movement::may_ride(field, self.side, *id)).collect();
        for commander in riders {
            let draft = self.draft(&Order::Ride { commander, to: Point::default() });
            let reach = movement::commander_move(field);
            let key = self.key(commander);
            self.point_at("Ride".to_owned(), key, reach, blank(draft, "to", "$point"));
        }
    }

    /// Every programme of one unit.
    fn activation(&mut self, unit: UnitId) {
        if !movement::may_act(self.view, unit) {
            return;
        }
        if is_engaged(self.view, unit) {
            self.in_melee(unit);
        } else {
            self.moves(unit);
            self.charges(unit);
            self.shots(unit, true);
            self.formations(unit);
            self.button_if(unit, "Load", 'l', &Order::Load { unit });
        }
        self.button_of(unit, "Hold", Some('h'), &Order::Hold { unit });
    }

    fn in_melee(&mut self, unit: UnitId) {
        self.button_if(unit, "Break off", 'b', &Order::BreakOff { unit, half: false });
        self.button_if(unit, "Break off by half, then fire", 'f', &Order::BreakOff { unit, half: true });
        let enemies = touching_enemies(self.view, unit);
        let able = enemies.iter().filter(|face| self.allows(&Order::TurnInMelee { unit, face: **face }));
        let at: Vec<String> = able.map(|id| self.key(id)).collect();
        let draft = blank(self.draft(&Order::TurnInMelee { unit, face: unit }), "face", "$target");
        let key = self.key(unit);
        self.target("Turn to face", key, at, draft);
    }

    fn moves(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let raw = facts(field, unit).class == Class::Raw;
        let order = |half: bool, by_road: bool, with: Vec<CommanderId>| Order::Move {
            unit,
            half,
            by_road,
            legs: Vec::new(),
            with,
        };
        if movement::throws_for_move(field, unit, false) {
            self.button_if(unit, "Move, by the dice", 'm', &order(false, false, Vec::new()));
            self.button_if(unit, "Half move by the dice, then fire", 'a', &order(true, false, Vec::new()));
            return;
        }
        for (half, going, label) in [(false, Going::Full, "Move"), (true, Going::Half, "Half move, then fire")] {
            let allowance = movement::certain_allowance(field, unit, going).anywhere;
            if allowance > Length::ZERO && !(half && raw) {
                self.draw(label, unit, allowance, |with| order(half, false, with));
            }
        }
        let roads = field.ground().features.iter().any(|f| matches!(f.kind, TerrainKind::Road | TerrainKind::Track));
        if roads && field.unit(unit).body.formation == Formation::Limbered {
            self.button_if(unit, "Move by the road, by the dice", 'r', &order(false, true, Vec::new()));
        }
    }

    fn charges(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        if facts(field, unit).arm == Arm::Artillery {
            return;
        }
        let pivot = Angle::whole(field.charts().charge.pivot.value.get());
        let facing = field.unit(unit).pose().facing;
        let order = |at: UnitId, with: Vec<CommanderId>| Order::Charge { unit, at, bearing: None, with };
        let ahead = |at: UnitId| charge::path(field, unit, at, None).start.facing.apart(facing) <= pivot;
        let enemies = troops(field, self.side.other()).map(|(id, _)| id);
        let able = enemies.filter(|at| ahead(*at) && self.allows(&order(*at, Vec::new())));
        let at: Vec<String> = able.map(|id| self.key(id)).collect();
        let alone = std::iter::once(None);
        for rider in alone.chain(officers::companions(field, unit).map(Some).collect::<Vec<_>>()) {
            let draft = blank(self.draft(&order(unit, rider.into_iter().collect())), "at", "$target");
            let with = rider.map(|id| format!(" with {}", voice::commander(field, id))).unwrap_or_default();
            let key = self.key(unit);
            self.target(format!("Charge{with}"), key, at.clone(), draft);
        }
    }

    /// Shots of a unit: in the Movement part as the first half of fire and move.
    fn shots(&mut self, unit: UnitId, then_move: bool) {
        let field: &'v Field = self.view;
        if !fire::can_fire(field, unit) {
            return;
        }
        let has_grape = fire::is_battery(field, unit) && soldiers(field, unit).grape_left > 0;
        for grape in [false, true].into_iter().take(1 + usize::from(has_grape)) {
            let order = |at: UnitId| match then_move {
                true => Order::FireThenMove { unit, at, grape },
                false => Order::Fire { unit, at, grape },
            };
            let enemies = troops(field, self.side.other()).map(|(id, _)| id);
            let able = enemies.filter(|at| in_arc(field, unit, flag(field, *at)) && self.allows(&order(*at)));
            let at: Vec<String> = able.map(|id| self.key(id)).collect();
            let draft = blank(self.draft(&order(unit)), "at", "$target");
            let label = match (then_move, grape) {
                (true, false) => "Fire, then half move",
                (true, true) => "Grapeshot, then half move",
                (false, false) => "Fire",
                (false, true) => "Grapeshot",
            };
            let key = self.key(unit);
            self.target(label, key, at, draft);
        }
    }

    fn formations(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let now = field.unit(unit).body.formation;
        if facts(field, unit).arm == Arm::Artillery {
            let (order, label, into) = if now == Formation::Limbered {
                (Order::Unlimber { unit, facing: None }, "Unlimber", Formation::Unlimbered)
            } else {
                (Order::Limber { unit, facing: None }, "Limber up", Formation::Limbered)
            };
            self.button_if(unit, label, 'u', &order);
            let draft = blank(self.draft(&order), "facing", "$facing");
            let key = self.key(unit);
            self.gestures.push(Gesture::PickFormation {
                label: format!("{label}, facing"),
                unit: key,
                into: vec![into.word().to_owned()],
                draft,
            });
            return;
        }
        let others: Vec<Formation> = facts(field, unit).formations().iter().copied().filter(|f| *f != now).collect();
        let order = |formation, to_fire| Order::Reform { unit, formation, facing: None, to_fire };
        let into: Vec<String> = others.iter().map(|formation| formation.word().to_owned()).collect();
        let draft = blank(blank(self.draft(&order(now, false)), "formation", "$formation"), "facing", "$facing");
        if !into.is_empty() {
            let key = self.key(unit);
            self.gestures.push(Gesture::PickFormation { label: "Change formation".to_owned(), unit: key, into, draft });
        }
        for (formation, key) in others.into_iter().zip(['f', 'g']) {
            let label = format!("Form {}, then stand and fire", order_word(formation));
            self.button_if(unit, label, key, &order(formation, true));
        }
    }

    /// Every way to use the Firing part.
    pub fn firing(&mut self) {
        let field: &'v Field = self.view;
        for unit in field.present(self.side).map(|(id, _)| id) {
            self.firing_of(unit);
        }
    }

    /// Every shot of one unit in the Firing part.
    fn firing_of(&mut self, unit: UnitId) {
        let mut idle = Verdict::fine();
        fire::check_task(self.view, unit, &mut idle);
        if !facts(self.view, unit).is_troops() {
            self.snipes(unit);
        } else if idle.is_legal() {
            self.shots(unit, false);
            self.shells(unit);
        }
    }

    /// What one unit may do in answer to the question.
    pub fn of_unit(&mut self, unit: UnitId) {
        match &self.asked.decision {
            Decision::Activate => self.activation(unit),
            Decision::Fire => self.firing_of(unit),
            _ => {}
        }
    }

    fn shells(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let estimate = field.charts().shell.estimate_min.value.0;
        let order = Order::Shell { unit, bearing: field.unit(unit).pose().facing, estimate };
        if facts(field, unit).shell && self.allows(&order) {
            let draft = blank(blank(self.draft(&order), "bearing", "$bearing"), "estimate", "$distance");
            let label = "Shell".to_owned();
            let (at, unit) = (Vec::new(), self.key(unit));
            self.gestures.push(Gesture::LayBlocks { label, unit, at, count: None, length: None, width: None, draft });
        }
    }

    fn snipes(&mut self, unit: UnitId) {
        let field: &'v Field = self.view;
        let units = troops(field, self.side.other()).map(|(id, _)| Piece::Unit(id));
        let able = |piece: &Piece| self.allows(&Order::Snipe { unit, at: *piece });
        let at: Vec<String> = units.filter(able).map(|piece| self.piece_key(piece)).collect();
        let riders = field.commanders().filter(|(id, _)| field.muster().commander(*id).side != self.side);
        let riders = riders.map(|(id, _)| Piece::Commander(id)).filter(able);
        let officers: Vec<String> = riders.map(|piece| self.piece_key(piece)).collect();
        let draft = self.draft(&Order::Snipe { unit, at: Piece::Unit(unit) });
        let key = self.key(unit);
        self.target("Aim at a unit", key, at, blank(draft.clone(), "at", serde_json::json!({ "unit": "$target" })));
        let key = self.key(unit);
        self.target(
            "Aim at a commander",
            key,
            officers,
            blank(draft, "at", serde_json::json!({ "commander": "$target" })),
        );
    }

    /// A unit or commander as drafts and scenes name it.
    pub fn piece_key(&self, piece: Piece) -> String {
        match piece {
            Piece::Unit(id) => self.key(id),
            Piece::Commander(id) => self.key(id),
        }
    }
}
