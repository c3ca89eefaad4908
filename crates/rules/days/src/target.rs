//! What a target is: its class, its cover, the grade of the fire at it. Section 13, C-01 to C-07, C.7, A-33 to A-35.

use super::charts::{Count, Grades, TargetClass, reach};
use super::clause::Clause;
use super::event::TurnStep;
use super::field::{self, Field, is_there};
use super::formation::Shape;
use super::ground;
use super::settings::Weight;
use super::unit::{Arm, Aspect, Part, Trait};
use engine::{Cited, UnitId};
use smallvec::SmallVec;
use table::{Angle, Length, Quad, Vec2};

/// The classes of one target.
pub type Classes = SmallVec<[TargetClass; 3]>;

/// Every class that fits a unit, cover seen from a place.
pub fn classes(field: &Field, target: UnitId, from: Vec2) -> Classes {
    classes_with(field, target, cover(field, target, from))
}

/// Every class that fits a unit in this cover.
pub fn classes_with(field: &Field, target: UnitId, cover: Option<Weight>) -> Classes {
    let mut classes = Classes::new();
    classes.push(of_formation(field, target));
    let kinds = &field.charts().target;
    if field::state(field, target).to_ground && field.charts().switch.to_ground.value {
        classes.push(kinds.to_ground.value);
    }
    if is_fast(field, target) {
        classes.push(TargetClass::Fast);
    }
    classes.extend(cover.map(|weight| match weight {
        Weight::Heavy => TargetClass::Heavy,
        Weight::Light | Weight::Undefined => TargetClass::Light,
    }));
    classes
}

/// The class of its formation, or what replaces it.
fn of_formation(field: &Field, target: UnitId) -> TargetClass {
    let (kinds, facts) = (&field.charts().target, field::facts(field, target));
    let cell = match facts.arm {
        Arm::Engineers => kinds.engineers,
        _ if facts.part_kind() == Some(Part::Crew) => kinds.crew,
        _ if field::is_routing(field, target) => kinds.routing,
        Arm::Wagon => kinds.wagon,
        _ if facts.part_kind() == Some(Part::Holders) => kinds.holders,
        _ if field::troops(field, target).relieved.is_some() => kinds.relieved,
        _ => match field::shape(field, target) {
            Shape::Skirmish => kinds.skirmish,
            Shape::Line => kinds.line,
            Shape::Square => kinds.square,
            Shape::March | Shape::Manoeuvre | Shape::Column => kinds.column,
            Shape::Limbered => kinds.limbered,
            Shape::Deployed | Shape::Massed => kinds.deployed,
        },
    };
    cell.value
}

/// Horse whose charge covers more than 8": the declared way in the Shooting Phase, what it has ridden after (A-33).
pub fn is_fast(field: &Field, target: UnitId) -> bool {
    let ridden = field.ledger().step > TurnStep::Shooting;
    let charge = field::troops(field, target).charge.as_ref().filter(|_| field::is_mounted(field, target));
    charge.is_some_and(|charge| is_long(field, if ridden { charge.gone } else { charge.way }))
}

/// Whether a charge of this length makes a fast target.
pub fn is_long(field: &Field, way: Length) -> bool {
    field::measured(way) > reach(field.charts().constant.fast)
}

/// The cover of a unit against somebody at a place: at least half of its stands have it.
pub fn cover(field: &Field, target: UnitId, from: Vec2) -> Option<Weight> {
    if !is_there(field, target) {
        return None;
    }
    cover_of(field, target, field::stands(field, target), from)
}

/// The cover a unit has against an enemy who comes or has come to close quarters: straight before its stands where he is
/// before its front, and towards the nearest of his stands otherwise. A single place to look from would see past the ends
/// of a wall as soon as he is near.
pub fn cover_against(field: &Field, unit: UnitId, enemy: UnitId) -> Option<Weight> {
    if !is_there(field, unit) || !is_there(field, enemy) {
        return None;
    }
    let (stands, theirs) = (field::stands(field, unit), field::stands(field, enemy));
    let shelter = ground::Shelter::about(field, stands)?;
    let centre = field.unit(enemy).quad().centre;
    let before = field::has_flanks(field, unit) && field::aspect(field, unit, centre) == Aspect::Front;
    let near = reach(field.charts().constant.cover);
    let from = |stand: &Quad| {
        let (left, right) = stand.front_edge();
        let ahead = ((left + right) * 0.5 - stand.centre).normalised();
        let nearest = theirs.iter().map(|one| one.centre).min_by_key(|one| Length::from_um(one.distance(stand.centre)));
        let across = stand.centre + ahead * (near + near).as_f64();
        if before { across } else { nearest.unwrap_or(across) }
    };
    weigh(stands.iter().map(|stand| shelter.of_stand(unit, stand, from(stand))), stands.len())
}

