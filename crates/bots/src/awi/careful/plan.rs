//! The plan of the day: whether to come on or to stand, which way the enemy lies, who goes for whom.

use super::eye::{Eye, INCH};
use super::scene::{Field, range, um, worth};
use engine::{Side, UnitId};
use rules::awi::field::{facts, flag, is_routing, soldiers, troops};
use rules::awi::settings::Victory;
use rules::awi::unit::{Arm, Class, Nation};
use rules::awi::victory::losses;
use std::cmp::Ordering;
use table::Vec2;

/// What an army means to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Posture {
    /// Come on.
    #[default]
    Attack,
    /// Let him come.
    Stand,
}

/// The plan.
#[derive(Clone, Default)]
pub struct Plan {
    /// Come on or stand.
    pub posture: Posture,
    /// The line is formed, or the day too short to wait for it: close in.
    pub assault: bool,
    /// Less than nothing where there is nothing to win by waiting: a charge may promise so much less; more where the day
    /// is won as it stands.
    pub caution: f64,
    /// Toward the enemy, of length one; settled at the first look.
    pub forward: Vec2,
    /// Whom each unit goes for, by roster number.
    pub targets: Vec<Option<UnitId>>,
    /// How far off most of the attackers are, in inches.
    pub front: f64,
    /// How far forward most of the foot stand, along `forward`.
    pub line: f64,
    /// From where to where the enemy stands across the way forward.
    pub width: (f64, f64),
    /// Where the weight of the attack goes, and the middle of those who make it, across the way forward.
    focus: Option<(f64, f64)>,
    is_settled: bool,
    /// The enemy has had time to come and has not: somebody must.
    comes_on: bool,
}

/// Enemies within so many inches to either side stand in the way of one blow.
const FOCUS_REACH: f64 = 10.0;

/// What a unit can do in a fight, a fresh battalion of the line being 1.
fn power(field: &Field, id: UnitId) -> f64 {
    let (card, own) = (facts(field, id), soldiers(field, id));
    let teeth = match (card.arm, card.class) {
        (Arm::Artillery, _) => 0.6,
        (Arm::Cavalry, _) => 1.1,
        (_, Class::Elite) => 1.25,
        (_, Class::Line) => 1.0,
        (_, Class::Inferior) => 0.65,
        (_, Class::Raw) => 0.3,
    };
    let shaken = if is_routing(field, id) { 0.3 } else { 1.0 };
    teeth * shaken * f64::from(own.marks) / f64::from(card.marks.max(1))
}

/// What a side's troops on the table can do.
pub fn strength(field: &Field, side: Side) -> f64 {
    troops(field, side).map(|(id, _)| power(field, id)).sum()
}

/// The share of what it can bear that a side has used up; of two nations the worse.
pub fn used(field: &Field, side: Side) -> f64 {
    let chart = &field.charts().withdraw_at;
    let share = |nation: Nation| match nation {
        Nation::British => chart.british.value,
        Nation::American => chart.american.value,
        Nation::French => chart.french.value,
    };
    let rows = field.muster().scenario.strengths.iter().filter(|row| row.1 == side);
    rows.map(|row| {
        let (lost, start) = losses(field, row.0, side);
        let (part, whole) = share(row.0).used(lost, start);
        part as f64 / whole.max(1) as f64
    })
    .fold(0.0, f64::max)
}

/// Rounds left, this one included.
pub fn turns_left(field: &Field) -> u16 {
    field.muster().turn_limit.map_or(99, |limit| (limit + 1).saturating_sub(field.turn()))
}

/// Unrouted units with their flag in a feature.
fn holders(field: &Field, side: Side, place: engine::FeatureId) -> usize {
    let Some(feature) = field.ground().features.get(place.index()) else { return 0 };
    troops(field, side).filter(|(id, _)| !is_routing(field, *id) && feature.shape.contains(flag(field, *id))).count()
}

/// The middle of a side's troops.
pub fn middle(field: &Field, side: Side) -> Option<Vec2> {
    let (sum, count) =
        troops(field, side).fold((Vec2::ZERO, 0.0), |(sum, n), (id, _)| (sum + flag(field, id), n + 1.0));
    (count > 0.0).then(|| sum * (1.0 / count))
}

