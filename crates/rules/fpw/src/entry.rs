//! Reinforcements: who comes on, when and where (R95).

use super::Fpw;
use super::clause::Clause;
use super::deployment::{Places, is_open, judge, overlap, place_unit, refuse_place};
use super::field::{Field, Stands, bodies, bodies_at, facts, gap_between, is_hidden, known};
use super::hidden;
use super::order::{Decision, OfficerPlacement, Order, Placement};
use super::unit::Formation;
use book::enlist::in_zones;
use engine::{CommanderId, Flow, Side, Umpire, UnitId, Verdict, View, Whereabouts, Who};
use smallvec::SmallVec;
use table::{Length, Point, Pose, SLACK};

/// Units of a side that may come on now.
fn due_units(field: &Field, side: Side) -> impl Iterator<Item = UnitId> {
    let due = move |id: UnitId| facts(field, id).enters.is_some_and(|turn| turn <= field.turn());
    let away = field.units().filter(move |(_, unit)| unit.side == side && unit.whereabouts == Whereabouts::OffTable);
    away.map(|(id, _)| id).filter(move |id| !facts(field, *id).is_scout() && due(*id))
}

/// Generals of a side that may come on now.
fn due_generals(field: &Field, side: Side) -> impl Iterator<Item = CommanderId> {
    let away = field.commanders().filter(|(_, general)| general.whereabouts == Whereabouts::OffTable);
    away.map(|(id, _)| id).filter(move |id| {
        let card = field.muster().commander(*id);
        card.side == side && card.facts.enters.is_some_and(|turn| turn <= field.turn())
    })
}

/// Asks where reinforcements come on, if there are any.
pub fn advance_enter(umpire: &mut Umpire<'_, Fpw>, side: Side) -> Flow<Fpw> {
    let field = umpire.state();
    let any = due_units(field, side).next().is_some() || due_generals(field, side).next().is_some();
    if any { Flow::Ask(Who::One(side), Decision::Enter) } else { Flow::Done }
}

/// Where a set-up draws up the reinforcements of a side, of every turn together.
pub(super) fn drawn_up(field: &Field, side: Side) -> Places {
    let scenario = &field.muster().scenario;
    let ids = field.muster().unit_ids().filter(|id| field.side_of(*id) == side);
    let later = ids.filter(|id| facts(field, *id).enters.is_some() && !facts(field, *id).is_scout());
    let units = later.filter_map(|unit| {
        let pose = scenario.units_at.get(unit.index()).copied().flatten()?;
        Some(Placement { unit, pose, formation: marching(field, unit) })
    });
    let generals = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side);
    let generals = generals.filter(|id| field.muster().commander(*id).facts.enters.is_some());
    let officers = generals.filter_map(|commander| {
        let pose = scenario.commanders_at.get(commander.index()).copied().flatten()?;
        Some(OfficerPlacement { commander, pose })
    });
    (units.collect(), officers.collect())
}

/// The formation a unit comes on in.
fn marching(field: &Field, unit: UnitId) -> Formation {
    if facts(field, unit).arm.is_artillery() { Formation::Limbered } else { Formation::March }
}

/// Judges an entry.
pub fn check_enter(view: &View<'_, Fpw>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    let (units, officers) = match order {
        Order::Pass => return verdict,
        Order::Deploy { units, commanders, scouts } if scouts.is_empty() => (units, commanders),
        Order::Deploy { .. } => {
            return Verdict::refused(Clause::ScoutsDeclared, "scouts are declared before the battle");
        }
        _ => return Verdict::refused(Clause::HistoricalOrder, "the question is where your reinforcements come on"),
    };
    for (n, Placement { unit, formation, .. }) in units.iter().enumerate() {
        if !due_units(field, side).any(|due| due == *unit) {
            verdict.refuse(Clause::HistoricalOrder, "it does not come on now").about(*unit);
        } else if units[..n].iter().any(|other| other.unit == *unit) {
            verdict.refuse(Clause::HistoricalOrder, "it comes on twice").about(*unit);
        } else if *formation != marching(field, *unit) {
            let text = "reinforcements come on in march column, guns limbered";
            verdict.refuse(Clause::MarchColumn, text).about(*unit);
        }
    }
    for (n, placement) in officers.iter().enumerate() {
        let name = &field.muster().commander(placement.commander).name;
        if !due_generals(field, side).any(|due| due == placement.commander) {
            verdict.refuse(Clause::CommandStands, format!("{name} does not come on now"));
        } else if officers[..n].iter().any(|other| other.commander == placement.commander) {
            verdict.refuse(Clause::CommandStands, format!("{name} comes on twice"));
        }
    }
    if verdict.is_legal() {
        let pieces = (units.clone(), officers.clone());
        judge(field, side, &pieces, standing(field).collect(), |unit, text, at| {
            refuse_place(&mut verdict, unit, text, at)
        });
        for placement in units.iter().filter(|placement| meets_enemy(field, side, placement, false)) {
            let text = format!("{} would come on in contact with the enemy", field.card(placement.unit).name);
            refuse_place(&mut verdict, Some(placement.unit), text, placement.pose.at);
        }
    }
    verdict
}

