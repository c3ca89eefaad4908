//! Combat zones (R16 to R18): the trapezoid before each element of the first rank, who of them has the target in it and
//! sees it, and the range of the shot. A garrison fires from one face of what it holds and is hit as a whole (R59).

use super::field::{
    self, Elements, Field, count, cover_of, defended, facts, first_rank, is_ablaze, is_perimeter, surely_beyond, troops,
};
use super::sight;
use super::unit::{Action, Weapon};
use engine::{FeatureId, UnitId};
use smallvec::{SmallVec, smallvec};
use table::shape::Shape;
use table::{Angle, Length, Quad, SLACK, Vec2};

/// Less shared ground than this, in square micrometres, is the rounding of places and bearings and not a share.
const ROUNDING: f64 = 1e5;

/// What a unit can bring to bear on another by fire.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bearing {
    /// Elements or guns counted, rapid-fire elements multiplied (R12).
    pub counted: u8,
    /// The range of the shot.
    pub range: Length,
}

/// Why a unit cannot bring anything to bear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Nobody of it has anything to fire with.
    Weapon,
    /// Too far.
    Distance,
    /// Not between the sides of any element's zone, or behind it.
    Sides,
    /// In the zone, but out of sight.
    Sight,
}

/// An element or a battery about to fire: where, how far, and for how many it counts.
#[derive(Clone, Debug)]
struct Muzzle {
    quad: Quad,
    reach: Length,
    weight: u8,
}

/// The muzzles of a unit that fire together: its first rank, or one face of what it holds.
type Rank = SmallVec<[Muzzle; 12]>;

/// All a unit can fire with, ready to be held against one target after another.
#[derive(Clone, Debug)]
pub struct Front {
    unit: UnitId,
    ranks: SmallVec<[Rank; 4]>,
    lean: Lean,
    /// A zone that holds those of all elements, for a first glance; a garrison looks to every side.
    whole: Option<(Quad, Length)>,
}

impl Front {
    /// The front of a unit as it stands.
    pub fn of(field: &Field, unit: UnitId) -> Front {
        let mut ranks = ranks(field, unit);
        ranks.iter_mut().for_each(|rank| rank.retain(|muzzle| muzzle.weight > 0));
        let longest = ranks.iter().flatten().map(|muzzle| muzzle.reach).max().unwrap_or(Length::ZERO);
        let whole = (ranks.len() == 1).then(|| (*field.unit(unit).quad(), longest));
        Front { unit, ranks, lean: Lean::of(field), whole }
    }

    /// What it can bring to bear; nothing where no element can.
    pub fn bearing(&self, field: &Field, target: UnitId) -> Bearing {
        let body = body(field, target);
        let bearings = self.ranks.iter().map(|rank| {
            let mut bearing = Bearing { counted: 0, range: Length::MAX };
            for muzzle in rank {
                if let Some(range) = self.nearest_seen(field, muzzle, &body, target) {
                    bearing.counted = bearing.counted.saturating_add(muzzle.weight);
                    bearing.range = bearing.range.min(range);
                }
            }
            bearing
        });
        let best = bearings.max_by(|a, b| a.counted.cmp(&b.counted).then(b.range.cmp(&a.range)));
        best.filter(|bearing| bearing.counted > 0).unwrap_or_default()
    }

    /// Whether any element can fire at a target; stops at the first that can.
    pub fn bears(&self, field: &Field, target: UnitId) -> bool {
        let body = body(field, target);
        // A garrison is one rectangle and needs no first glance.
        let far = |(front, reach): &(Quad, Length)| {
            body.len() > 1 && self.lean.reaches(front, *reach, field.unit(target).quad()).is_none()
        };
        if self.whole.as_ref().is_some_and(far) {
            return false;
        }
        self.muzzles().any(|muzzle| self.nearest_seen(field, muzzle, &body, target).is_some())
    }