impl Plan {
    /// Thinks the day over at the start of a turn.
    pub fn review(&mut self, field: &Field, side: Side, forced: Option<Posture>) {
        if !self.is_settled
            && let (Some(own), Some(enemy)) = (middle(field, side), middle(field, side.other()))
        {
            self.forward = (enemy - own).normalised();
            self.is_settled = true;
        }
        self.posture = posture(field, side);
        let waited = field.muster().turn_limit.map_or(4, |limit| limit.div_ceil(3).max(2));
        self.comes_on |= field.turn() >= waited && self.front > 14.0;
        let ahead = used(field, side.other()) > used(field, side);
        let last = turns_left(field) <= 3;
        self.caution = match (last, ahead) {
            (true, true) => 0.1,
            (true, false) => -0.05,
            (false, _) => 0.0,
        };
        let must_hold =
            matches!(&field.muster().scenario.victory, Victory::HoldAll { side: holder, .. } if *holder == side);
        if self.comes_on && !ahead && !must_hold {
            self.posture = Posture::Attack;
        }
        self.posture = forced.unwrap_or(self.posture);
    }

    /// Chooses for every unit whom it goes for: the nearest, the weak rather than the strong, never all the same.
    pub fn assign(&mut self, field: &Field, eye: &mut Eye, side: Side, standoff: f64, patience: f64, gang: f64) {
        let count = field.muster().units.len();
        let known = std::mem::take(&mut self.targets);
        self.targets.resize(count, None);
        self.measure(field, side);
        let mut sought = vec![0u8; count];
        let mut rows: Vec<(f64, UnitId)> = Vec::new();
        for (id, _) in troops(field, side) {
            let near = troops(field, side.other()).map(|(enemy, _)| flag(field, enemy).distance(flag(field, id)));
            rows.push((near.fold(f64::INFINITY, f64::min), id));
        }
        rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut distances: Vec<f64> = Vec::new();
        for (_, id) in rows {
            let mut best: Option<(f64, f64, UnitId)> = None;
            for (enemy, _) in troops(field, side.other()) {
                let looks = range(field, eye, id, enemy);
                // Two or three upon one is the best odds there are; more only get in each other's way.
                let crowd = match sought.get(enemy.index()).copied().unwrap_or(0) {
                    0 => 0.0,
                    1 | 2 => -gang,
                    more => 2.5 * f64::from(more - 2),
                };
                let own = soldiers(field, enemy);
                let weak = 1.0 - worth(field, enemy, own.marks);
                let away = if is_routing(field, enemy) { 4.0 } else { 0.0 };
                // Nobody changes his mind for an inch.
                let settled = if known.get(id.index()).copied().flatten() == Some(enemy) { 2.5 } else { 0.0 };
                let cost = looks + crowd - 3.0 * weak + away - settled;
                if best.is_none_or(|known| cost < known.0) {
                    best = Some((cost, looks, enemy));
                }
            }
            let Some((_, looks, enemy)) = best else { continue };
            if let Some(slot) = self.targets.get_mut(id.index()) {
                *slot = Some(enemy);
            }
            if let Some(n) = sought.get_mut(enemy.index()) {
                *n += 1;
            }
            if facts(field, id).arm == Arm::Infantry && !is_routing(field, id) {
                distances.push(looks);
            }
        }
        distances.sort_by(f64::total_cmp);
        self.front = distances.get(distances.len() / 2).copied().unwrap_or(0.0);
        let formed = distances.iter().filter(|looks| **looks <= standoff + 3.0).count() * 10 >= distances.len() * 6;
        let late = f64::from(turns_left(field)) <= patience + (self.front / 6.0);
        self.assault = self.posture == Posture::Attack && (self.assault || formed || late);
    }

    /// Where the line stands, and how wide the enemy does.
    fn measure(&mut self, field: &Field, side: Side) {
        let (forward, across) = (self.forward, self.forward.perp_right());
        let mut depths: Vec<f64> = troops(field, side)
            .filter(|(id, _)| facts(field, *id).arm == Arm::Infantry && !is_routing(field, *id))
            .map(|(id, _)| flag(field, id).dot(forward))
            .collect();
        depths.sort_by(f64::total_cmp);
        self.line = depths.get(depths.len() / 2).copied().unwrap_or(0.0);
        let places = troops(field, side.other()).map(|(id, _)| flag(field, id).dot(across));
        self.width = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        self.choose_focus(field, side);
    }

