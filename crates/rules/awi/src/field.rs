//! The field at a glance: who touches whom, what is seen, what covers. Rulings R18 to R20 and section C.

use super::Awi;
use super::unit::{Arm, Condition, Facts, Formation, Soldiers};
use engine::{CommanderId, Side, State, Unit, UnitId};
use smallvec::SmallVec;
use table::sight::{self, Sight, SightRule, Sightline};
use table::terrain::{Feature, TerrainKind};
use table::{Angle, Length, Quad, Vec2, within_arc};

/// Shorthand: this battle.
pub type Field = State<Awi>;
/// A few units.
pub type Few = SmallVec<[UnitId; 4]>;

/// A unit's facts.
pub fn facts(field: &Field, id: UnitId) -> &Facts {
    &field.card(id).facts
}

/// A unit's state.
pub fn soldiers(field: &Field, id: UnitId) -> &Soldiers {
    &field.unit(id).own
}

/// A unit's flag; a battery's muzzle.
pub fn flag(field: &Field, id: UnitId) -> Vec2 {
    field.unit(id).pose().at.vec()
}

/// Formed troops of a side on the table, sharpshooters left out.
pub fn troops(field: &Field, side: Side) -> impl Iterator<Item = (UnitId, &Unit<Awi>)> {
    field.present(side).filter(|(id, _)| facts(field, *id).is_troops())
}

/// Formed troops of both sides on the table.
pub fn all_troops(field: &Field) -> impl Iterator<Item = (UnitId, &Unit<Awi>)> {
    field.units().filter(|(id, unit)| unit.is_present() && facts(field, *id).is_troops())
}

/// Whether the piece is a formed body on the table.
pub fn is_there(field: &Field, id: UnitId) -> bool {
    field.unit(id).is_present() && facts(field, id).is_troops()
}

/// Whether it runs.
pub fn is_routing(field: &Field, id: UnitId) -> bool {
    soldiers(field, id).condition == Condition::Routing
}

/// Enemies in base contact, routers left out on both sides: whoever runs is not fighting.
pub fn touching_enemies(field: &Field, id: UnitId) -> Few {
    if !is_there(field, id) || is_routing(field, id) {
        return Few::new();
    }
    let quad = field.unit(id).quad();
    troops(field, field.side_of(id).other())
        .filter(|(other, unit)| table::quads_touch(quad, unit.quad()) && !is_routing(field, *other))
        .map(|(other, _)| other)
        .collect()
}

/// Whether it is in a melee.
pub fn is_engaged(field: &Field, id: UnitId) -> bool {
    if !is_there(field, id) || is_routing(field, id) {
        return false;
    }
    let quad = field.unit(id).quad();
    troops(field, field.side_of(id).other())
        .any(|(other, unit)| table::quads_touch(quad, unit.quad()) && !is_routing(field, other))
}

/// The level of the ground under a unit's flag.
pub fn level(field: &Field, id: UnitId) -> u8 {
    field.ground().level_at(flag(field, id))
}

/// From flag to flag, or muzzle to flag (12-b, 12-c).
pub fn fire_distance(field: &Field, by: UnitId, at: UnitId) -> Length {
    field.unit(by).pose().at.distance(field.unit(at).pose().at)
}

/// A commander's reference point: the centre of his stand.
pub fn officer_point(field: &Field, id: CommanderId) -> Vec2 {
    field.commander(id).quad().centre
}

/// The half angle of the arc of fire (R18).
pub fn arc_half_angle(field: &Field) -> Angle {
    let chart = field.charts().arc.half_angle.value.get();
    Angle::whole(field.settings().arc_half_angle.map_or(chart, i32::from))
}

/// Whether a point is in a unit's arc.
pub fn in_arc(field: &Field, by: UnitId, target: Vec2) -> bool {
    within_arc(field.unit(by).pose(), target, arc_half_angle(field))
}

/// What blocks sight in this book (R19).
pub struct Eyes {
    woods_limit: Length,
}

impl SightRule for Eyes {
    fn feature_blocks(&self, feature: &Feature, inside: Length, line: &Sightline) -> bool {
        match feature.kind {
            TerrainKind::Woods | TerrainKind::Orchard => inside > self.woods_limit + table::SLACK,
            TerrainKind::Building | TerrainKind::Town => {
                !feature.shape.contains(line.from) && !feature.shape.contains(line.to)
            }
            TerrainKind::Hill => feature.level > line.from_level.max(line.to_level),
            _ => false,
        }
    }

    fn body_blocks(&self, level: u8, line: &Sightline) -> bool {
        line.from_level <= level && line.to_level <= level
    }

    fn pooled(&self, kind: TerrainKind) -> bool {
        matches!(kind, TerrainKind::Woods | TerrainKind::Orchard)
    }
}

fn sightline(field: &Field, from: Vec2, to: Vec2) -> Sightline {
    let ground = field.ground();
    Sightline { from, to, from_level: ground.level_at(from), to_level: ground.level_at(to) }
}

