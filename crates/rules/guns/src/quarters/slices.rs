//! One quarter in slices: everybody a little way at a time, and after each slice whoever has to stop stops (D3).

use super::Mover;
use crate::event::Halt;
use crate::field::{self, Elements, Field, distance, facts, is_there, troops};
use crate::nearby::Nearby;
use crate::plot::charge::approach_gap;
use crate::unit::Observer;
use engine::{BySide, Side, UnitId};
use std::collections::BTreeMap;
use table::{Length, Quad, SLACK, Vec2, quads_overlap};

/// Slices of a quarter.
const SLICES: u8 = 25;
/// Slices of the whole bound.
const OF_BOUND: f64 = 100.0;
/// Halvings of a slice in search of the spot where somebody stops: a slice comes down to a micrometre.
const HALVINGS: usize = 14;

/// What came up in a quarter beside halts.
#[derive(Default)]
pub struct Notes {
    /// Batteries whose observers were overrun.
    pub overrun: Vec<UnitId>,
    /// Reforming units enemies came near, and who.
    pub alarmed: Vec<(UnitId, UnitId)>,
}

/// Everything a quarter looks at.
struct Quarter<'f> {
    field: &'f Field,
    /// Places of movers in their list.
    places: BTreeMap<UnitId, usize>,
    /// Bodies of those who stand still.
    still: BTreeMap<UnitId, (Quad, Elements)>,
    standoff: Length,
    alarm: Length,
    notes: Notes,
}

/// Moves everybody a quarter further. In the last quarter nobody is left standing on a friend.
pub fn advance(field: &Field, movers: &mut [Mover], quarter: u8, last: bool) -> Notes {
    let charts = field.charts();
    let mut this = Quarter {
        field,
        places: movers.iter().enumerate().map(|(place, mover)| (mover.unit, place)).collect(),
        still: BTreeMap::new(),
        standoff: distance(field, &charts.pace.standoff),
        alarm: distance(field, &charts.charge.reform_alarm),
        notes: Notes::default(),
    };
    let sides = BySide::from_fn(|side| Nearby::present(field, side));
    let around: Vec<Vec<UnitId>> = movers.iter().map(|mover| this.enemies_near(mover, movers, &sides)).collect();
    let pinned: Vec<Vec<UnitId>> = movers.iter().map(|mover| this.pinned_near(mover, &sides)).collect();
    let observers = observers(field);
    for slice in 1..=SLICES {
        let share = (f64::from(quarter - 1) * f64::from(SLICES) + f64::from(slice)) / OF_BOUND;
        let before: Vec<f64> = movers.iter().map(|mover| mover.spent).collect();
        for mover in movers.iter_mut().filter(|mover| mover.is_active()) {
            let spent = mover.spent_after(share);
            mover.place(field, spent);
        }
        for place in 0..movers.len() {
            for enemy in around.get(place).map(Vec::as_slice).unwrap_or_default() {
                this.meet(movers, place, *enemy, &before);
            }
            this.pass(movers, place, pinned.get(place).map(Vec::as_slice).unwrap_or_default());
            this.tread(movers, place, &observers);
        }
    }
    let over = last || !movers.iter().any(Mover::is_active);
    if over {
        make_room(field, movers, &sides);
    }
    this.notes
}

