//! The plan of a turn: who goes for whom, who holds which place, how boldly.

use super::route::Going;
use super::scene::{Field, INCH, greater, hit_worth, is_fighter, lesser, stake, um};
use super::volley;
use engine::{FeatureId, Side, UnitId};
use rules::days::field::{self, below_half, facts, is_routing, known, order, present};
use rules::days::settings::VictoryBy;
use rules::days::unit::{Arm, OrderState};
use rules::days::{ground, victory};
use table::Vec2;

/// What a unit is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// Stay where it is.
    #[default]
    Wait,
    /// Go for this enemy.
    Foe(UnitId),
    /// Take or hold this place.
    Place(FeatureId),
    /// Get out of it.
    Retire,
}

/// The plan.
#[derive(Clone, Default)]
pub struct Plan {
    goals: Vec<Goal>,
    /// Where in its place a unit is to stand.
    spots: Vec<Option<Vec2>>,
    /// Places that decide the battle and that this side has to take.
    prizes: Vec<FeatureId>,
    /// Those of them that enemies bar.
    barred: Vec<FeatureId>,
    /// How much it wants to come on: nothing where the day is won as it stands.
    pub eager: f64,
    /// Toward the enemy, of length one.
    pub forward: Vec2,
    /// Where most of one's own foot stands.
    pub middle: Vec2,
    /// Turns left, this one too.
    pub left: f64,
    /// Turns in all.
    turns: f64,
    /// What the ground is like to go over.
    pub going: Going,
    /// Where units stood before their last move, and for how many turns they have not got away from there.
    halts: Vec<(Vec2, u16)>,
}

/// With so many turns left a side that has won keeps what it has.
const LATE: f64 = 3.0;
/// So many turns before the end nobody who is bound for a place turns aside.
const LAST: f64 = 2.0;
/// Enemies so many inches from a place bar the way to it.
const BARS: f64 = 3.0;
/// With so many turns left a side that is ahead, but not by enough, comes on in earnest.
const CLOSING: f64 = 6.0;
/// So much more eager it is then.
const PRESSING: f64 = 1.7;
/// How much more eager a side is that has a place to take.
const STORMING: f64 = 1.6;
/// What it is worth to drive an enemy off a place that has to be taken, in points.
const PRIZE: f64 = 60.0;
/// Units that go for the same enemy keep so many inches between their middles.
const ABREAST: f64 = 6.5;
/// Every one more than two who go for the same enemy rather goes so many inches further for another.
const CROWD: f64 = 7.0;
/// Whoever has moved less than this in a turn, in inches, has not got on.
const HALTED: f64 = 1.5;
/// Nobody changes his mind for so many inches.
const SETTLED: f64 = 6.0;

impl Plan {
    /// What a unit is to do.
    pub fn goal(&self, unit: UnitId) -> Goal {
        self.goals.get(unit.index()).copied().unwrap_or_default()
    }

    /// Thinks the day over.
    pub fn review(&mut self, field: &Field, side: Side) {
        let turns = field.muster().turn_limit.unwrap_or(60);
        self.turns = f64::from(turns);
        self.left = f64::from(turns.saturating_sub(field.turn())) + 1.0;
        self.middle = volley::middle_of(field, side);
        let way = volley::middle_of(field, side.other()) - self.middle;
        self.forward = if way.length() > um(3.0) { way.normalised() } else { field::forward(field, side) };
        self.going.review(field);
        self.eager = eagerness(field, side, self.left);
        let known_goals = std::mem::take(&mut self.goals);
        self.goals.resize(field.muster().units.len(), Goal::Wait);
        self.spots.clear();
        self.spots.resize(field.muster().units.len(), None);
        self.send_to_places(field, side);
        self.send_at_enemies(field, side, &known_goals);
    }

    /// Notes, before a side's moves, who has not got on since the turn before.
    pub fn count_halts(&mut self, field: &Field, side: Side) {
        self.halts.resize(field.muster().units.len(), (Vec2::new(0.0, 0.0), 0));
        for (id, unit) in present(field, side) {
            let Some((from, turns)) = self.halts.get_mut(id.index()) else { continue };
            let here = unit.quad().centre;
            let same = from.distance(here) < um(HALTED);
            *turns = if same { turns.saturating_add(1) } else { 0 };
            *from = here;
        }
    }

    /// For how many turns a unit has not got on.
    pub fn halted(&self, unit: UnitId) -> u16 {
        self.halts.get(unit.index()).map_or(0, |halt| halt.1)
    }