    /// Chooses where to strike: where the enemy is weak for the room he fills, not too far from one's own middle. Once
    /// chosen it stays, unless nobody is left there.
    fn choose_focus(&mut self, field: &Field, side: Side) {
        let across = self.forward.perp_right();
        let reach = um(FOCUS_REACH);
        let enemies: Vec<(f64, f64)> = troops(field, side.other())
            .filter(|(id, _)| !is_routing(field, *id))
            .map(|(id, _)| (flag(field, id).dot(across), power(field, id)))
            .collect();
        let near = |place: f64| enemies.iter().filter(move |enemy| (enemy.0 - place).abs() < reach);
        if self.focus.is_some_and(|(place, _)| near(place).count() >= 2) {
            return;
        }
        let own: Vec<f64> = troops(field, side)
            .filter(|(id, _)| facts(field, *id).arm == Arm::Infantry && !is_routing(field, *id))
            .map(|(id, _)| flag(field, id).dot(across))
            .collect();
        if own.is_empty() {
            return;
        }
        let middle = own.iter().sum::<f64>() / own.len() as f64;
        let cost = |place: f64| near(place).map(|enemy| enemy.1).sum::<f64>() + 0.05 * (place - middle).abs() / INCH;
        let least = near(middle).count().min(3);
        self.focus = enemies
            .iter()
            .filter(|enemy| near(enemy.0).count() >= least.max(2))
            .map(|enemy| (cost(enemy.0), enemy.0))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, place)| (place, middle));
    }

    /// The next place on a unit's own lane toward the enemy, no further than so many inches and never far ahead of
    /// the line; lanes beyond the enemy's flank bend in.
    pub fn lane(&self, from: Vec2, most: f64, squeeze: f64) -> Vec2 {
        let (forward, across) = (self.forward, self.forward.perp_right());
        let (depth, aside) = (from.dot(forward), from.dot(across));
        let ahead = depth + um(most.clamp(0.0, 12.0));
        let goal = ahead.min((self.line + um(7.5)).max(depth));
        let (low, high) = self.width;
        let bent = match self.focus {
            Some((focus, own)) if squeeze < 1.0 => focus + (aside - own) * squeeze,
            _ if low <= high => aside.clamp(low - um(2.0), high + um(2.0)),
            _ => aside,
        };
        let bent = bent.clamp(aside - um(3.0), aside + um(3.0));
        forward * goal + across * bent
    }

    /// Whom a unit goes for.
    pub fn target(&self, unit: UnitId) -> Option<UnitId> {
        self.targets.get(unit.index()).copied().flatten()
    }

    /// A place far off in front of another, on the table.
    pub fn beyond(&self, field: &Field, from: Vec2) -> Vec2 {
        let bounds = field.ground().bounds();
        let mut place = from;
        for _ in 0..60 {
            let next = place + self.forward * um(2.0);
            if !bounds.grown(-INCH).contains(next) {
                break;
            }
            place = next;
        }
        place
    }
}

/// Come on or stand: the terms of the battle first, then who has lost more, then who is the stronger.
fn posture(field: &Field, side: Side) -> Posture {
    let (own, enemy) = (strength(field, side), strength(field, side.other()));
    let ratio = own / enemy.max(0.01);
    let (lost, gained) = (used(field, side), used(field, side.other()));
    let left = turns_left(field);
    // Only the plainly weaker waits where neither has ground to hold: nobody wins by looking on.
    let by_strength = if ratio > 0.85 { Posture::Attack } else { Posture::Stand };
    let scenario = &field.muster().scenario.victory;
    if let Victory::HoldAll { side: holder, .. } = scenario {
        return if *holder == side { Posture::Stand } else { Posture::Attack };
    }
    match gained.total_cmp(&lost) {
        Ordering::Less => Posture::Attack,
        Ordering::Greater if ratio < 1.15 || left <= 3 => Posture::Stand,
        Ordering::Greater => Posture::Attack,
        Ordering::Equal => match scenario {
            Victory::TieBreak(hill) => match holders(field, side, *hill).cmp(&holders(field, side.other(), *hill)) {
                Ordering::Greater => Posture::Stand,
                _ => Posture::Attack,
            },
            Victory::Objective(place) => match (holders(field, side, *place), holders(field, side.other(), *place)) {
                (0, _) => Posture::Attack,
                (_, 0) => Posture::Stand,
                _ => by_strength,
            },
            _ => by_strength,
        },
    }
}