/// Whether an enemy would be in contact; those in hiding are met only by whoever really comes on.
fn meets_enemy(field: &Field, side: Side, placement: &Placement, in_hiding: bool) -> bool {
    let quads = bodies_at(field, placement.unit, placement.pose, placement.formation);
    let mut enemies = field.present(side.other()).filter(|(_, unit)| in_hiding || !is_hidden(unit));
    enemies.any(|(enemy, _)| gap_between(&quads, &bodies(field, enemy)) <= SLACK)
}

/// Brings reinforcements on. Whoever would come on among an enemy in hiding stays off for now.
pub fn execute_enter(umpire: &mut Umpire<'_, Fpw>, side: Side, order: Order) {
    umpire.end();
    let Order::Deploy { units, commanders, .. } = order else { return };
    for placement in units {
        if !meets_enemy(umpire.state(), side, &placement, true) {
            place_unit(umpire, placement, false);
        }
    }
    for OfficerPlacement { commander, pose } in commanders {
        hidden::place_general(umpire, commander, pose, Clause::CommandStands, false);
    }
    hidden::discover(umpire);
}

/// Everything on the table a viewer knows of: its name and its ground.
fn standing(field: &Field) -> impl Iterator<Item = (&str, Stands)> {
    let units = Side::BOTH.into_iter().flat_map(|side| field.present(side));
    let units = units.map(|(id, _)| (field.card(id).name.as_str(), bodies(field, id)));
    let generals = field.commanders().filter(|(_, general)| general.is_present());
    let generals = generals
        .map(|(id, general)| (field.muster().commander(id).name.as_str(), Stands::from_slice(&[*general.quad()])));
    units.chain(generals)
}

/// A legal entry near the places of the set-up, for as many as find room; none where nobody does.
pub fn default_entry(field: &Field, side: Side) -> Option<Order> {
    let mut taken: Vec<Stands> = standing(field).map(|(_, quads)| quads).collect();
    let scenario = &field.muster().scenario;
    let enemies: Vec<Stands> = known(field, side.other()).map(|(id, _)| bodies(field, id)).collect();
    let mut units = Vec::new();
    for unit in due_units(field, side) {
        let (zones, formation) = (zones(field, side, &facts(field, unit).zones), marching(field, unit));
        let Some(wish) = scenario.units_at.get(unit.index()).copied().flatten() else { continue };
        let found =
            spots(wish, zones).map(|pose| (pose, bodies_at(field, unit, pose, formation))).find(|(_, quads)| {
                is_free(field, zones, quads, &taken) && enemies.iter().all(|enemy| gap_between(quads, enemy) > SLACK)
            });
        if let Some((pose, quads)) = found {
            units.push(Placement { unit, pose, formation });
            taken.push(quads);
        }
    }
    let mut commanders = Vec::new();
    for commander in due_generals(field, side) {
        let own = &field.muster().commander(commander).facts;
        let zones = zones(field, side, &own.zones);
        let Some(wish) = scenario.commanders_at.get(commander.index()).copied().flatten() else { continue };
        let stand = |pose: Pose| -> Stands { SmallVec::from_slice(&[own.stand.quad(pose)]) };
        if let Some(pose) = spots(wish, zones).find(|pose| is_free(field, zones, &stand(*pose), &taken)) {
            commanders.push(OfficerPlacement { commander, pose });
            taken.push(stand(pose));
        }
    }
    let nobody = units.is_empty() && commanders.is_empty();
    (!nobody).then_some(Order::Deploy { units, commanders, scouts: Vec::new() })
}

fn zones<'f>(field: &'f Field, side: Side, own: &'f [(Point, Point)]) -> &'f [(Point, Point)] {
    if own.is_empty() { &field.muster().sides[side].zones } else { own }
}

fn is_free(field: &Field, zones: &[(Point, Point)], quads: &[table::Quad], taken: &[Stands]) -> bool {
    quads.iter().all(|quad| in_zones(zones, quad) && is_open(field.ground(), quad))
        && !taken.iter().any(|there| overlap(quads, there))
}

/// The wish itself, then places all over the zones, the nearest first.
fn spots(wish: Pose, zones: &[(Point, Point)]) -> impl Iterator<Item = Pose> {
    // tidy: allow(how finely a free spot is looked for)
    let step = Length::mm(12.7);
    let ticks = |low: Length, high: Length| {
        std::iter::successors(Some(low), move |at| Some(*at + step)).take_while(move |at| *at <= high)
    };
    let mut all: Vec<Point> = Vec::new();
    for (low, high) in zones {
        for y in ticks(low.y, high.y) {
            all.extend(ticks(low.x, high.x).map(|x| Point::new(x, y)));
        }
    }
    all.sort_by_key(|at| at.distance(wish.at));
    std::iter::once(wish).chain(all.into_iter().map(move |at| Pose { at, facing: wish.facing }))
}
