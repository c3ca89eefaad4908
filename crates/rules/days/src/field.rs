//! The field at a glance: stands, gaps, who is formed, who belongs to whom. Sections B and C.

use super::Days;
use super::charts::{count as figure, reach};
use super::clause::Clause;
use super::formation::{Formation, Shape};
use super::settings::Disputed;
use super::unit::{Arm, Aspect, Facts, OrderState, Part, Trait, Troops};
use engine::{CommandId, CommanderId, EditionNo, Side, State, Unit, UnitId, Whereabouts};
use smallvec::SmallVec;
use std::borrow::Cow;
use table::terrain::Edge;
use table::{Angle, Layout, Length, Point, Pose, Quad, SLACK, Vec2};

/// Shorthand: this battle.
pub type Field = State<Days>;
/// A few units.
pub type Few = SmallVec<[UnitId; 4]>;
/// The rectangles of a unit's stands.
pub type Stands = SmallVec<[Quad; 16]>;

/// The place of `empire` among the editions.
pub const EMPIRE: EditionNo = EditionNo(1);

/// The clause of the book the battle is fought by, where the two books have one each.
pub fn by_book(field: &Field, iron: Clause, empire: Clause) -> Clause {
    if field.muster().edition == EMPIRE { empire } else { iron }
}

/// A unit's facts.
pub fn facts(field: &Field, id: UnitId) -> &Facts {
    &field.card(id).facts
}

/// A unit's own records. For what parts share with their whole use [`state`].
pub fn troops(field: &Field, id: UnitId) -> &Troops {
    &field.unit(id).own
}

/// The unit a part belongs to; any other unit is its own whole.
pub fn whole(field: &Field, id: UnitId) -> UnitId {
    facts(field, id).part.map_or(id, |(_, of)| of)
}

/// The records of the whole: order, morale, what the battle has done to it.
pub fn state(field: &Field, id: UnitId) -> &Troops {
    troops(field, whole(field, id))
}

/// The part of a unit, whether it is out or not.
pub fn part(field: &Field, id: UnitId, kind: Part) -> Option<UnitId> {
    facts(field, id).parts.iter().find(|(part, _)| *part == kind).map(|(_, unit)| *unit)
}

/// The part of a unit that is out on the table.
pub fn part_out(field: &Field, id: UnitId, kind: Part) -> Option<UnitId> {
    part(field, id, kind).filter(|part| is_there(field, *part))
}

/// The parts of a unit that are out on the table.
pub fn parts_out(field: &Field, id: UnitId) -> Few {
    facts(field, id).parts.iter().map(|(_, unit)| *unit).filter(|part| is_there(field, *part)).collect()
}

/// A unit's formation.
pub fn formation(field: &Field, id: UnitId) -> Formation {
    field.unit(id).body.formation
}

/// Its shape.
pub fn shape(field: &Field, id: UnitId) -> Shape {
    formation(field, id).shape
}

/// How many stands its body has; gun models for a battery.
pub fn count(field: &Field, id: UnitId) -> u8 {
    field.unit(id).body.stands.count() as u8
}

/// Whether the unit stands on the table.
pub fn is_there(field: &Field, id: UnitId) -> bool {
    field.unit(id).is_present()
}

/// Stands of the whole unit: its body and all its parts that are out. Crew figures for a battery (da-strength).
pub fn strength(field: &Field, id: UnitId) -> u32 {
    let id = whole(field, id);
    if facts(field, id).is_battery() {
        return troops(field, id).crew();
    }
    let own = if is_there(field, id) || troops(field, id).evaded_off.is_some() || troops(field, id).waits_at.is_some() {
        u32::from(count(field, id))
    } else {
        0
    };
    own + parts_out(field, id).into_iter().map(|part| u32::from(count(field, part))).sum::<u32>()
}

/// What it began with, in the same measure.
pub fn start(field: &Field, id: UnitId) -> u32 {
    let facts = facts(field, whole(field, id));
    let models = u32::from(facts.start);
    if facts.is_battery() { models * figure(field.charts().damage.crew_per_gun) } else { models }
}

/// Fewer than half of its starting stands remain.
pub fn below_half(field: &Field, id: UnitId) -> bool {
    strength(field, id) * 2 < start(field, id)
}

/// Its rung on the ladder; parts stand on their whole's.
pub fn order(field: &Field, id: UnitId) -> OrderState {
    state(field, id).order
}

/// Whom a unit, or some part of it, pursues: what one of them does counts for all.
pub fn pursued(field: &Field, id: UnitId) -> Option<UnitId> {
    let whole = whole(field, id);
    troops(field, whole)
        .pursuing
        .or_else(|| parts_out(field, whole).into_iter().find_map(|part| troops(field, part).pursuing))
}

