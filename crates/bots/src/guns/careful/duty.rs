//! What an activated brigade owes: half a move toward the enemy on the whole (R48), and not away from what it was sent
//! to (R50). Where some stay, others go farther; a plan that cannot be made good loses as little as it must, for the house
//! would take all of it back.

use super::scene::Scene;
use super::ways::placed;
use engine::{CommandId, UnitId};
use rules::guns::command;
use rules::guns::field::{brigade_units, facts, flinch_distance, forward};
use rules::guns::order::{Matter, Move, Step};
use rules::guns::plot;
use rules::guns::plot::space::Bodies;
use table::march::Leg;
use table::{Length, Point, Vec2};

/// Shares of what is missing that one unit tries to make up for.
const SHARES: [f64; 4] = [1.0, 0.75, 0.5, 0.25];

/// Wishes under which every brigade does what it owes, if that can be.
pub fn made_good(scene: &Scene<'_, '_>, wishes: Vec<Move>, bodies: &mut Bodies) -> Vec<Move> {
    let mut wishes = wishes;
    let short = plot::short_of_duty(scene.field(), scene.side, &wishes);
    if short.is_empty() {
        return wishes;
    }
    let dutiful = plot::dutiful(scene.field(), scene.side);
    for brigade in short {
        let mut plan = Plan { scene, brigade, wishes: &mut wishes };
        if !plan.owes_ground() {
            plan.stay_rather_than_go_back();
        }
        plan.go_on_for_others(bodies);
        plan.stay_rather_than_go_back();
        plan.turn_to_goal();
        plan.do_duty(&dutiful, false);
        plan.do_duty(&dutiful, true);
    }
    wishes
}

/// The wishes of one brigade among those of the side.
struct Plan<'a, 'v, 's> {
    scene: &'a Scene<'v, 's>,
    brigade: CommandId,
    wishes: &'a mut Vec<Move>,
}

impl Plan<'_, '_, '_> {
    fn units(&self) -> Vec<UnitId> {
        let field = self.scene.field();
        brigade_units(field, self.brigade).filter(|unit| field.unit(*unit).is_present()).collect()
    }

    /// Ground the brigade still owes.
    fn missing(&self) -> Length {
        let (need, given) = plot::duty(self.scene.field(), self.brigade, self.wishes);
        need - given
    }

    fn wish(&self, unit: UnitId) -> Option<&Move> {
        self.wishes.iter().find(|wish| is_march_of(wish, unit))
    }

    /// Where a unit ends, by its wish.
    fn end(&self, unit: UnitId) -> Vec2 {
        let field = self.scene.field();
        match self.wish(unit) {
            Some(Move::March { steps, .. }) if !steps.is_empty() => {
                let (_, _, pose, into) = plot::move_cost(field, unit, steps);
                field.footprint(unit, into).quad(pose).centre
            }
            _ => self.charge_end(unit).unwrap_or(field.unit(unit).quad().centre),
        }
    }

    /// Where its charge takes a unit, if it charges.
    fn charge_end(&self, unit: UnitId) -> Option<Vec2> {
        let field = self.scene.field();
        self.wishes.iter().find_map(|wish| match wish {
            Move::Charge { unit: id, at, legs, .. } if *id == unit => {
                let route = plot::charge::lay(field, unit, *at, legs, None).ok()?.route;
                Some(plot::duty::middle(field, unit, route.end_within()))
            }
            _ => None,
        })
    }

    /// Ground toward the enemy's baseline that a unit gains.
    fn gained(&self, unit: UnitId) -> Length {
        let field = self.scene.field();
        Length::from_um((self.end(unit) - field.unit(unit).quad().centre).dot(forward(field, self.scene.side)))
    }

    fn replace(&mut self, unit: UnitId, steps: Vec<Step>) {
        self.wishes.retain(|wish| !is_march_of(wish, unit) && !is_charge_of(wish, unit));
        self.wishes.push(Move::March { unit, steps, defend: None });
    }

    fn charges(&self, unit: UnitId) -> bool {
        self.wishes.iter().any(|wish| is_charge_of(wish, unit))
    }

    /// Whether the rules make a unit leave its column this bound.
    fn shakes_out(&self, unit: UnitId) -> bool {
        plot::limits::must_shake_out(self.scene.field(), unit, &self.scene.enemies).is_some()
    }

    fn is_posted(&self, unit: UnitId) -> bool {
        self.scene.plan.guarded_by(unit).is_some()
    }

    /// Whether the brigade owes any ground at all; one whose goal lies behind it owes none, but may not go back.
    fn owes_ground(&self) -> bool {
        plot::duty(self.scene.field(), self.brigade, self.wishes).0 > Length::ZERO
    }

    /// Those who take the brigade farthest from what it was sent to stay, until on the whole it does not leave it.
    fn turn_to_goal(&mut self) {
        let field = self.scene.field();
        for _ in 0..self.wishes.len() {
            let ends: Vec<(UnitId, Vec2)> = self.units().iter().map(|unit| (*unit, self.end(*unit))).collect();
            if command::drift(field, self.brigade, &ends).is_none() {
                return;
            }
            let stays = |held: UnitId| {
                let ends = ends.iter().map(|(id, end)| if *id == held { field.unit(*id).quad().centre } else { *end });
                away_from_goal(self.scene, self.brigade, ends)
            };
            // Marches are given up before charges.
            let moving = |charges: bool| {
                let moving = ends.iter().filter(|(id, end)| *end != field.unit(*id).quad().centre);
                let kind = moving.filter(|(id, _)| self.charges(*id) == charges && !self.shakes_out(*id));
                kind.map(|(id, _)| (stays(*id), *id)).min_by(|a, b| a.0.total_cmp(&b.0))
            };
            let Some((_, unit)) = moving(false).or_else(|| moving(true)) else { return };
            self.replace(unit, Vec::new());
        }
    }

    /// Comrades go on for those who stay: first whoever is farthest from the enemy, having the most room and the least
    /// to fear.
    fn go_on_for_others(&mut self, bodies: &mut Bodies) {
        let mut missing = self.missing();
        let mut spare: Vec<(Length, UnitId)> = self
            .units()
            .into_iter()
            .filter(|unit| self.may_go_on(*unit))
            .map(|unit| (self.scene.nearest(unit).map_or(Length::MAX, |(_, gap)| gap), unit))
            .collect();
        spare.sort_by(|a, b| b.cmp(a));
        for (gap, unit) in spare {
            if missing <= Length::ZERO {
                return;
            }
            let before = self.gained(unit);
            let Some(Move::March { steps, .. }) = go_on(self.scene, unit, before + missing, gap, bodies) else {
                continue;
            };
            let (_, _, pose, into) = plot::move_cost(self.scene.field(), unit, &steps);
            let field = self.scene.field();
            let to = field.footprint(unit, into).quad(pose).centre;
            let after = Length::from_um((to - field.unit(unit).quad().centre).dot(forward(field, self.scene.side)));
            if after > before {
                missing -= after - before;
                self.replace(unit, steps);
            }
        }
    }

    /// Whether a unit could go farther than it wishes to, for the sake of its brigade.
    fn may_go_on(&self, unit: UnitId) -> bool {
        let field = self.scene.field();
        let foot = !facts(field, unit).is_battery() && !facts(field, unit).screen;
        let free = !self.is_posted(unit) && self.scene.plan.errand_of(unit).is_none();
        let settles = matches!(self.wish(unit), Some(Move::March { defend: Some(_), .. }));
        foot && free
            && !settles
            && !self.charges(unit)
            && !self.shakes_out(unit)
            && plot::allowance(field, unit).is_ok()
    }

    /// Whoever would go back stays, the one who goes farthest first.
    fn stay_rather_than_go_back(&mut self) {
        while self.missing() > Length::ZERO {
            let units = self.units().into_iter().filter(|unit| !self.charges(*unit) && !self.shakes_out(*unit));
            let back = units.map(|unit| (self.gained(unit), unit)).min();
            let Some((_, unit)) = back.filter(|(gained, _)| *gained < Length::ZERO) else { return };
            self.replace(unit, Vec::new());
        }
    }

    /// Everybody does what duty asks after all; guards only when nothing else helps.
    fn do_duty(&mut self, dutiful: &[Move], guards: bool) {
        for unit in self.units() {
            if self.missing() <= Length::ZERO {
                return;
            }
            let duty = dutiful.iter().find(|one| is_march_of(one, unit));
            let Some(Move::March { steps, .. }) = duty else { continue };
            if self.charges(unit) || self.is_posted(unit) != guards {
                continue;
            }
            let (before, kept) = (self.gained(unit), self.wish(unit).cloned());
            self.replace(unit, steps.clone());
            if let Some(kept) = kept.filter(|_| self.gained(unit) <= before) {
                self.wishes.retain(|wish| !is_march_of(wish, unit));
                self.wishes.push(kept);
            }
        }
    }
}