    fn set(&mut self, unit: UnitId, goal: Goal) {
        if let Some(slot) = self.goals.get_mut(unit.index()) {
            *slot = goal;
        }
    }

    /// Where in its place a unit is to stand.
    pub fn spot(&self, unit: UnitId) -> Option<Vec2> {
        self.spots.get(unit.index()).copied().flatten()
    }

    /// What it is worth to drive an enemy off, beside his points: more where he stands on a place that has to be taken,
    /// and more the later it is.
    pub fn prize(&self, field: &Field, enemy: UnitId) -> f64 {
        let on = |feature: &FeatureId| {
            ground::feature(field, *feature).is_some_and(|place| place.shape.gap_to(field.unit(enemy).quad()) < um(1.0))
        };
        let late = if self.is_late() { 3.0 } else { 1.0 };
        if self.prizes.iter().any(on) { PRIZE * late } else { 0.0 }
    }

    /// Whether a place decides the battle and this side has to take it.
    pub fn is_prize(&self, feature: FeatureId) -> bool {
        self.prizes.contains(&feature)
    }

    /// Whether enemies stand on a place this side has to take, or close to it.
    pub fn is_barred(&self, feature: FeatureId) -> bool {
        self.barred.contains(&feature)
    }

    /// Whether this side has places to take.
    pub fn has_prizes(&self) -> bool {
        !self.prizes.is_empty()
    }

    /// Whether a unit stands on the place it is to take or to hold, and nobody should lure it off.
    pub fn guards(&self, field: &Field, unit: UnitId) -> bool {
        let Goal::Place(feature) = self.goal(unit) else { return false };
        ground::feature(field, feature).is_some_and(|place| place.shape.gap_to(field.unit(unit).quad()) <= 0.0)
    }

    /// Whether a charge would take a unit away from the place it is to take or to hold.
    pub fn strays(&self, field: &Field, unit: UnitId, at: UnitId) -> bool {
        if self.prize(field, at) > 0.0 {
            return false;
        }
        let bound = matches!(self.goal(unit), Goal::Place(feature) if self.is_prize(feature)) && self.left <= LAST;
        let far = self.off_prize(field, at).is_none_or(|off| off > BARS);
        self.guards(field, unit) || (bound && far)
    }

    /// Whether the last third of the battle has come: places have to be taken now, whatever it costs.
    pub fn is_late(&self) -> bool {
        self.left <= greater(self.turns / 3.0, LATE)
    }

    /// How near an enemy is to a place that has to be taken, in inches; nothing where there is none.
    fn off_prize(&self, field: &Field, enemy: UnitId) -> Option<f64> {
        let gap = |feature: &FeatureId| {
            ground::feature(field, *feature).map(|place| place.shape.gap_to(field.unit(enemy).quad()) / INCH)
        };
        self.prizes.iter().filter_map(gap).reduce(lesser)
    }

    /// Foot for the places that decide the battle, the nearest first.
    fn send_to_places(&mut self, field: &Field, side: Side) {
        self.prizes.clear();
        self.barred.clear();
        if field.settings().victory != VictoryBy::Objectives {
            return;
        }
        let objectives = &field.muster().scenario.objectives;
        self.prizes.extend(objectives.iter().filter(|place| place.of == side).map(|place| place.feature));
        let foot = present(field, side).filter(|(id, _)| facts(field, *id).arm == Arm::Infantry).count();
        let own_any = !self.prizes.is_empty();
        for place in objectives {
            let own = place.of == side;
            let Some(feature) = ground::feature(field, place.feature) else { continue };
            let gap = |id: UnitId| feature.shape.gap_to(field.unit(id).quad());
            let foes = known(field, side.other()).filter(|(id, _)| gap(*id) < um(8.0)).count();
            let bars = |id: UnitId| !is_routing(field, id) && gap(id) < um(BARS);
            if own && known(field, side.other()).any(|(id, _)| bars(id)) {
                self.barred.push(place.feature);
            }
            // One's own places need men; of the enemy's it is enough to spoil one, but the more the better.
            let wanted = match (own, own_any) {
                (true, _) => (2 + foes.min(2)).max(foot / 2),
                (false, false) => 2 + foes.min(1),
                (false, true) => 1,
            };
            let mut near: Vec<(f64, UnitId)> = present(field, side)
                .map(|(id, _)| id)
                .filter(|id| {
                    let card = facts(field, *id);
                    let fit = card.arm == Arm::Infantry || (own && self.left <= LAST && card.arm == Arm::Cavalry);
                    fit && card.part.is_none() && !is_routing(field, *id)
                })
                .filter(|id| self.goal(*id) == Goal::Wait && (!is_worn(field, *id) || own && self.is_late()))
                .map(|id| (gap(id), id))
                .collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let sent: Vec<UnitId> = near.into_iter().take(wanted).map(|(_, unit)| unit).collect();
            self.spread(field, &feature.shape, &sent);
            for unit in &sent {
                self.set(*unit, Goal::Place(place.feature));
            }
            if own {
                self.expel(field, side, place.feature, &sent);
            }
        }
    }

