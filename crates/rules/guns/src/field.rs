//! The field at a glance: elements, gaps, spacing, who is formed, what ground does. Sections B, C and R76.

use super::Guns;
use super::charts::Measure;
use super::formation::{Formation, Spacing};
use super::settings::Scale;
use super::unit::{Arm, Cycle, Facts, Troops};
use engine::{Cited, CommandId, CommanderId, FeatureId, Side, State, Unit, UnitId, Whereabouts};
use smallvec::SmallVec;
use table::terrain::{Feature, TerrainKind};
use table::{Length, Pose, Quad, SLACK, Vec2};

/// Shorthand: this battle.
pub type Field = State<Guns>;
/// A few units.
pub type Few = SmallVec<[UnitId; 4]>;
/// The rectangles of a unit's elements.
pub type Elements = SmallVec<[Quad; 12]>;

/// A unit's facts.
pub fn facts(field: &Field, id: UnitId) -> &Facts {
    &field.card(id).facts
}

/// A unit's state.
pub fn troops(field: &Field, id: UnitId) -> &Troops {
    &field.unit(id).own
}

/// A unit's formation.
pub fn formation(field: &Field, id: UnitId) -> Formation {
    field.unit(id).body.formation
}

/// A distance of the book at the scale of this battle.
pub fn distance(field: &Field, measure: &Cited<Measure>) -> Length {
    measure.value.at(field.settings().scale)
}

/// How many elements it has on the table; a battery is one base.
pub fn count(field: &Field, id: UnitId) -> u8 {
    field.unit(id).body.stands.count() as u8
}

/// Whether the unit stands on the table.
pub fn is_there(field: &Field, id: UnitId) -> bool {
    field.unit(id).is_present()
}

/// A length in the measure of the battle, for people.
pub fn show(field: &Field, length: Length) -> String {
    match field.settings().scale {
        Scale::Small | Scale::Middle => length.show(table::Unit::Centimetre),
        Scale::Large => length.show(table::Unit::Inch),
    }
}

/// Whether a unit is in hiding (R74).
pub fn is_hidden(unit: &Unit<Guns>) -> bool {
    unit.whereabouts == Whereabouts::Hidden
}

/// Units of a side on the table, hidden ones included; what a viewer may not know is not in his view.
pub fn present(field: &Field, side: Side) -> impl Iterator<Item = (UnitId, &Unit<Guns>)> {
    field.present(side)
}

/// Units of a side the enemy knows of.
pub fn known(field: &Field, side: Side) -> impl Iterator<Item = (UnitId, &Unit<Guns>)> {
    field.present(side).filter(|(_, unit)| !is_hidden(unit))
}

/// The brigade-level command of a unit.
pub fn brigade(field: &Field, id: UnitId) -> Option<CommandId> {
    field.card(id).command
}

/// The units of a brigade, its screen among them, whether on the table or not.
pub fn brigade_units(field: &Field, brigade: CommandId) -> impl Iterator<Item = UnitId> + '_ {
    field.muster().unit_ids().filter(move |id| field.card(*id).command == Some(brigade))
}

/// Brigade-level commands of a side, in the order of the set-up.
pub fn brigades(field: &Field, side: Side) -> impl Iterator<Item = CommandId> + '_ {
    let muster = field.muster();
    muster.command_ids().filter(move |id| {
        let card = muster.command(*id);
        card.side == side
            && card.commander.is_some_and(|who| muster.commander(who).facts.level == super::unit::Level::Brigade)
    })
}

/// The general of a command.
pub fn general_of(field: &Field, command: CommandId) -> Option<CommanderId> {
    field.muster().command(command).commander
}

/// The generals above a brigade, the nearest first, its own commander first of all.
pub fn chain(field: &Field, brigade: CommandId) -> SmallVec<[CommanderId; 4]> {
    let mut chain = SmallVec::new();
    let mut next = Some(brigade);
    while let Some(command) = next {
        let card = field.muster().command(command);
        chain.extend(card.commander);
        next = card.parent;
    }
    chain
}

/// The elements of a unit where it is.
pub fn elements(field: &Field, id: UnitId) -> Elements {
    let unit = field.unit(id);
    elements_at(field, id, unit.pose(), unit.body.formation)
}