/// Whether it runs.
pub fn is_routing(field: &Field, id: UnitId) -> bool {
    order(field, id) == OrderState::Routing
}

/// Cavalry in the saddle.
pub fn is_mounted(field: &Field, id: UnitId) -> bool {
    facts(field, id).arm == Arm::Cavalry
        && state(field, id).mounted
        && facts(field, id).part_kind() != Some(Part::Holders)
}

/// Infantry, dismounted cavalry, engineers, crews without guns.
pub fn is_foot(field: &Field, id: UnitId) -> bool {
    match facts(field, id).arm {
        Arm::Infantry | Arm::Engineers => true,
        Arm::Cavalry => !is_mounted(field, id),
        Arm::Artillery => facts(field, id).part_kind() == Some(Part::Crew),
        Arm::Wagon => false,
    }
}

/// A battery with its guns, not a crew away from them.
pub fn is_battery(field: &Field, id: UnitId) -> bool {
    facts(field, id).is_battery() && facts(field, id).part.is_none()
}

/// Guns ready to fire, manned or not.
pub fn is_deployed(field: &Field, id: UnitId) -> bool {
    is_battery(field, id) && formation(field, id).is_deployed()
}

/// Guns behind their teams.
pub fn is_limbered(field: &Field, id: UnitId) -> bool {
    is_battery(field, id) && !formation(field, id).is_deployed()
}

/// In skirmish order, on foot or mounted.
pub fn skirmishes(field: &Field, id: UnitId) -> bool {
    shape(field, id) == Shape::Skirmish
}

/// Formed foot or horse: in the ranks, not routing.
pub fn is_formed(field: &Field, id: UnitId) -> bool {
    let facts = facts(field, id);
    let in_ranks = matches!(facts.arm, Arm::Infantry | Arm::Cavalry) && facts.part_kind() != Some(Part::Holders);
    in_ranks && !skirmishes(field, id) && !is_routing(field, id)
}

/// Formed, and on foot.
pub fn is_formed_foot(field: &Field, id: UnitId) -> bool {
    is_formed(field, id) && is_foot(field, id)
}

/// Units without flanks or rear: skirmishers, squares, routers, crews, parties, abandoned guns (C.3, A-94, A-55).
pub fn has_flanks(field: &Field, id: UnitId) -> bool {
    let facts = facts(field, id);
    let formed = matches!(facts.arm, Arm::Infantry | Arm::Cavalry | Arm::Artillery)
        && facts.part.is_none_or(|(part, _)| part == Part::Squadron);
    formed
        && !matches!(shape(field, id), Shape::Skirmish | Shape::Square)
        && !is_routing(field, id)
        && !state(field, id).crew_away
}

/// Infantry that may be told apart from irregulars.
pub fn is_irregular(field: &Field, id: UnitId) -> bool {
    facts(field, id).is(Trait::Irregular)
}

/// Whether squares may be formed at all.
pub fn squares_allowed(field: &Field) -> bool {
    field.charts().switch.squares.value || field.settings().squares
}

/// Whether dismounting leaves holders behind.
pub fn holders_kept(field: &Field) -> bool {
    field.charts().switch.horse_holders.value || field.settings().horse_holders
}

/// A hundredth of an inch: distances are rounded to it and then compared as the rule is worded.
// tidy: allow(the resolution of measuring, a ruling of the house)
const HUNDREDTH: i32 = Length::whole_inches(1).as_um() / 100;

/// A measured distance.
#[inline]
pub fn measured(length: Length) -> Length {
    let um = length.as_um();
    Length::from_um(f64::from(um.saturating_add(HUNDREDTH / 2).div_euclid(HUNDREDTH) * HUNDREDTH))
}

/// The stands of a unit where it is.
pub fn stands(field: &Field, id: UnitId) -> &[Quad] {
    field.unit(id).bases().quads()
}

/// The stands of a unit if it stood elsewhere.
pub fn stands_at(field: &Field, id: UnitId, pose: Pose, formation: Formation) -> Stands {
    layout(field, id, formation).quads(pose).collect()
}

/// How the stands of a unit are drawn up in a formation.
pub fn layout(field: &Field, id: UnitId, formation: Formation) -> Cow<'_, Layout> {
    let unit = field.unit(id);
    match unit.bases().layout().filter(|_| unit.body.formation == formation) {
        Some(layout) => Cow::Borrowed(layout),
        None => Cow::Owned(facts(field, id).layout(formation, count(field, id))),
    }
}

/// The command stand's front edge, and the way it looks: the unit's facing (days.4-c).
pub fn command_pose(field: &Field, id: UnitId) -> Pose {
    let unit = field.unit(id);
    let stand = unit.body.formation.command_stand(count(field, id));
    let stand = layout(field, id, unit.body.formation).stands().get(stand).map_or(Pose::default(), |stand| stand.pose);
    let pose = unit.pose();
    Pose { at: Point::from_vec(pose.to_world(stand.at.vec())), facing: pose.facing + stand.facing }
}

