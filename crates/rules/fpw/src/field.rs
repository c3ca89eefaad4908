//! The field at a glance: stands and their gaps, who touches whom, what ground a unit stands on. Section C.

use super::Fpw;
use super::unit::{Facts, Formation, Soldiers};
use engine::{CommanderId, Side, State, Unit, UnitId};
use smallvec::SmallVec;
use table::terrain::{Feature, TerrainKind};
use table::{Length, Pose, Quad, SLACK, Vec2};

/// Shorthand: this battle.
pub type Field = State<Fpw>;
/// A few units.
pub type Few = SmallVec<[UnitId; 4]>;
/// The rectangles of a unit's stands.
pub type Stands = SmallVec<[Quad; 4]>;

/// A unit's facts.
pub fn facts(field: &Field, id: UnitId) -> &Facts {
    &field.card(id).facts
}

/// A unit's state.
pub fn soldiers(field: &Field, id: UnitId) -> &Soldiers {
    &field.unit(id).own
}

/// A unit's formation.
pub fn formation(field: &Field, id: UnitId) -> Formation {
    field.unit(id).body.formation
}

/// Units of a side on the table, hidden ones included; what a viewer may not know is not in his view.
pub fn troops(field: &Field, side: Side) -> impl Iterator<Item = (UnitId, &Unit<Fpw>)> {
    field.present(side)
}

/// Units of a side the enemy knows of: those that can be seen, shot at and bumped into.
pub fn known(field: &Field, side: Side) -> impl Iterator<Item = (UnitId, &Unit<Fpw>)> {
    field.present(side).filter(|(_, unit)| !is_hidden(unit))
}

/// Whether a unit is set up in hiding and not yet uncovered.
pub fn is_hidden(unit: &Unit<Fpw>) -> bool {
    unit.whereabouts == engine::Whereabouts::Hidden
}

/// Whether the unit stands on the table.
pub fn is_there(field: &Field, id: UnitId) -> bool {
    field.unit(id).is_present()
}

/// The stands of a unit where it is.
pub fn stands(field: &Field, id: UnitId) -> Stands {
    let unit = field.unit(id);
    stands_at(field, id, unit.pose(), unit.body.formation)
}

/// The stands of a unit if it stood elsewhere.
pub fn stands_at(field: &Field, id: UnitId, pose: Pose, formation: Formation) -> Stands {
    let count = field.unit(id).body.stands.count() as u8;
    facts(field, id).layout(formation, count).quads(pose).collect()
}

/// The rectangles that cover a unit and nothing else: one, but for the dense formation whose last rank is shorter.
pub fn bodies(field: &Field, id: UnitId) -> Stands {
    let unit = field.unit(id);
    if unit.body.formation == Formation::Dense && unit.body.stands.count() % 2 == 1 {
        stands(field, id)
    } else {
        SmallVec::from_slice(&[*unit.quad()])
    }
}

/// The same if it stood elsewhere.
pub fn bodies_at(field: &Field, id: UnitId, pose: Pose, formation: Formation) -> Stands {
    let count = field.unit(id).body.stands.count();
    if formation == Formation::Dense && count % 2 == 1 {
        stands_at(field, id, pose, formation)
    } else {
        SmallVec::from_slice(&[field.footprint(id, formation).quad(pose)])
    }
}

/// The gap between two sets of rectangles, nearest points (C.5).
pub fn gap_between(a: &[Quad], b: &[Quad]) -> Length {
    let gaps = a.iter().flat_map(|one| b.iter().map(|other| table::gap(one, other)));
    gaps.min().unwrap_or(Length::MAX)
}

/// The gap between two units.
pub fn gap(field: &Field, a: UnitId, b: UnitId) -> Length {
    gap_between(&bodies(field, a), &bodies(field, b))
}

/// Whether two units are surely further apart than a distance; cheap, and never wrong when it says so.
pub fn surely_beyond(a: &Quad, b: &Quad, distance: Length) -> bool {
    let reach = a.radius + b.radius + distance.as_f64() + SLACK.as_f64();
    (b.centre - a.centre).length_squared() > reach * reach
}

/// Whether the gap between two units is at most a distance, the house tolerance allowed.
pub fn within(field: &Field, a: UnitId, b: UnitId, distance: Length) -> bool {
    !surely_beyond(field.unit(a).quad(), field.unit(b).quad(), distance) && gap(field, a, b) <= distance + SLACK
}

/// Reactive fire range.
pub fn reactive_range(field: &Field) -> Length {
    field.charts().fire.reactive_range.value.0
}

/// Whether two units touch, edge or corner.
pub fn touch(field: &Field, a: UnitId, b: UnitId) -> bool {
    within(field, a, b, Length::ZERO)
}