/// Bodies near a line of sight; the level under each is looked up only for those.
fn in_the_way<'f>(
    field: &'f Field,
    from: Vec2,
    to: Vec2,
    except: &'f [UnitId],
) -> impl Iterator<Item = (usize, &'f Quad, u8)> {
    let (way, length) = (to - from, from.distance(to));
    let ahead = way.normalised();
    all_troops(field)
        .filter(move |(_, unit)| {
            let quad = unit.quad();
            let offset = quad.centre - from;
            let along = offset.dot(ahead);
            offset.cross(ahead).abs() <= quad.radius && along >= -quad.radius && along <= length + quad.radius
        })
        .filter(|(id, _)| !except.contains(id))
        .map(|(id, unit)| (id.index(), unit.quad(), field.ground().level_at(unit.pose().at.vec())))
}

/// Whether one point sees another past all units but those named.
pub fn sees(field: &Field, from: Vec2, to: Vec2, except: &[UnitId]) -> bool {
    let eyes = Eyes { woods_limit: field.charts().sight.woods_limit.value.0 };
    sight::is_clear(field.ground(), &sightline(field, from, to), &eyes, in_the_way(field, from, to, except))
}

/// The same, naming everything that blocks.
pub fn look(field: &Field, from: Vec2, to: Vec2, except: &[UnitId]) -> Sight {
    let eyes = Eyes { woods_limit: field.charts().sight.woods_limit.value.0 };
    let bodies: Vec<(usize, Quad, u8)> =
        in_the_way(field, from, to, except).map(|(n, quad, level)| (n, *quad, level)).collect();
    sight::look(field.ground(), &sightline(field, from, to), &eyes, bodies)
}

/// Whether a unit sees another.
pub fn sees_unit(field: &Field, by: UnitId, at: UnitId) -> bool {
    sees(field, flag(field, by), flag(field, at), &[by, at])
}

/// Cover of either kind (R20).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Cover {
    Soft,
    Hard,
}

fn cover_of(kind: TerrainKind) -> Option<Cover> {
    use TerrainKind as T;
    match kind {
        T::Hedge | T::Fence | T::Woods | T::Orchard | T::Crops | T::Scrub => Some(Cover::Soft),
        T::Wall | T::Abatis | T::Earthwork | T::Building | T::Town | T::Redoubt => Some(Cover::Hard),
        _ => None,
    }
}

/// The best cover a unit has against whatever comes from a point; `to` is where it is aimed or struck.
pub fn cover_against(field: &Field, id: UnitId, from: Vec2, to: Vec2) -> Option<Cover> {
    let behind = field.charts().cover.behind_line.value.0 + table::SLACK;
    let (unit, mut best) = (field.unit(id), None);
    for feature in &field.ground().features {
        let Some(cover) = cover_of(feature.kind) else { continue };
        let covers = if feature.kind.is_linear() {
            feature.shape.gap_to(unit.quad()) <= behind.as_f64() && !feature.shape.clip((from, to)).is_empty()
        } else {
            feature.shape.contains(flag(field, id))
        };
        if covers {
            best = best.max(Some(cover));
        }
    }
    best
}

/// Whether a unit is artillery in a formation that can fire.
pub fn can_shoot_guns(field: &Field, id: UnitId) -> bool {
    facts(field, id).arm == Arm::Artillery && field.unit(id).body.formation == Formation::Unlimbered
}

/// How ground is crossed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Going {
    /// Costs nothing.
    Open,
    /// Every inch counts double to most.
    Woods,
    /// Costs once a turn.
    Difficult,
    /// Costs each time it is crossed.
    Obstacle,
    /// Foot may enter at the cost of an obstacle, others never.
    Building,
    /// Nobody.
    Impassable,
    /// A way over what is otherwise impassable.
    Crossing,
    /// Columns go faster.
    Road,
}

/// How a kind of terrain is crossed (F.0).
pub fn going(kind: TerrainKind) -> Going {
    use TerrainKind as T;
    match kind {
        T::Woods | T::Orchard => Going::Woods,
        T::Difficult | T::Marsh => Going::Difficult,
        T::Hedge | T::Fence | T::Wall | T::Abatis | T::Earthwork | T::Stream | T::Redoubt => Going::Obstacle,
        T::Building | T::Town => Going::Building,
        T::River | T::Lake | T::Swamp | T::Cliff => Going::Impassable,
        T::Ford | T::Bridge | T::Pontoon => Going::Crossing,
        T::Road | T::Track => Going::Road,
        T::Clearing | T::Scrub | T::Crops | T::Hill | T::Railway => Going::Open,
    }
}

/// Whether ground is closed to an arm.
pub fn is_closed(kind: TerrainKind, arm: Arm) -> bool {
    match going(kind) {
        Going::Impassable => true,
        Going::Building => arm != Arm::Infantry,
        _ => false,
    }
}