/// The distance between two units: the least between any two of their stands, rounded (C.1).
pub fn gap(field: &Field, a: UnitId, b: UnitId) -> Length {
    measured(gap_of(stands(field, a), stands(field, b)))
}

/// The gap between two sets of rectangles, not rounded.
pub fn gap_of(a: &[Quad], b: &[Quad]) -> Length {
    let mut least = Length::MAX;
    for one in a {
        for other in b {
            // Only what may be nearer is measured.
            if least > Length::ZERO && !surely_beyond(one, other, least) {
                least = least.min(table::gap(one, other));
            }
        }
    }
    least
}

/// The distance from a general's stand to a unit (C.1).
pub fn gap_to_general(field: &Field, general: CommanderId, unit: UnitId) -> Length {
    measured(gap_of(&[*field.commander(general).quad()], stands(field, unit)))
}

/// Whether two rectangles are surely further apart than a distance; cheap, and never wrong when it says so.
#[inline]
pub fn surely_beyond(a: &Quad, b: &Quad, distance: Length) -> bool {
    let reach = a.radius + b.radius + distance.as_f64() + SLACK.as_f64();
    (b.centre - a.centre).length_squared() > reach * reach
}

/// Whether two units are at most a distance apart: "within", "up to".
pub fn within(field: &Field, a: UnitId, b: UnitId, distance: Length) -> bool {
    !surely_beyond(field.unit(a).quad(), field.unit(b).quad(), distance) && gap(field, a, b) <= distance
}

/// Whether a unit is in hiding.
pub fn is_hidden(unit: &Unit<Days>) -> bool {
    unit.whereabouts == Whereabouts::Hidden
}

/// Units of a side on the table, hidden ones included; what a viewer may not know is not in his view.
pub fn present(field: &Field, side: Side) -> impl Iterator<Item = (UnitId, &Unit<Days>)> {
    field.present(side)
}

/// Units of a side the enemy knows of.
pub fn known(field: &Field, side: Side) -> impl Iterator<Item = (UnitId, &Unit<Days>)> {
    field.present(side).filter(|(_, unit)| !is_hidden(unit))
}

/// The brigade or division a unit belongs to directly; none for independent units and army troops.
pub fn command(field: &Field, id: UnitId) -> Option<CommandId> {
    field.card(whole(field, id)).command
}

/// The units of a command, not those of commands below it, parts left out, on the table or not.
pub fn members(field: &Field, command: CommandId) -> impl Iterator<Item = UnitId> + '_ {
    field
        .muster()
        .unit_ids()
        .filter(move |id| field.card(*id).command == Some(command) && facts(field, *id).part.is_none())
}

/// Generals above a unit, the nearest first.
pub fn chain(field: &Field, id: UnitId) -> SmallVec<[CommanderId; 3]> {
    let mut chain = SmallVec::new();
    let mut next = command(field, id);
    while let Some(command) = next {
        let card = field.muster().command(command);
        chain.extend(card.commander);
        next = card.parent;
    }
    chain
}

/// The edge a side calls its own.
pub fn base_edge(field: &Field, side: Side) -> Edge {
    let usual = if side == Side::A { Edge::South } else { Edge::North };
    field.muster().sides[drawn_as(field, side)].edges.first().copied().unwrap_or(usual)
}

/// Whose edge and zones of the set-up a side has: its own, or its enemy's where a die sat it there (days.16-b).
pub fn drawn_as(field: &Field, side: Side) -> Side {
    let is_south = |side: &Side| field.muster().sides[*side].edges.first() == Some(&Edge::South);
    let drawn = Side::BOTH.into_iter().find(is_south).unwrap_or(Side::A);
    if field.ledger().south.is_none_or(|south| south == drawn) { side } else { side.other() }
}

/// A place of the set-up as a side has it: seen from the other edge where a die sat it there.
pub fn as_seated(field: &Field, side: Side, pose: Pose) -> Pose {
    if drawn_as(field, side) == side {
        return pose;
    }
    let (width, depth) = field.ground().size;
    Pose { at: Point::new(width - pose.at.x, depth - pose.at.y), facing: pose.facing + Angle::SOUTH }
}

/// Whether a switch is on, as agreed or as a die decided where the players differed (days.3.4-a, 19-b).
pub fn agreed(field: &Field, what: Disputed) -> bool {
    let decided = field.ledger().disputed.iter().find(|(one, _)| *one == what).map(|(_, on)| *on);
    decided.unwrap_or_else(|| field.settings().says(what))
}