impl Quarter<'_> {
    /// Enemies a mover could come upon in this quarter.
    fn enemies_near(&self, mover: &Mover, movers: &[Mover], sides: &BySide<Nearby>) -> Vec<UnitId> {
        let travel = |mover: &Mover| mover.route.full / 4;
        let fastest = movers.iter().map(travel).max().unwrap_or(Length::ZERO);
        let flinch = mover.aim.map_or(Length::ZERO, |aim| {
            field::flinch_distance(self.field, aim).max(field::flinch_distance(self.field, mover.unit))
        });
        let margin = travel(mover) + fastest + self.standoff.max(self.alarm).max(flinch);
        let enemy = self.field.side_of(mover.unit).other();
        let mut near: Vec<UnitId> = sides[enemy].around(&mover.quad, margin).map(|(id, _)| id).collect();
        if let Some(aim) = mover.aim.filter(|aim| is_there(self.field, *aim)) {
            near.retain(|id| *id != aim);
            near.insert(0, aim);
        }
        near
    }

    fn pinned_near(&self, mover: &Mover, sides: &BySide<Nearby>) -> Vec<UnitId> {
        let own = troops(self.field, mover.unit);
        if own.disorder.any() || own.broken {
            return Vec::new();
        }
        let near = sides[self.field.side_of(mover.unit)].around(&mover.quad, mover.route.full);
        near.map(|(id, _)| id).filter(|id| *id != mover.unit && troops(self.field, *id).pinned).collect()
    }

    /// The body of somebody, mover or not.
    fn body(&mut self, movers: &[Mover], id: UnitId) -> (Quad, Elements) {
        if let Some(mover) = self.places.get(&id).and_then(|place| movers.get(*place)) {
            return (mover.quad, mover.elements.clone());
        }
        let field = self.field;
        self.still.entry(id).or_insert_with(|| (*field.unit(id).quad(), field::elements(field, id))).clone()
    }

    /// Looks at a mover and an enemy after a slice.
    fn meet(&mut self, movers: &mut [Mover], place: usize, enemy: UnitId, before: &[f64]) {
        let Some(mover) = movers.get(place) else { return };
        let moved = before.get(place).is_some_and(|spent| *spent < mover.spent);
        if !moved || !is_there(self.field, enemy) {
            return;
        }
        let (unit, aim) = (mover.unit, mover.aim);
        let mutual = aim == Some(enemy) && self.charges_back(movers, enemy, unit);
        let flinch = (aim == Some(enemy)).then(|| {
            let own = field::flinch_distance(self.field, enemy);
            if mutual { own.max(field::flinch_distance(self.field, unit)) } else { own }
        });
        let reforms = troops(self.field, enemy).reforming && !troops(self.field, enemy).beaten;
        let limit = flinch.unwrap_or(self.standoff);
        let widest = if reforms { limit.max(self.alarm) } else { limit };
        let (quad, body) = self.body(movers, enemy);
        let Some(mover) = movers.get(place) else { return };
        let perimeter = flinch.is_some() && field::defended(self.field, enemy).is_some();
        if !perimeter && field::surely_beyond(&mover.quad, &quad, widest) {
            return;
        }
        let gap_now = self.gap(mover, enemy, &body, flinch.is_some());
        let nearer =
            |this: &mut Self, movers: &mut [Mover]| this.gap_at(movers, place, enemy, before, 0.0, flinch.is_some());
        let known = self.notes.alarmed.iter().any(|(other, _)| *other == enemy);
        if reforms && !known && gap_now <= self.alarm + SLACK && gap_now < nearer(self, movers) {
            self.notes.alarmed.push((enemy, unit));
        }
        if gap_now > limit + SLACK || (flinch.is_none() && gap_now >= nearer(self, movers)) {
            return;
        }
        let charged_by = self.is_charged_by(movers, enemy, unit);
        if flinch.is_none() && charged_by {
            // Its charger looks to that.
            return;
        }
        self.stop_at(movers, place, enemy, before, limit, flinch.is_some());
        let (why, both) = match (flinch, mutual) {
            (Some(_), true) => (Halt::MutualCharge, true),
            (Some(_), false) => (Halt::FlinchPoint, false),
            (None, _) => (Halt::EnemyNear, true),
        };
        if let Some(mover) = movers.get_mut(place) {
            mover.halt = Some((why, Some(enemy)));
        }
        let other = self.places.get(&enemy).copied().filter(|_| both);
        if let Some(other) = other.and_then(|other| movers.get_mut(other))
            && other.halt.is_none()
        {
            other.halt = Some((why, Some(unit)));
        }
    }

    fn charges_back(&self, movers: &[Mover], enemy: UnitId, unit: UnitId) -> bool {
        self.places.get(&enemy).and_then(|place| movers.get(*place)).is_some_and(|other| other.aim == Some(unit))
    }

    fn is_charged_by(&self, movers: &[Mover], enemy: UnitId, unit: UnitId) -> bool {
        let by_mover = self.charges_back(movers, enemy, unit);
        by_mover || troops(self.field, enemy).charge.as_deref().is_some_and(|charge| charge.at == unit)
    }

    fn gap(&self, mover: &Mover, enemy: UnitId, body: &[Quad], charge: bool) -> Length {
        if charge {
            approach_gap(self.field, &mover.elements, enemy, body)
        } else {
            field::gap_of(&mover.elements, body)
        }
    }

    /// The gap between two at a share of the slice.
    fn gap_at(
        &mut self,
        movers: &mut [Mover],
        place: usize,
        enemy: UnitId,
        before: &[f64],
        share: f64,
        charge: bool,
    ) -> Length {
        let other = self.places.get(&enemy).copied();
        let at = |place: usize, movers: &[Mover]| {
            let mover = movers.get(place)?;
            let start = before.get(place).copied().unwrap_or(mover.spent);
            Some(mover.route.elements(self.field, mover.route.at(start + (mover.spent - start) * share)))
        };
        let own = at(place, movers).unwrap_or_default();
        let theirs = match other.and_then(|other| at(other, movers)) {
            Some(elements) => elements,
            None => self.body(movers, enemy).1,
        };
        if charge { approach_gap(self.field, &own, enemy, &theirs) } else { field::gap_of(&own, &theirs) }
    }

    /// Puts two who met back to the moment at which the gap was what makes them stop.
    fn stop_at(
        &mut self,
        movers: &mut [Mover],
        place: usize,
        enemy: UnitId,
        before: &[f64],
        limit: Length,
        charge: bool,
    ) {
        let (mut clear, mut met) = (0.0, 1.0);
        if self.gap_at(movers, place, enemy, before, 0.0, charge) <= limit {
            met = 0.0;
        } else {
            for _ in 0..HALVINGS {
                let middle = (clear + met) * 0.5;
                if self.gap_at(movers, place, enemy, before, middle, charge) <= limit {
                    met = middle;
                } else {
                    clear = middle;
                }
            }
        }
        let other = self.places.get(&enemy).copied();
        for place in std::iter::once(place).chain(other) {
            let Some(mover) = movers.get_mut(place).filter(|mover| mover.halt.is_none()) else { continue };
            let start = before.get(place).copied().unwrap_or(mover.spent);
            let spent = start + (mover.spent - start) * met;
            mover.place(self.field, spent);
        }
    }

    /// Notes pinned friends a mover goes through.
    fn pass(&mut self, movers: &mut [Mover], place: usize, pinned: &[UnitId]) {
        for friend in pinned {
            let (quad, body) = self.body(movers, *friend);
            let Some(mover) = movers.get_mut(place) else { return };
            let through = quads_overlap(&mover.quad, &quad) && overlap(&mover.elements, &body);
            if through && !mover.passed.contains(friend) {
                mover.passed.push(*friend);
            }
        }
    }

    /// Notes observers a mover walks into.
    fn tread(&mut self, movers: &[Mover], place: usize, observers: &[(UnitId, Side, Vec2, f64)]) {
        let Some(mover) = movers.get(place) else { return };
        let side = self.field.side_of(mover.unit);
        for (battery, owner, at, radius) in observers {
            let near = (mover.quad.centre - *at).length() <= mover.quad.radius + radius + SLACK.as_f64();
            if *owner != side && near && touches(&mover.elements, *at, *radius) && !self.notes.overrun.contains(battery)
            {
                self.notes.overrun.push(*battery);
            }
        }
    }
}

