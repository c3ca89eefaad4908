//! Setting up, holding back, coming on.

use super::{Sieve, shuffled};
use crate::deployment::{self, brigades, judge};
use crate::evolution;
use crate::field::{Field, base_edge, facts};
use crate::order::{Arrival, Order, Placement, WorkPlacement};
use book::placement::OfficerPlacement;
use engine::{CommandId, CommanderId, Lots, Side, UnitId, Whereabouts};
use table::terrain::Edge;
use table::{Angle, Length, Point, Pose};

/// How many units are moved about in one variant.
const MOVED: usize = 4;
/// A wish of the house: how far a unit is shifted at most.
// tidy: allow(how far bots move a unit about, no figure of the book)
const SHIFT: Length = Length::whole_inches(3);

/// Where the set-up places a unit, if it stands nowhere yet.
fn default_place(field: &Field, unit: UnitId) -> Option<Placement> {
    let off = field.unit(unit).whereabouts == Whereabouts::OffTable && facts(field, unit).part.is_none();
    let place = deployment::default_place(field, unit).filter(|_| off)?;
    Some(Placement { hidden: false, ..place })
}

fn is_hiding(field: &Field, unit: UnitId) -> bool {
    field.muster().scenario.in_hiding.get(unit.index()).copied().unwrap_or(false)
}

/// The commands of a side that stay off the table unless its owner says otherwise.
fn kept_off(field: &Field, side: Side) -> Vec<CommandId> {
    let kept = |id: &CommandId| field.muster().scenario.kept_off.get(id.index()).copied().unwrap_or(false);
    field.muster().command_ids().filter(|id| field.muster().command(*id).side == side).filter(kept).collect()
}

fn own_units(field: &Field, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    field.muster().unit_ids().filter(move |id| field.side_of(*id) == side)
}

/// What the set-up says; nobody off; somebody else off; somebody more in hiding. Bought works lie before the guns or
/// whoever stands first.
pub(super) fn reserves(sieve: &mut Sieve<'_, '_>, lots: &mut Lots) {
    let (field, side) = (sieve.field(), sieve.side);
    let usual = kept_off(field, side);
    let hidden: Vec<Placement> = own_units(field, side)
        .filter(|unit| is_hiding(field, *unit))
        .filter_map(|unit| default_place(field, unit).map(|place| Placement { hidden: true, ..place }))
        .collect();
    let works = works(field, side, lots);
    let brigades: Vec<CommandId> = brigades::brigades(field, side);
    let more: Vec<Placement> = own_units(field, side)
        .filter(|unit| !is_hiding(field, *unit))
        .filter_map(|unit| default_place(field, unit).map(|place| Placement { hidden: true, ..place }))
        .collect();
    let order = |off: &[CommandId], hidden: &[Placement], works: &[WorkPlacement]| Order::Reserve {
        off: off.to_vec(),
        hidden: hidden.to_vec(),
        works: works.to_vec(),
    };
    if !works.is_empty() {
        sieve.offer(order(&usual, &hidden, &works));
    }
    sieve.offer(order(&usual, &hidden, &[]));
    sieve.offer(order(&[], &hidden, &[]));
    for brigade in shuffled(brigades, lots).into_iter().take(MOVED) {
        sieve.offer(order(&[brigade], &hidden, &works));
    }
    for place in shuffled(more, lots).into_iter().take(MOVED) {
        let mut all = hidden.clone();
        all.push(place);
        sieve.offer(order(&usual, &all, &works));
    }
}

/// One stretch of all the works a side has bought, across the front of somebody.
fn works(field: &Field, side: Side, lots: &mut Lots) -> Vec<WorkPlacement> {
    let length = field.muster().scenario.earthworks[side];
    if length <= Length::ZERO {
        return Vec::new();
    }
    let fronts: Vec<Pose> =
        own_units(field, side).filter_map(|unit| default_place(field, unit)).map(|it| it.pose).collect();
    let Some(front) = lots.pick(&fronts) else { return Vec::new() };
    let ahead = front.ahead(SHIFT / 12).at.vec();
    let half = front.forward().perp_right() * length.half().as_f64();
    vec![WorkPlacement { from: Point::from_vec(ahead - half), to: Point::from_vec(ahead + half) }]
}

/// As the set-up says, and with a few units shifted or drawn up otherwise.
pub(super) fn everybody(sieve: &mut Sieve<'_, '_>, lots: &mut Lots) {
    if let Order::Deploy { units, commanders, .. } = deployment::as_drawn_up(sieve.field(), sieve.side) {
        variants(sieve, None, &units, &commanders, lots);
    }
}