/// Where the wind blows to, once it is known.
pub fn wind(field: &Field) -> Option<Angle> {
    field.ledger().wind.or(field.ground().wind)
}

/// From its own edge towards the enemy's.
pub fn forward(field: &Field, side: Side) -> Vec2 {
    match base_edge(field, side) {
        Edge::North => Vec2 { x: 0.0, y: -1.0 },
        Edge::East => Vec2 { x: -1.0, y: 0.0 },
        Edge::South => Vec2 { x: 0.0, y: 1.0 },
        Edge::West => Vec2 { x: 1.0, y: 0.0 },
    }
}

/// The rectangle around a unit, or around the part of its bent line nearest to a place, with the way it looks: what
/// front, flank and rear are measured from (C.3).
pub fn frame(field: &Field, id: UnitId, near: Vec2) -> (Pose, Length, Length) {
    let (facts, formation, count) = (facts(field, id), formation(field, id), count(field, id));
    let pose = field.unit(id).pose();
    if !formation.is_bent() {
        let footprint = field.footprint(id, formation);
        return (pose, footprint.width, footprint.depth);
    }
    segment(facts, formation, count, pose, near)
}

/// The straight part of a bent line nearest to a place.
fn segment(facts: &Facts, formation: Formation, count: u8, pose: Pose, near: Vec2) -> (Pose, Length, Length) {
    let layout = facts.layout(formation, count);
    let ends: SmallVec<[u8; 4]> = formation.joints().map(|bend| bend.after.min(count)).chain([count]).collect();
    let mut from = 0;
    let mut best: Option<(f64, Pose, Length)> = None;
    for end in ends.into_iter().filter(|end| *end > 0) {
        let stands = layout.stands().get(usize::from(from)..usize::from(end)).unwrap_or_default();
        let (Some(first), Some(last)) = (stands.first(), stands.last()) else { continue };
        let middle = (first.pose.at.vec() + last.pose.at.vec()) * 0.5;
        let place = pose.to_world(middle);
        let apart = (place - near).length_squared();
        let width = facts.stand.width * i32::from(end - from);
        if best.is_none_or(|(least, ..)| apart < least) {
            best = Some((apart, Pose { at: Point::from_vec(place), facing: pose.facing + first.pose.facing }, width));
        }
        from = end;
    }
    best.map_or((pose, facts.stand.width, facts.stand.depth), |(_, pose, width)| (pose, width, facts.stand.depth))
}

/// From which side somebody at a place comes at a unit (C.3); the front where a unit has no flanks.
pub fn aspect(field: &Field, target: UnitId, place: Vec2) -> Aspect {
    if !has_flanks(field, target) {
        return Aspect::Front;
    }
    let (pose, width, depth) = frame(field, target, place);
    let local = pose.to_local(place);
    let (half, rear) = (width.half().as_f64(), -depth.as_f64());
    if local.y > SLACK.as_f64() {
        Aspect::Front
    } else if local.y < rear && local.x.abs() <= half + (rear - local.y) {
        Aspect::Rear
    } else {
        Aspect::Flank
    }
}

/// Whoever charges a unit this turn, in roster order.
pub fn chargers(field: &Field, target: UnitId) -> Few {
    let charges = |unit: &Unit<Days>| unit.own.charge.as_ref().is_some_and(|charge| charge.at == target);
    // Hardly anybody charges, so that is asked first.
    field.units().filter(|(_, unit)| charges(unit) && unit.is_present()).map(|(id, _)| id).collect()
}

/// Whether any charge is in progress.
pub fn anybody_charges(field: &Field) -> bool {
    field.units().any(|(_, unit)| unit.own.charge.is_some())
}

/// The generals with a unit.
pub fn attached(field: &Field, unit: UnitId) -> SmallVec<[CommanderId; 2]> {
    let with = |id: &CommanderId| field.commander(*id).is_present() && field.commander(*id).own.attached == Some(unit);
    field.muster().commander_ids().filter(with).collect()
}

/// Engineer parties with a unit.
pub fn parties_with(field: &Field, unit: UnitId) -> Few {
    field.units().filter(|(_, one)| one.own.attached == Some(unit) && one.is_present()).map(|(id, _)| id).collect()
}

/// Least stands below which a unit is gone (days.17.5.8-a, -b): shattered when it has no more than this.
pub fn shattered_at(field: &Field, id: UnitId) -> Option<u32> {
    let constant = &field.charts().constant;
    match facts(field, id).arm {
        Arm::Infantry => Some(figure(constant.shattered_foot)),
        Arm::Cavalry => Some(figure(constant.shattered_horse)),
        Arm::Artillery | Arm::Engineers | Arm::Wagon => None,
    }
}

/// The least distance to an enemy one does not charge.
pub fn standoff(field: &Field) -> Length {
    reach(field.charts().constant.standoff)
}
