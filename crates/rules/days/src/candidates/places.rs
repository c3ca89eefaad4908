//! Setting up, holding back, coming on.

use super::{Sieve, shuffled};
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
    let (scenario, n) = (&field.muster().scenario, unit.index());
    let off = field.unit(unit).whereabouts == Whereabouts::OffTable && facts(field, unit).part.is_none();
    let pose = scenario.units_at.get(n).copied().flatten().filter(|_| off)?;
    let formation = scenario.drawn_up.get(n).copied().flatten().unwrap_or(field.unit(unit).body.formation);
    let crest = scenario.at_crest.get(n).copied().flatten();
    Some(Placement { unit, pose, formation, hidden: false, crest })
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
    let brigades: Vec<CommandId> =
        field.muster().command_ids().filter(|id| field.muster().command(*id).side == side).collect();
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

/// Where everybody stands by the set-up, spelled out piece by piece.
fn drawn_up(
    field: &Field,
    side: Side,
    units: impl Fn(UnitId) -> bool,
    generals: impl Fn(CommanderId) -> bool,
) -> (Vec<Placement>, Vec<OfficerPlacement>) {
    let own = own_units(field, side).filter(|unit| units(*unit)).filter_map(|unit| default_place(field, unit));
    let at = |id: CommanderId| field.muster().scenario.commanders_at.get(id.index()).copied().flatten();
    let off = |id: &CommanderId| field.commander(*id).whereabouts == Whereabouts::OffTable;
    let staff = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side).filter(off);
    let staff = staff
        .filter(|id| generals(*id))
        .filter_map(|commander| at(commander).map(|pose| OfficerPlacement { commander, pose }));
    (own.collect(), staff.collect())
}

/// As the set-up says, and with a few units shifted or drawn up otherwise.
pub(super) fn everybody(sieve: &mut Sieve<'_, '_>, lots: &mut Lots) {
    let absent = absent(sieve.field());
    let here = |unit: UnitId, field: &Field| field.card(unit).command.is_none_or(|one| !absent.contains(&one));
    let (units, commanders) = {
        let field = sieve.field();
        let leads = |id: CommanderId| !absent.contains(&field.muster().commander(id).commands);
        drawn_up(field, sieve.side, |unit| here(unit, field), leads)
    };
    variants(sieve, None, units, commanders, lots);
}

/// One brigade after another, in an order of chance, each as the set-up says or a little otherwise.
pub(super) fn brigades(sieve: &mut Sieve<'_, '_>, left: &[Option<CommandId>], lots: &mut Lots) {
    let order = if lots.below(2) == 0 { left.to_vec() } else { shuffled(left.to_vec(), lots) };
    for brigade in order {
        if sieve.is_full() {
            return;
        }
        let (units, commanders) = {
            let field = sieve.field();
            let own = |unit: UnitId| crate::field::command(field, unit) == brigade && !facts(field, unit).independent;
            let leads = |id: CommanderId| Some(field.muster().commander(id).commands) == brigade;
            drawn_up(field, sieve.side, |unit| brigade.is_none() || own(unit), |id| brigade.is_none() || leads(id))
        };
        variants(sieve, brigade, units, commanders, lots);
    }
}

fn absent(field: &Field) -> Vec<CommandId> {
    field.ledger().absent.iter().map(|one| one.brigade).collect()
}

fn variants(
    sieve: &mut Sieve<'_, '_>,
    brigade: Option<CommandId>,
    units: Vec<Placement>,
    commanders: Vec<OfficerPlacement>,
    lots: &mut Lots,
) {
    let order = |units: Vec<Placement>| Order::Deploy { brigade, units, commanders: commanders.clone() };
    sieve.offer(order(units.clone()));
    for _ in 0..2 {
        // What is refused is taken back, unit by unit.
        let mut moved = units.clone();
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