    /// A place is held only by whoever stands on it alone: all who are there but one go for the enemies who are there too.
    fn expel(&mut self, field: &Field, side: Side, feature: FeatureId, sent: &[UnitId]) {
        let Some(place) = ground::feature(field, feature) else { return };
        let there = |id: UnitId| place.shape.gap_to(field.unit(id).quad()) <= 0.0;
        let intruders: Vec<UnitId> =
            known(field, side.other()).map(|(id, _)| id).filter(|id| !is_routing(field, *id) && there(*id)).collect();
        let at = |id: UnitId| field.unit(id).quad().centre;
        let apart = |a: UnitId, b: UnitId| at(a).distance(at(b));
        for unit in sent.iter().copied().filter(|id| there(*id) && order(field, *id) < OrderState::Shaken).skip(1) {
            let nearest = intruders.iter().copied().min_by(|a, b| apart(unit, *a).total_cmp(&apart(unit, *b)));
            if let Some(enemy) = nearest {
                self.set(unit, Goal::Foe(enemy));
                if let Some(slot) = self.spots.get_mut(unit.index()) {
                    *slot = None;
                }
            }
        }
    }

    /// Gives everybody sent to a place a part of its breadth, so that they do not jostle each other.
    fn spread(&mut self, field: &Field, shape: &table::Shape, sent: &[UnitId]) {
        let across = self.forward.perp_right();
        let bounds = shape.bounds();
        let corners =
            [bounds.min, bounds.max, Vec2::new(bounds.min.x, bounds.max.y), Vec2::new(bounds.max.x, bounds.min.y)];
        let along = |ends: (f64, f64), corner: &Vec2| {
            let at = corner.dot(across);
            (lesser(ends.0, at), greater(ends.1, at))
        };
        let (low, high) = corners.iter().fold((f64::MAX, f64::MIN), along);
        let mut rows: Vec<(f64, UnitId)> =
            sent.iter().map(|unit| (field.unit(*unit).quad().centre.dot(across), *unit)).collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let centre = shape.centre();
        let abreast = (((high - low) / um(6.0)).ceil().max(1.0) as usize).min(rows.len().max(1));
        for (no, (_, unit)) in rows.iter().enumerate() {
            // As many abreast as there is room for, the others behind them.
            let share = ((no * abreast / rows.len()) as f64 + 0.5) / abreast as f64;
            let aim = centre + across * (low + (high - low) * share - centre.dot(across));
            let spot = if shape.contains(aim) { aim } else { centre };
            if let Some(slot) = self.spots.get_mut(unit.index()) {
                *slot = Some(spot);
            }
        }
    }

    /// Foot that goes for one enemy goes abreast: the second beside the first on the side he comes from, the third on
    /// the other.
    fn abreast(&mut self, field: &Field, unit: UnitId, enemy: UnitId, before_him: f64) {
        if facts(field, unit).arm != Arm::Infantry || before_him < 1.0 {
            return;
        }
        let there = field.unit(enemy).quad().centre;
        let across = (there - field.unit(unit).quad().centre).normalised().perp_right();
        let side = (field.unit(unit).quad().centre - self.middle).dot(across);
        let hand = if (side < 0.0) == (before_him < 2.0) { -1.0 } else { 1.0 };
        // Beyond the edge there is nobody to shoot from.
        let inner = field.ground().bounds().grown(-um(4.0));
        let spot = there + across * (hand * um(ABREAST));
        let spot = if inner.contains(spot) { spot } else { there };
        if let Some(slot) = self.spots.get_mut(unit.index()) {
            *slot = Some(spot);
        }
    }