/// How far the middle of a brigade that ends so would be from what its order names, in micrometres.
fn away_from_goal(scene: &Scene<'_, '_>, brigade: CommandId, ends: impl Iterator<Item = Vec2>) -> f64 {
    let field = scene.field();
    let (count, sum) = ends.fold((0.0, Vec2::ZERO), |(count, sum), end| (count + 1.0, sum + end));
    let middle = sum * (1.0 / f64::max(count, 1.0));
    match command::judge::standing(field, brigade).map(|order| order.objective) {
        Some(Matter::Point(point)) => point.vec().distance(middle),
        Some(Matter::Feature(feature)) => scene.feature(feature).map_or(0.0, |it| it.shape.distance(middle)),
        Some(Matter::Unit(unit)) => field.unit(unit).quad().centre.distance(middle),
        None => 0.0,
    }
}

fn is_march_of(wish: &Move, id: UnitId) -> bool {
    matches!(wish, Move::March { unit, .. } if *unit == id)
}

fn is_charge_of(wish: &Move, id: UnitId) -> bool {
    matches!(wish, Move::Charge { unit, .. } if *unit == id)
}

/// Straight on for so far, or as much of it as there is room for.
fn go_on(scene: &Scene<'_, '_>, unit: UnitId, far: Length, gap: Length, bodies: &mut Bodies) -> Option<Move> {
    let field = scene.field();
    let full = plot::allowance(field, unit).ok()?;
    let safe = scene.nearest(unit).map_or(full, |(enemy, _)| (gap - flinch_distance(field, enemy)).max(Length::ZERO));
    let from = field.unit(unit).pose().at.vec();
    let most = (far + Length::cm(0.1)).min(full).min(safe).as_f64();
    SHARES.into_iter().find_map(|share| {
        let to = Point::from_vec(from + forward(field, scene.side) * (most * share));
        placed(scene, unit, vec![Step::March(vec![Leg::Straight(to)])], None, bodies)
    })
}