    /// Why nothing bears; nothing where something does.
    pub fn obstacle(&self, field: &Field, target: UnitId) -> Option<Obstacle> {
        let body = body(field, target);
        let any = |question: &dyn Fn(&Muzzle, &Quad) -> bool| {
            self.muzzles().any(|muzzle| body.iter().any(|quad| question(muzzle, quad)))
        };
        if self.muzzles().next().is_none() {
            return Some(Obstacle::Weapon);
        }
        // Range is measured straight ahead: the far corners of a zone lie further off than the weapon reaches.
        if !any(&|muzzle, quad| straight_ahead(&muzzle.quad, quad) < muzzle.reach) {
            return Some(Obstacle::Distance);
        }
        if !any(&|muzzle, quad| self.lean.reaches(&muzzle.quad, muzzle.reach, quad).is_some()) {
            return Some(Obstacle::Sides);
        }
        (!self.bears(field, target)).then_some(Obstacle::Sight)
    }

    fn muzzles(&self) -> impl Iterator<Item = &Muzzle> {
        self.ranks.iter().flatten()
    }

    /// The range to the nearest part of the target that a muzzle has in its zone and sees.
    fn nearest_seen(&self, field: &Field, muzzle: &Muzzle, body: &[Quad], target: UnitId) -> Option<Length> {
        let reaches = |quad: &Quad| self.lean.reaches(&muzzle.quad, muzzle.reach, quad);
        let mut in_zone: SmallVec<[(Length, &Quad); 12]> =
            body.iter().filter_map(|quad| reaches(quad).map(|range| (range, quad))).collect();
        in_zone.sort_by_key(|part| part.0);
        let sees = |quad: &Quad| sight::element_sees(field, &muzzle.quad, self.unit, quad, target, true);
        in_zone.into_iter().find(|part| sees(part.1)).map(|part| part.0)
    }
}

/// What a unit can bring to bear, as everything stands now; nothing where no element can.
pub fn bearing(field: &Field, firer: UnitId, target: UnitId) -> Bearing {
    Front::of(field, firer).bearing(field, target)
}

/// How far a target is from a battery that fires in an arc over whatever stands between; nothing where the target is
/// outside the battery's traverse or its extreme range (R67).
pub fn over_heads(field: &Field, battery: UnitId, target: UnitId) -> Option<Length> {
    let (lean, reach) = (Lean::of(field), facts(field, battery).weapon.extreme);
    let base = field.unit(battery).quad();
    body(field, target).iter().filter_map(|quad| lean.reaches(base, reach, quad)).min()
}

/// The circle around a unit beyond which it hits nobody; the far corners of a zone lie further out than its middle.
pub fn farthest(field: &Field, firer: UnitId) -> Length {
    let facts = facts(field, firer);
    let longest = reach(field, &facts.weapon).max(facts.organic_weapon.as_ref().map_or(Length::ZERO, |it| it.extreme));
    Lean::of(field).slant(longest)
}

/// The circle around a battery beyond which it cannot drop a shell.
pub fn farthest_over_heads(field: &Field, battery: UnitId) -> Length {
    Lean::of(field).slant(facts(field, battery).weapon.extreme)
}

/// How far a weapon is fired over open sights: no gun further than the limit, whatever it could do (R18).
pub fn reach(field: &Field, weapon: &Weapon) -> Length {
    if weapon.artillery {
        weapon.extreme.min(field::distance(field, &field.charts().combat.direct_limit))
    } else {
        weapon.extreme
    }
}

/// The ground on which a unit is hit: its elements, or all of what it holds as a garrison (R59).
pub fn body(field: &Field, unit: UnitId) -> Elements {
    match garrison(field, unit) {
        Some((_, quad)) => smallvec![quad],
        None => field::elements(field, unit),
    }
}

/// The place a unit holds as its garrison, and the rectangle of it.
pub fn garrison(field: &Field, unit: UnitId) -> Option<(FeatureId, Quad)> {
    let (id, feature) = defended(field, unit)?;
    (is_perimeter(feature.kind) && !feature.shape.is_line()).then(|| (id, rectangle(&feature.shape)))
}