fn touches(elements: &[Quad], at: Vec2, radius: f64) -> bool {
    elements.iter().any(|quad| table::convex::distance(quad.points(), at) <= radius + SLACK.as_f64())
}

/// Observers on the table: whose battery, whose side, where, how wide the counter is.
fn observers(field: &Field) -> Vec<(UnitId, Side, Vec2, f64)> {
    let all = field.units().filter(|(_, unit)| unit.is_present());
    all.filter_map(|(id, unit)| match unit.own.observer {
        Some(Observer::At(at)) => Some((id, unit.side, at.vec(), counter_radius(field))),
        _ => None,
    })
    .collect()
}

/// An observer's counter is half an element across.
fn counter_radius(field: &Field) -> f64 {
    distance_of_element(field).half().half().as_f64()
}

fn distance_of_element(field: &Field) -> Length {
    field.charts().base.element.value.at(field.settings().scale)
}

/// Whether an enemy stands on a battery's observer.
pub fn is_observer_touched(field: &Field, battery: UnitId) -> bool {
    let Some(Observer::At(at)) = troops(field, battery).observer else { return false };
    let radius = counter_radius(field);
    field.present(field.side_of(battery).other()).any(|(id, enemy)| {
        (enemy.quad().centre - at.vec()).length() <= enemy.quad().radius + radius + SLACK.as_f64()
            && touches(&field::elements(field, id), at.vec(), radius)
    })
}