/// The cover of those stands of a unit that somebody at a place can see.
pub fn cover_of(field: &Field, target: UnitId, stands: &[Quad], from: Vec2) -> Option<Weight> {
    let shelter = ground::Shelter::about(field, stands)?;
    weigh(stands.iter().map(|stand| shelter.of_stand(target, stand, from)), stands.len())
}

/// The cover at least half of the stands have.
fn weigh(covers: impl Iterator<Item = Option<Weight>>, stands: usize) -> Option<Weight> {
    let (mut light, mut heavy) = (0, 0);
    let enough = |covered: usize| covered > 0 && covered * 2 >= stands;
    for (no, cover) in covers.enumerate() {
        // Once those still to come change nothing they are not looked at.
        if enough(heavy) || !enough(heavy + light + stands.saturating_sub(no)) {
            break;
        }
        match cover {
            Some(Weight::Heavy) => heavy += 1,
            Some(Weight::Light | Weight::Undefined) => light += 1,
            None => {}
        }
    }
    if enough(heavy) {
        return Some(Weight::Heavy);
    }
    enough(heavy + light).then_some(Weight::Light)
}

/// The class that counts among those that fit: the one hardest to hit, in a fixed order where several are (C-01).
pub fn column(field: &Field, grades: &Grades, classes: &[TargetClass]) -> (TargetClass, Cited<Count>) {
    let order = &field.charts().target.order.value;
    let place = |class: &TargetClass| order.iter().position(|one| one == class).unwrap_or(order.len());
    let class = classes.iter().copied().min_by_key(|class| (grades.of(*class).value, place(class)));
    let class = class.unwrap_or(TargetClass::Line);
    (class, grades.of(class))
}

/// The clause that puts a target into a class.
pub fn clause_of(field: &Field, target: Option<UnitId>, class: TargetClass) -> Clause {
    let down = target.is_some_and(|id| field::state(field, id).to_ground && !field::skirmishes(field, id));
    let skirmishes = target.is_some_and(|id| field::skirmishes(field, id));
    match class {
        TargetClass::Dispersed if down => Clause::LyingDownDisperses,
        TargetClass::Dispersed if skirmishes => Clause::AThinTarget,
        TargetClass::Dispersed => Clause::WhatIsDispersed,
        TargetClass::Line if target.is_some_and(|id| field::is_deployed(field, id)) => Clause::GunsInAction,
        TargetClass::Line => Clause::WhatIsLine,
        TargetClass::Dense if target.is_some_and(|id| field::is_limbered(field, id)) => Clause::LimberedGunsAreDense,
        TargetClass::Dense => Clause::WhatIsDense,
        TargetClass::Fast => Clause::WhatIsFast,
        TargetClass::Light => Clause::WhatIsLightCover,
        TargetClass::Heavy => Clause::WhatIsHeavyCover,
    }
}

/// The clause that says what belongs to a class.
pub const fn class_clause(class: TargetClass) -> Clause {
    match class {
        TargetClass::Dispersed => Clause::WhatIsDispersed,
        TargetClass::Line => Clause::WhatIsLine,
        TargetClass::Dense => Clause::WhatIsDense,
        TargetClass::Fast => Clause::WhatIsFast,
        TargetClass::Light => Clause::WhatIsLightCover,
        TargetClass::Heavy => Clause::WhatIsHeavyCover,
    }
}

/// The widest gap in the perimeter of a square made of several units.
// tidy: allow(ruling 117 of the house)
const SQUARE_GAP: Length = Length::whole_inches(1).half();