/// The buildings a unit is in: those it holds, or those most of it stands in.
pub fn occupied(field: &Field, unit: UnitId) -> Option<FeatureId> {
    let buildings = &field.ledger().buildings;
    if buildings.is_empty() {
        return None;
    }
    let holds = garrison(field, unit).map(|(feature, _)| feature);
    let inside = |feature: FeatureId| {
        holds == Some(feature)
            || field.ground().features.get(feature.index()).is_some_and(|found| stands_in(field, unit, &found.shape))
    };
    buildings.iter().map(|building| building.feature).find(|feature| inside(*feature))
}

/// Whether at least half of a unit's elements have their middle in an area.
pub fn stands_in(field: &Field, unit: UnitId, shape: &Shape) -> bool {
    if shape.is_line() || !shape.bounds().meets(&field.unit(unit).quad().bounds()) {
        return false;
    }
    let elements = field::elements(field, unit);
    let inside = elements.iter().filter(|quad| shape.contains(quad.centre)).count();
    inside * 2 >= elements.len()
}

/// Whether an area gives cover to whoever is in it, and which.
pub fn area_cover(field: &Field, unit: UnitId) -> impl Iterator<Item = field::Cover> + '_ {
    let features = field.ground().numbered().map(|(id, feature)| (FeatureId(id.0), feature));
    features.filter_map(move |(id, feature)| {
        let cover = cover_of(feature.kind)?;
        (stands_in(field, unit, &feature.shape) && !is_ablaze(field, id)).then_some(cover)
    })
}

/// The rectangle of a place; a place of another form is held along the box around it.
fn rectangle(shape: &Shape) -> Quad {
    let corners = shape.corners();
    let bounds = shape.bounds();
    let (min, max) = (bounds.min, bounds.max);
    let boxed = [Vec2 { x: min.x, y: max.y }, max, Vec2 { x: max.x, y: min.y }, min];
    let corners = <[Vec2; 4]>::try_from(corners.as_slice()).unwrap_or(boxed);
    let centre = (corners[0] + corners[2]) * 0.5;
    let radius = corners.iter().map(|corner| corner.distance(centre)).fold(0.0, f64::max);
    Quad { corners, centre, radius }
}

/// Those who may fire together: the first rank, or each face of what the unit holds.
fn ranks(field: &Field, unit: UnitId) -> SmallVec<[Rank; 4]> {
    let facts = facts(field, unit);
    if facts.is_battery() {
        let (quad, weight) = (*field.unit(unit).quad(), troops(field, unit).guns);
        return smallvec![smallvec![Muzzle { quad, reach: reach(field, &facts.weapon), weight }]];
    }
    match garrison(field, unit) {
        Some((_, held)) => held.edges().into_iter().map(|face| face_of(field, unit, &held, face)).collect(),
        None => {
            let elements = field::elements(field, unit);
            // The element lent to the screen is missing from the end of the rear rank.
            let first = first_rank(field, unit).min(serving(field, unit));
            smallvec![armed(field, unit, elements.iter().take(first).copied())]
        }
    }
}

/// Elements a unit has with it.
fn serving(field: &Field, unit: UnitId) -> usize {
    let here = count(field, unit);
    let away = u8::from(troops(field, unit).lent && here == facts(field, unit).elements);
    usize::from(here.saturating_sub(away))
}