/// The elements of a unit if it stood elsewhere.
pub fn elements_at(field: &Field, id: UnitId, pose: Pose, formation: Formation) -> Elements {
    facts(field, id).layout(formation, count(field, id)).quads(pose).collect()
}

/// How many of its elements stand in the first rank: those come first among its elements. In a column of squadrons
/// only the squadron that leads has a first rank (R58); [`leads`] tells.
pub fn first_rank(field: &Field, id: UnitId) -> usize {
    usize::from(formation(field, id).files_of(count(field, id)))
}

/// The order in which a unit counts as standing.
pub fn spacing(field: &Field, id: UnitId) -> Spacing {
    let unit = field.unit(id);
    facts(field, id).spacing(&unit.own, unit.body.formation, count(field, id))
}

/// Close or loose order, and not broken (R21).
pub fn is_formed(field: &Field, id: UnitId) -> bool {
    spacing(field, id).is_formed() && !troops(field, id).broken
}

/// Whether it skirmishes: extended, but not guns (R83).
pub fn skirmishes(field: &Field, id: UnitId) -> bool {
    !facts(field, id).is_battery() && spacing(field, id) == Spacing::Extended
}

/// Whether rules that name infantry mean it (R12f).
pub fn is_foot(field: &Field, id: UnitId) -> bool {
    facts(field, id).is_foot(troops(field, id))
}

/// Whether it is cavalry in the saddle.
pub fn is_mounted(field: &Field, id: UnitId) -> bool {
    facts(field, id).is_mounted(troops(field, id))
}

/// Whether it is a battery ready to fire.
pub fn is_deployed(field: &Field, id: UnitId) -> bool {
    facts(field, id).is_battery() && troops(field, id).cycle == Cycle::Deployed
}

/// Whether it may still charge as far as its status goes (track-d).
pub fn may_charge_by_status(field: &Field, id: UnitId) -> bool {
    troops(field, id).status >= facts(field, id).charge_limit
}

/// Whether it may still advance as far as its status goes (track-e).
pub fn may_advance_by_status(field: &Field, id: UnitId) -> bool {
    troops(field, id).status >= facts(field, id).advance_limit
}

/// Whether it carries small arms it could use as it stands: foot with a firearm, cavalry extended with a long arm.
pub fn uses_small_arms(field: &Field, id: UnitId) -> bool {
    let (facts, troops) = (facts(field, id), troops(field, id));
    if !facts.weapon.fires() || facts.weapon.artillery {
        return false;
    }
    match facts.arm {
        Arm::Cavalry if troops.mounted => facts.weapon.is_long_arm() && spacing(field, id) == Spacing::Extended,
        _ => !facts.is_battery() || troops.cycle == Cycle::Deployed,
    }
}

/// The distance at which those who charge it are tested (R20).
pub fn flinch_distance(field: &Field, target: UnitId) -> Length {
    if uses_small_arms(field, target) {
        facts(field, target).weapon.short
    } else {
        distance(field, &field.charts().charge.flinch_default)
    }
}

/// The gap between two units, element to element; a garrison reaches to the edge of what it holds (R20).
pub fn gap(field: &Field, a: UnitId, b: UnitId) -> Length {
    gap_of(&elements(field, a), &elements(field, b))
}

/// The gap between two sets of rectangles.
pub fn gap_of(a: &[Quad], b: &[Quad]) -> Length {
    let gaps = a.iter().flat_map(|one| b.iter().map(|other| table::gap(one, other)));
    gaps.min().unwrap_or(Length::MAX)
}

/// Whether two rectangles are surely further apart than a distance; cheap, and never wrong when it says so.
pub fn surely_beyond(a: &Quad, b: &Quad, distance: Length) -> bool {
    let reach = a.radius + b.radius + distance.as_f64() + SLACK.as_f64();
    (b.centre - a.centre).length_squared() > reach * reach
}

/// Whether the gap between two units is at most a distance, the house tolerance allowed.
pub fn within(field: &Field, a: UnitId, b: UnitId, distance: Length) -> bool {
    !surely_beyond(field.unit(a).quad(), field.unit(b).quad(), distance) && gap(field, a, b) <= distance + SLACK
}

/// The level of the ground under a place.
pub fn level(field: &Field, place: Vec2) -> u8 {
    field.ground().level_at(place)
}