/// Enemies in base contact.
pub fn touching_enemies(field: &Field, id: UnitId) -> Few {
    if !is_there(field, id) {
        return Few::new();
    }
    known(field, field.side_of(id).other()).map(|(other, _)| other).filter(|other| touch(field, id, *other)).collect()
}

/// Whether it is in contact with an enemy.
pub fn is_engaged(field: &Field, id: UnitId) -> bool {
    is_there(field, id) && known(field, field.side_of(id).other()).any(|(other, _)| touch(field, id, other))
}

/// The furthest point of a unit from a rectangle: from its nearest point to the unit's furthest corner (R11, R12).
pub fn furthest(field: &Field, from: &Quad, unit: UnitId) -> Length {
    let corners = bodies(field, unit).into_iter().flat_map(|quad| quad.corners);
    let furthest = corners.map(|corner| table::convex::distance(from.points(), corner)).fold(0.0, f64::max);
    Length::from_um(furthest)
}

/// A general's stand.
pub fn general_quad(field: &Field, id: CommanderId) -> &Quad {
    field.commander(id).quad()
}

/// The level of the ground at a unit's flag.
pub fn level(field: &Field, id: UnitId) -> u8 {
    field.ground().level_at(field.unit(id).pose().at.vec())
}

/// What a kind of ground does (F.0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rough {
    /// Nothing.
    Open,
    /// Halves a move.
    Terrain,
    /// Quarters it, but for march columns.
    Dense,
    /// Nobody enters.
    Impassable,
}

/// How ground is crossed (F.0).
pub fn rough(kind: TerrainKind) -> Rough {
    use TerrainKind as T;
    match kind {
        T::Woods | T::Building | T::Town => Rough::Dense,
        T::Orchard | T::Scrub | T::Crops | T::Difficult | T::Marsh | T::Redoubt => Rough::Terrain,
        T::Hedge | T::Fence | T::Wall | T::Abatis | T::Earthwork | T::Stream | T::Railway => Rough::Terrain,
        T::River | T::Lake | T::Swamp | T::Cliff => Rough::Impassable,
        T::Clearing | T::Hill | T::Road | T::Track | T::Ford | T::Bridge | T::Pontoon => Rough::Open,
    }
}

/// Whether it carries a march column at full pace.
pub fn is_road(kind: TerrainKind) -> bool {
    matches!(kind, TerrainKind::Road | TerrainKind::Track | TerrainKind::Bridge | TerrainKind::Pontoon)
}

/// Whether it hides what is inside and behind (F.0): woods of either kind and built-up areas.
pub fn blocks_sight(kind: TerrainKind) -> bool {
    matches!(kind, TerrainKind::Woods | TerrainKind::Orchard | TerrainKind::Building | TerrainKind::Town)
}

/// Cover of either kind (R44).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shelter {
    /// Terrain or linear cover.
    Cover,
    /// Dense terrain, built-up areas, prepared defences, fortifications.
    Dense,
}

/// The cover a kind of ground gives.
pub fn shelter_of(kind: TerrainKind) -> Option<Shelter> {
    use TerrainKind as T;
    match kind {
        T::Woods | T::Building | T::Town | T::Earthwork | T::Redoubt => Some(Shelter::Dense),
        T::Orchard | T::Crops | T::Difficult | T::Hedge | T::Fence | T::Wall | T::Railway | T::Abatis => {
            Some(Shelter::Cover)
        }
        _ => None,
    }
}

/// The best cover a stand has against what comes from a point: an area it is in, at least in part, or a line it lies
/// close behind that the shot must cross.
pub fn shelter(field: &Field, stand: &Quad, from: Vec2) -> Option<Shelter> {
    let behind = field.charts().fire.behind_line.value.0 + SLACK;
    let mut best = None;
    for feature in &field.ground().features {
        let Some(shelter) = shelter_of(feature.kind) else { continue };
        let covers = if feature.shape.is_line() {
            feature.shape.gap_to(stand) <= behind.as_f64() && !feature.shape.clip((from, stand.centre)).is_empty()
        } else {
            feature.shape.overlaps_quad(stand)
        };
        if covers {
            best = best.max(Some(shelter));
        }
    }
    best
}

/// Whether any stand of a unit is at least partly in dense terrain or a built-up area (R14).
pub fn in_dense(field: &Field, id: UnitId) -> bool {
    let quads = bodies(field, id);
    let mut dense = field.ground().features.iter().filter(|feature| rough(feature.kind) == Rough::Dense);
    dense.any(|feature| quads.iter().any(|quad| feature.shape.overlaps_quad(quad)))
}

/// A feature's name for people.
pub fn feature_name(feature: &Feature) -> &str {
    if feature.name.is_empty() { &feature.key } else { &feature.name }
}