/// Elements evenly spaced along one face, looking out of it: as many as loose order has room for (R59).
fn face_of(field: &Field, unit: UnitId, held: &Quad, face: (Vec2, Vec2)) -> Rank {
    let width = facts(field, unit).width();
    let (mut from, mut to) = face;
    // Seen from outside the left end comes first, as it does on every element.
    if (to - from).cross(held.centre - from) > 0.0 {
        (from, to) = (to, from);
    }
    let length = (to - from).length();
    let pitch = (width + width.half()).as_f64();
    if pitch <= 0.0 || length <= 0.0 {
        return Rank::new();
    }
    let places = ((length + SLACK.as_f64()) / pitch) as usize;
    let places = places.min(serving(field, unit));
    let along = (to - from).normalised();
    let back = along.perp_right() * width.as_f64();
    let half = along * width.half().as_f64();
    let quads = (0..places).map(|place| {
        let middle = from + along * (length * (place as f64 + 0.5) / places as f64);
        let (left, right) = (middle - half, middle + half);
        let centre = middle + back * 0.5;
        Quad { corners: [left, right, right + back, left + back], centre, radius: left.distance(centre) }
    });
    armed(field, unit, quads)
}

/// Elements with what they fire; rapid-fire elements of a battalion stand in the middle of its rank (R12).
fn armed(field: &Field, unit: UnitId, quads: impl Iterator<Item = Quad>) -> Rank {
    let facts = facts(field, unit);
    let mut rank: Rank = quads
        .map(|quad| Muzzle { quad, reach: facts.weapon.extreme, weight: weight(field, facts.weapon.rapid) })
        .collect();
    if let Some(weapon) = facts.organic_weapon.as_ref().filter(|_| facts.organic > 0) {
        let organic = usize::from(facts.organic).min(rank.len());
        let first = (rank.len() - organic) / 2;
        for muzzle in rank.iter_mut().skip(first).take(organic) {
            *muzzle = Muzzle { quad: muzzle.quad, reach: weapon.extreme, weight: weight(field, weapon.rapid) };
        }
    }
    if !facts.weapon.fires() {
        rank.clear();
    }
    rank
}

/// For how many rifle elements an element counts.
fn weight(field: &Field, rapid: Option<Action>) -> u8 {
    let combat = &field.charts().combat;
    let count = match rapid {
        None => return 1,
        Some(Action::Mechanical) => combat.mechanical.value,
        Some(Action::Gas) => combat.gas.value,
    };
    u8::try_from(count.get()).unwrap_or(u8::MAX)
}

/// How far the sides of a zone lean outward.
#[derive(Clone, Copy, Debug)]
struct Lean {
    tan: f64,
    cos: f64,
}

impl Lean {
    fn of(field: &Field) -> Lean {
        Lean::leaning(Angle::whole(field.charts().combat.zone_angle.value.get()))
    }

    fn leaning(angle: Angle) -> Lean {
        let (sin, cos) = angle.sin_cos();
        Lean { tan: sin / cos, cos }
    }

    /// From a front corner to the far corner of the zone.
    fn slant(self, reach: Length) -> Length {
        reach.times(1.0 / self.cos)
    }

    /// How far ahead of a front the nearest point of a rectangle lies that is inside the zone; nothing where the two
    /// share no ground (R16, R17).
    fn reaches(self, front: &Quad, reach: Length, target: &Quad) -> Option<Length> {
        if reach <= Length::ZERO || surely_beyond(front, target, self.slant(reach)) {
            return None;
        }
        let (left, right) = front.front_edge();
        let (middle, across) = (left.lerp(right, 0.5), right - left);
        let (half, right) = (across.length() * 0.5, across.normalised());
        let ahead = -right.perp_right();
        let local = |corner: &Vec2| {
            let offset = *corner - middle;
            Vec2 { x: offset.dot(right), y: offset.dot(ahead) }
        };
        let far = reach.as_f64();
        let mut ground: SmallVec<[Vec2; 8]> = target.corners.iter().map(local).collect();
        let sides: [&dyn Fn(Vec2) -> f64; 4] =
            [&|place| place.y, &|place| far - place.y, &|place| half + place.y * self.tan - place.x, &|place| {
                half + place.y * self.tan + place.x
            }];
        for inside in sides {
            ground = cut(&ground, inside);
            if ground.len() < 3 {
                return None;
            }
        }
        let nearest = ground.iter().map(|place| place.y).fold(f64::INFINITY, f64::min);
        (area(&ground) > ROUNDING).then(|| Length::from_um(nearest))
    }
}