/// Whether a unit is in square, or counts as in one of a group's.
pub fn in_square(field: &Field, unit: UnitId) -> bool {
    if !is_there(field, unit) || field::is_routing(field, unit) {
        return false;
    }
    field::shape(field, unit) == Shape::Square || !square_group(field, unit).is_empty()
}

/// The other units with which a unit closes a perimeter that faces outward; none where it does not.
pub fn square_group(field: &Field, unit: UnitId) -> field::Few {
    if !field::squares_allowed(field) || !may_close(field, unit) {
        return field::Few::new();
    }
    let mut group: SmallVec<[(UnitId, &[Quad]); 4]> = SmallVec::new();
    group.push((unit, field::stands(field, unit)));
    let side = field.side_of(unit);
    let mut next = 0;
    while let Some((id, stands)) = group.get(next).cloned() {
        next += 1;
        for (other, one) in field.present(side) {
            let far = || field::surely_beyond(field.unit(id).quad(), one.quad(), SQUARE_GAP);
            if group.iter().any(|(known, _)| *known == other) || !may_close(field, other) || far() {
                continue;
            }
            let others = field::stands(field, other);
            if field::measured(field::gap_of(stands, others)) <= SQUARE_GAP {
                group.push((other, others));
            }
        }
    }
    let all: Vec<Quad> = group.iter().flat_map(|(_, stands)| stands.iter().copied()).collect();
    if group.len() < 2 || !is_closed(&all) {
        return field::Few::new();
    }
    group.into_iter().map(|(id, _)| id).filter(|id| *id != unit).collect()
}

/// Regular foot in the ranks that can take its place in such a square.
fn may_close(field: &Field, unit: UnitId) -> bool {
    let facts = field::facts(field, unit);
    is_there(field, unit)
        && facts.arm == Arm::Infantry
        && facts.part.is_none()
        && facts.is(Trait::LineInfantry)
        && !facts.is(Trait::Irregular)
        && !field::is_routing(field, unit)
        && matches!(field::shape(field, unit), Shape::Line | Shape::Square)
}

/// Whether stands in a ring look outward and leave no gap.
fn is_closed(stands: &[Quad]) -> bool {
    let centre = stands.iter().fold(Vec2::ZERO, |sum, stand| sum + stand.centre) * (1.0 / stands.len().max(1) as f64);
    let outward = |stand: &Quad| {
        let (left, right) = stand.front_edge();
        let middle = (left + right) * 0.5;
        (middle - stand.centre).dot(stand.centre - centre) > 0.0
    };
    if !stands.iter().all(outward) {
        return false;
    }
    let mut ring: Vec<(Angle, &Quad)> = stands.iter().map(|stand| (Angle::of(stand.centre - centre), stand)).collect();
    ring.sort_by_key(|(angle, _)| *angle);
    let neighbours = ring.iter().zip(ring.iter().cycle().skip(1));
    neighbours.into_iter().all(|((_, one), (_, next))| field::measured(table::gap(one, next)) <= SQUARE_GAP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Footprint, Point, Pose};

    fn side(x: f64, y: f64, facing: i32, count: usize) -> Vec<Quad> {
        let inch = Length::whole_inches(1);
        let at = Point::new(Length::inches(x), Length::inches(y));
        let layout = table::Layout::line(count, Footprint { width: inch, depth: inch }, Length::ZERO);
        layout.quads(Pose { at, facing: Angle::whole(facing) }).collect()
    }

    #[test]
    fn lines_that_meet_at_their_corners_close_a_square() {
        let ring = |gap: f64| {
            let mut all = side(0.0, 3.0 + gap, 0, 4);
            all.extend(side(3.0, 0.0, 90, 4));
            all.extend(side(0.0, -3.0, 180, 4));
            all.extend(side(-3.0, 0.0, 270, 4));
            all
        };
        assert!(is_closed(&ring(0.0)));
        assert!(is_closed(&ring(0.4)));
        assert!(!is_closed(&ring(0.7)), "the gap is too wide");
        let inward: Vec<Quad> = [side(0.0, 3.0, 180, 4), side(0.0, -3.0, 0, 4)].concat();
        assert!(!is_closed(&inward), "they look at each other");
        assert!(!is_closed(&side(0.0, 0.0, 0, 8)), "a line closes nothing");
    }
}