    /// Everybody else for the enemy who suits him best.
    fn send_at_enemies(&mut self, field: &Field, side: Side, before: &[Goal]) {
        let enemies: Vec<(UnitId, Vec2)> = known(field, side.other())
            .filter(|(id, _)| is_fighter(field, *id))
            .map(|(id, unit)| (id, unit.quad().centre))
            .collect();
        let mut sought = vec![0.0; field.muster().units.len()];
        let mut rows: Vec<(f64, UnitId, Vec2)> = present(field, side)
            .filter(|(id, _)| is_fighter(field, *id) && !is_routing(field, *id) && self.goal(*id) == Goal::Wait)
            .map(|(id, unit)| {
                let here = unit.quad().centre;
                let near = enemies.iter().map(|(_, place)| place.distance(here)).fold(f64::MAX, lesser);
                (near, id, here)
            })
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, unit, here) in rows {
            if is_worn(field, unit) {
                self.set(unit, Goal::Retire);
                continue;
            }
            let best = enemies.iter().map(|(enemy, place)| {
                let crowd = sought.get(enemy.index()).copied().unwrap_or(0.0);
                // One goes in front, another beside him; more than that have others to look for.
                let crowd = if crowd < 2.0 { -1.5 * crowd } else { CROWD * (crowd - 1.0) };
                let settled = if before.get(unit.index()) == Some(&Goal::Foe(*enemy)) { SETTLED } else { 0.0 };
                let suits = if field::is_mounted(field, unit) { prey(field, *enemy) } else { mark(field, *enemy) };
                // Whoever bars the way to the place that counts is everybody's mark.
                let bars = self.off_prize(field, *enemy).map_or(0.0, |off| lesser(off, 24.0) * 1.1);
                (place.distance(here) / INCH + crowd + bars - settled - suits, *enemy)
            });
            let Some((_, enemy)) = best.min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            let before_him = sought.get(enemy.index()).copied().unwrap_or(0.0);
            if let Some(count) = sought.get_mut(enemy.index()) {
                *count += 1.0;
            }
            self.set(unit, Goal::Foe(enemy));
            self.abreast(field, unit, enemy, before_him);
        }
    }
}

/// Whether a unit is spent and should be taken out of reach: its second half of points is all it has to lose.
pub fn is_worn(field: &Field, unit: UnitId) -> bool {
    let card = facts(field, unit);
    card.arm != Arm::Artillery && (below_half(field, unit) || order(field, unit) >= OrderState::Shaken)
}

/// How much there is to win by coming on.
fn eagerness(field: &Field, side: Side, left: f64) -> f64 {
    if field.settings().victory == VictoryBy::Objectives {
        // Whoever has to take something has no time to lose.
        let takes = field.muster().scenario.objectives.iter().any(|place| place.of == side);
        return if takes { STORMING } else { 1.0 };
    }
    let (lost, taken) = (victory::lost_doubled(field, side), victory::lost_doubled(field, side.other()));
    let lead = (f64::from(taken) - f64::from(lost)) / 2.0;
    let margin = 0.2 * f64::from(field.muster().scenario.size.max(100));
    if lead > margin && left <= LATE {
        return 0.1;
    }
    // A lead that is none yet is worth a risk before the day is over.
    if lead >= 0.0 && lead <= margin && left <= CLOSING {
        return PRESSING;
    }
    let ours: f64 = known(field, side).map(|(id, _)| stake(field, id)).sum();
    let theirs: f64 = known(field, side.other()).map(|(id, _)| stake(field, id)).sum();
    if ours < theirs * 0.5 && lead >= 0.0 { 0.4 } else { 1.0 }
}

/// How many inches further foot goes for an enemy because it pays.
fn mark(field: &Field, enemy: UnitId) -> f64 {
    // Whoever runs or rides is gone before foot comes up.
    let away = if is_routing(field, enemy) || field::is_mounted(field, enemy) { 8.0 } else { 0.0 };
    lesser(hit_worth(field, enemy), 8.0) - away
}

/// How many inches further horse goes for an enemy because it can be ridden down.
fn prey(field: &Field, enemy: UnitId) -> f64 {
    let card = facts(field, enemy);
    let weak = match order(field, enemy) {
        OrderState::Routing => 14.0,
        OrderState::Shaken => 8.0,
        OrderState::Disordered => 2.0,
        OrderState::Good => 0.0,
    };
    let kind = match card.arm {
        Arm::Artillery => 10.0,
        Arm::Infantry if field::skirmishes(field, enemy) => 6.0,
        Arm::Infantry => -8.0,
        _ => 0.0,
    };
    weak + kind
}