/// How far ahead of a front the nearest corner of a rectangle lies, however far to the side; negative behind it.
fn straight_ahead(front: &Quad, target: &Quad) -> Length {
    let (left, right) = front.front_edge();
    let ahead = -(right - left).normalised().perp_right();
    let nearest = target.corners.iter().map(|corner| (*corner - left).dot(ahead)).fold(f64::INFINITY, f64::min);
    Length::from_um(nearest)
}

/// The part of a convex polygon on the good side of a line: where the measure is not negative.
fn cut(ground: &[Vec2], inside: impl Fn(Vec2) -> f64) -> SmallVec<[Vec2; 8]> {
    let mut left = SmallVec::new();
    for (n, &from) in ground.iter().enumerate() {
        let to = ground[(n + 1) % ground.len()];
        let (here, there) = (inside(from), inside(to));
        if here >= 0.0 {
            left.push(from);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            left.push(from.lerp(to, here / (here - there)));
        }
    }
    left
}

/// The area of a polygon.
fn area(ground: &[Vec2]) -> f64 {
    let next = |n: usize| ground[(n + 1) % ground.len()];
    let twice: f64 = ground.iter().enumerate().map(|(n, place)| place.cross(next(n))).sum();
    twice.abs() * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Footprint, Point, Pose};

    fn element(x: f64, y: f64) -> Quad {
        let stand = Footprint { width: Length::mm(20.0), depth: Length::mm(20.0) };
        stand.quad(Pose::new(Point { x: Length::mm(x), y: Length::mm(y) }, Angle::NORTH))
    }

    /// The enemy's element around a middle.
    fn enemy(x: f64, y: f64) -> Quad {
        element(x, y + 10.0)
    }

    #[test]
    fn a_combat_zone_is_a_trapezoid_and_any_shared_ground_will_do() {
        let zone = Lean::leaning(Angle::whole(30));
        let range = |x: f64, y: f64| zone.reaches(&element(0.0, 0.0), Length::cm(30.0), &enemy(x, y));
        assert!(range(185.0, 285.0).is_some());
        assert!(range(-185.0, 285.0).is_some());
        assert_eq!(range(190.0, 280.0), None);
        assert_eq!(range(0.0, 305.0), Some(Length::mm(295.0)));
        assert_eq!(range(0.0, 311.0), None);
        // Side by side or behind there is nothing to fire at, and an edge in common is no ground in common.
        assert_eq!(range(20.0, -10.0), None);
        assert_eq!(range(0.0, -40.0), None);
        assert_eq!(range(0.0, 310.0), None);
    }

    #[test]
    fn shared_ground_is_measured_exactly() {
        let zone = Lean::leaning(Angle::whole(30));
        let corner = enemy(185.0, 285.0);
        let clipped = |quad: &Quad| {
            let sides = |place: Vec2| 10_000.0 + place.y * zone.tan - place.x;
            area(&cut(&cut(&quad.corners, sides), |place| 300_000.0 - place.y))
        };
        // 24.5 square millimetres.
        assert!((clipped(&corner) / 1e6 - 24.5).abs() < 0.1);
    }

    #[test]
    fn range_is_taken_straight_ahead_to_the_nearest_point_inside() {
        let zone = Lean::leaning(Angle::whole(30));
        let range = zone.reaches(&element(0.0, 0.0), Length::cm(30.0), &enemy(60.0, 95.0));
        assert_eq!(range, Some(Length::mm(85.0)));
        // The nearest corner of this one is outside, so the side of the zone decides: 50 = 10 + y tan 30.
        let range = zone.reaches(&element(0.0, 0.0), Length::cm(30.0), &enemy(60.0, 70.0)).map(Length::as_f64);
        assert!(range.is_some_and(|range| (range - 40_000.0 / zone.tan).abs() < 2.0));
    }
}