/// The direction of the enemy's baseline: where an advance goes (R48).
pub fn forward(field: &Field, side: Side) -> Vec2 {
    use table::terrain::Edge;
    match field.muster().sides[side].edges.first() {
        Some(Edge::North) => Vec2 { x: 0.0, y: -1.0 },
        Some(Edge::East) => Vec2 { x: -1.0, y: 0.0 },
        Some(Edge::West) => Vec2 { x: 1.0, y: 0.0 },
        Some(Edge::South) => Vec2 { x: 0.0, y: 1.0 },
        None if side == Side::A => Vec2 { x: 0.0, y: 1.0 },
        None => Vec2 { x: 0.0, y: -1.0 },
    }
}

/// How ground is crossed (terrain-b to -f).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
    /// Freely.
    Open,
    /// Wading, per game unit.
    Stream,
    /// Rough ground or marsh, per game unit.
    Rough,
    /// A wall, fence or hedge, each time.
    Obstacle,
    /// Woods or scrub, per game unit.
    Woods,
    /// Houses, per game unit.
    BuiltUp,
    /// Nobody.
    Impassable,
}

/// How a kind of ground is crossed.
pub fn ground(kind: TerrainKind) -> Ground {
    use TerrainKind as T;
    match kind {
        T::Stream => Ground::Stream,
        T::Difficult | T::Marsh => Ground::Rough,
        T::Hedge | T::Fence | T::Wall | T::Abatis | T::Earthwork => Ground::Obstacle,
        T::Woods | T::Scrub | T::Orchard => Ground::Woods,
        T::Building | T::Town => Ground::BuiltUp,
        T::River | T::Lake | T::Swamp | T::Cliff => Ground::Impassable,
        T::Clearing | T::Crops | T::Redoubt | T::Hill | T::Road | T::Track | T::Railway => Ground::Open,
        T::Ford | T::Bridge | T::Pontoon => Ground::Open,
    }
}

/// Whether it is a road or leads over what cannot be crossed otherwise (R56).
pub fn is_road(kind: TerrainKind) -> bool {
    use TerrainKind as T;
    matches!(kind, T::Road | T::Track | T::Bridge | T::Pontoon | T::Ford)
}

/// Cover (R76).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cover {
    /// Halts the eye more than the ball.
    Soft,
    /// Stops a bullet.
    Hard,
}

/// The cover a kind of ground gives.
pub fn cover_of(kind: TerrainKind) -> Option<Cover> {
    use TerrainKind as T;
    match kind {
        T::Building | T::Town | T::Redoubt | T::Earthwork | T::Wall | T::Abatis => Some(Cover::Hard),
        T::Fence | T::Hedge | T::Woods | T::Scrub | T::Orchard | T::Crops => Some(Cover::Soft),
        _ => None,
    }
}

/// Whether it is a defensive perimeter: man-made, and held (passed-e).
pub fn is_perimeter(kind: TerrainKind) -> bool {
    use TerrainKind as T;
    matches!(kind, T::Building | T::Town | T::Redoubt | T::Earthwork | T::Wall | T::Abatis | T::Fence)
}

/// Whether close order comes apart in it (cause-b).
pub fn is_difficult(kind: TerrainKind) -> bool {
    matches!(ground(kind), Ground::Woods | Ground::BuiltUp | Ground::Rough)
}

/// Whether its defenders are entrenched, which howitzers like (tactical-s).
pub fn is_trench(kind: TerrainKind) -> bool {
    matches!(kind, TerrainKind::Earthwork | TerrainKind::Redoubt)
}

/// Whether a feature is on fire: no cover any more, and nobody goes in (R69).
pub fn is_ablaze(field: &Field, feature: FeatureId) -> bool {
    field.ledger().buildings.iter().any(|building| building.feature == feature && building.ablaze)
}

/// The feature a unit defends, if it still gives cover.
pub fn defended(field: &Field, id: UnitId) -> Option<(FeatureId, &Feature)> {
    let feature = troops(field, id).defending?;
    let found = field.ground().features.get(feature.index())?;
    (!is_ablaze(field, feature)).then_some((feature, found))
}

/// A feature's name for people.
pub fn feature_name(feature: &Feature) -> &str {
    if feature.name.is_empty() { &feature.key } else { &feature.name }
}