/// Whether a charger stands where it is tested.
pub fn is_at_flinch_point(field: &Field, unit: UnitId, at: UnitId) -> bool {
    let (own, theirs) = (field::elements(field, unit), field::elements(field, at));
    is_there(field, at) && approach_gap(field, &own, at, &theirs) <= field::flinch_distance(field, at) + SLACK
}

/// Whether a unit stands between another of its side and the enemy nearest to that one, clear of it.
pub fn shields(field: &Field, unit: UnitId, behind: UnitId) -> bool {
    if !is_there(field, unit) || !field::is_formed(field, unit) || troops(field, unit).disorder.any() {
        return false;
    }
    let from = field.unit(behind).quad().centre;
    let enemies = field::known(field, field.side_of(unit).other());
    let nearest = enemies
        .map(|(_, enemy)| enemy.quad().centre)
        .min_by(|a, b| (*a - from).length_squared().total_cmp(&(*b - from).length_squared()));
    let Some(to) = nearest else { return false };
    let body = field.unit(unit).quad();
    table::convex::clip((from, to), body.points()).is_some()
        && !overlap(&field::elements(field, unit), &field::elements(field, behind))
}

fn overlap(a: &[Quad], b: &[Quad]) -> bool {
    a.iter().any(|one| b.iter().any(|other| quads_overlap(one, other)))
}

/// Nobody ends on a friend: the later listed goes back along its way until it is clear (iv).
fn make_room(field: &Field, movers: &mut [Mover], sides: &BySide<Nearby>) {
    let farthest = movers.iter().map(|mover| mover.route.full).max().unwrap_or(Length::ZERO);
    let places: BTreeMap<UnitId, usize> = movers.iter().enumerate().map(|(place, mover)| (mover.unit, place)).collect();
    let mut order: Vec<usize> = (0..movers.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(movers.get(*place).map(|mover| mover.unit)));
    let step = |mover: &Mover| (mover.route.full.as_f64() / OF_BOUND).max(1.0);
    loop {
        let mut changed = false;
        for &place in &order {
            while let Some(friend) = on_friend(field, movers, &places, sides, place, farthest) {
                let Some(mover) = movers.get_mut(place).filter(|mover| mover.spent > 0.0) else { break };
                let spent = (mover.spent - step(mover)).max(0.0);
                mover.place(field, spent);
                mover.halt = Some((Halt::FriendInTheWay, Some(friend)));
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// A friend a mover stands on.
fn on_friend(
    field: &Field,
    movers: &[Mover],
    places: &BTreeMap<UnitId, usize>,
    sides: &BySide<Nearby>,
    place: usize,
    farthest: Length,
) -> Option<UnitId> {
    let mover = movers.get(place).filter(|mover| mover.spent > 0.0 && !facts(field, mover.unit).screen)?;
    let near = sides[field.side_of(mover.unit)].around(&mover.quad, farthest).map(|(id, _)| id);
    near.filter(|id| *id != mover.unit && !facts(field, *id).screen).find(|id| {
        match places.get(id).and_then(|place| movers.get(*place)) {
            Some(friend) => quads_overlap(&mover.quad, &friend.quad) && overlap(&mover.elements, &friend.elements),
            None => {
                quads_overlap(&mover.quad, field.unit(*id).quad())
                    && overlap(&mover.elements, &field::elements(field, *id))
            }
        }
    })
}