/// Where one brigade stands by the set-up, spelled out piece by piece in the order the book wants: horse, guns, foot.
pub fn drawn_up(field: &Field, side: Side, brigade: Option<CommandId>) -> (Vec<Placement>, Vec<OfficerPlacement>) {
    let mut units: Vec<Placement> =
        brigades::units_of(field, side, brigade).filter_map(|unit| default_place(field, unit)).collect();
    units.sort_by_key(|place| judge::turn_of(facts(field, place.unit).arm));
    let at = |id: CommanderId| field.muster().scenario.commanders_at.get(id.index()).copied().flatten();
    let staff = brigades::generals_with(field, side, brigade).into_iter();
    let staff = staff.filter_map(|commander| at(commander).map(|pose| OfficerPlacement { commander, pose }));
    (units, staff.collect())
}

/// Each brigade as the set-up says; then one of them a little otherwise.
pub(super) fn one_brigade(sieve: &mut Sieve<'_, '_>, left: &[Option<CommandId>], lots: &mut Lots) {
    for brigade in left.iter().copied() {
        let (units, commanders) = drawn_up(sieve.field(), sieve.side, brigade);
        sieve.offer(Order::Deploy { brigade, units, commanders });
    }
    if let Some(brigade) = lots.pick(left).copied().filter(|_| !sieve.is_full()) {
        let (units, commanders) = drawn_up(sieve.field(), sieve.side, brigade);
        variants(sieve, brigade, &units, &commanders, lots);
    }
}

fn variants(
    sieve: &mut Sieve<'_, '_>,
    brigade: Option<CommandId>,
    units: &[Placement],
    commanders: &[OfficerPlacement],
    lots: &mut Lots,
) {
    let order = |units: Vec<Placement>| Order::Deploy { brigade, units, commanders: commanders.to_vec() };
    sieve.offer(order(units.to_vec()));
    for _ in 0..2 {
        if sieve.is_full() {
            return;
        }
        // What is refused is taken back, unit by unit.
        let mut moved = units.to_vec();
        for _ in 0..MOVED.min(units.len()) {
            let n = lots.below(units.len());
            let changed = otherwise(sieve.field(), units[n], lots);
            let before = std::mem::replace(&mut moved[n], changed);
            if !sieve.allows(&order(moved.clone())) {
                moved[n] = before;
            }
        }
        sieve.offer(order(moved));
    }
    sieve.offer(Order::Deploy { brigade, units: Vec::new(), commanders: Vec::new() });
}

/// The same unit a little elsewhere, or in another formation.
fn otherwise(field: &Field, place: Placement, lots: &mut Lots) -> Placement {
    let forms = evolution::choices(field, place.unit);
    if let Some(formation) = lots.pick(&forms).filter(|_| lots.below(3) == 0) {
        return Placement { formation: *formation, ..place };
    }
    let way = Angle::whole(lots.below(24) as i32 * 15).unit() * (SHIFT.as_f64() * lots.unit());
    Placement { pose: Pose { at: Point::from_vec(place.pose.at.vec() + way), ..place.pose }, ..place }
}

/// Points of an edge: a few at random, and the ends of roads.
fn entries(field: &Field, edge: Edge, lots: &mut Lots) -> Vec<Point> {
    let (width, depth) = field.ground().size;
    let point = |share: f64| match edge {
        Edge::North => Point::new(Length::from_um(width.as_f64() * share), depth),
        Edge::South => Point::new(Length::from_um(width.as_f64() * share), Length::ZERO),
        Edge::East => Point::new(width, Length::from_um(depth.as_f64() * share)),
        Edge::West => Point::new(Length::ZERO, Length::from_um(depth.as_f64() * share)),
    };
    (0..MOVED).map(|_| point(0.1 + 0.8 * lots.unit())).chain([point(0.5)]).collect()
}

/// Everybody over his own edge; one brigade there or over another edge.
pub(super) fn arrivals(sieve: &mut Sieve<'_, '_>, absent: &[CommandId], lots: &mut Lots) {
    let home = base_edge(sieve.field(), sieve.side);
    let edges = [home, home, Edge::West, Edge::East];
    let mut all: Vec<Arrival> = Vec::new();
    for brigade in absent.iter().copied() {
        for at in entries(sieve.field(), home, lots) {
            all.push(Arrival { brigade, edge: home, at });
            if sieve.allows(&Order::Arrive { brigades: all.clone() }) {
                break;
            }
            all.pop();
        }
    }
    if !all.is_empty() {
        sieve.offer(Order::Arrive { brigades: all });
    }
    for edge in edges {
        let Some(brigade) = lots.pick(absent).copied() else { return };
        for at in entries(sieve.field(), edge, lots).into_iter().take(2) {
            sieve.offer(Order::Arrive { brigades: vec![Arrival { brigade, edge, at }] });
        }
    }
}
