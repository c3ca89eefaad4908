//! Before the first turn: setting up, in secret where that is agreed, and who begins. R86, R87, section C.2.

use super::Fpw;
use super::clause::Clause;
use super::entry;
use super::event::FpwEvent;
use super::field::{Field, Rough, Stands, bodies_at, facts, rough};
use super::hidden;
use super::order::{Decision, OfficerPlacement, Order, Placement};
use super::sequence::{Opening, Phase, Turn};
use super::unit::{Arm, Formation};
use book::enlist::in_zones;
use engine::{Deed, Event, Faults, Flow, Mark, Pool, SheetTable, Side, Umpire, UnitId, Verdict, View, Who};
pub use entry::{advance_enter, check_enter, default_entry, execute_enter};
use smallvec::SmallVec;
use table::terrain::{Ground, TerrainKind};
use table::{Point, Pose, Quad, quads_overlap};

/// Turns the pages before the first turn. The side that moves second sets up first.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, opening: Opening) -> Flow<Fpw> {
    let second = umpire.state().ledger().first.other();
    match opening {
        Opening::Deploy { done: done @ 0..=1 } => {
            let side = if done == 0 { second } else { second.other() };
            if !umpire.state().muster().scenario.deployed {
                return Flow::Ask(Who::One(side), Decision::Deploy);
            }
            execute_deploy(umpire, side, Order::Pass);
            Flow::Again
        }
        Opening::Deploy { .. } => {
            umpire.replace(Phase::Opening(Opening::Begin));
            Flow::Again
        }
        Opening::Begin => {
            let first = umpire.state().muster().scenario.first.unwrap_or_else(|| throw_for_first(umpire));
            umpire.announce(Event::own(Clause::InitiativeFirst, FpwEvent::Began { side: first }));
            umpire.announce(Event::new(Clause::InitiativeFirst, Deed::TurnBegan { turn: 1 }));
            hidden::discover(umpire);
            umpire.replace(Phase::Turn(Turn { side: first, step: 0 }));
            Flow::Again
        }
    }
}

/// Both sides throw until one is higher; the higher begins.
fn throw_for_first(umpire: &mut Umpire<'_, Fpw>) -> Side {
    loop {
        let [a, b] = Side::BOTH.map(|side| umpire.roll(Pool::d6(1), side));
        let order = a.total().cmp(&b.total());
        umpire.announce(Event::new(Clause::InitiativeFirst, Deed::Noted).rolled(a).rolled(b));
        match order {
            std::cmp::Ordering::Greater => return Side::A,
            std::cmp::Ordering::Less => return Side::B,
            std::cmp::Ordering::Equal => {}
        }
    }
}

/// A side's pieces and their places.
pub type Places = (Vec<Placement>, Vec<OfficerPlacement>);

/// Every piece of a side that begins on the table, with its place: what the order says, else the scenario's default.
/// Of cavalry that scouts the single stands are placed, side by side where its line would stand unless the order says
/// otherwise.
pub fn places(
    field: &Field,
    side: Side,
    units: &[Placement],
    officers: &[OfficerPlacement],
    scouting: &[UnitId],
) -> Places {
    let scenario = &field.muster().scenario;
    let default_of = |unit: UnitId| scenario.units_at.get(unit.index()).copied().flatten();
    let ids = field.muster().unit_ids().filter(|id| field.side_of(*id) == side && facts(field, *id).enters.is_none());
    let all = ids.filter_map(|unit| {
        let pose = match facts(field, unit).scout_of {
            None if scouting.contains(&unit) => return None,
            None => default_of(unit),
            Some(regiment) if scouting.contains(&regiment) => {
                default_of(regiment).map(|pose| stand_in_line(field, unit, regiment, pose))
            }
            Some(_) => return None,
        };
        let given = units.iter().find(|placement| placement.unit == unit).copied();
        given.or(pose.map(|pose| Placement { unit, pose, formation: field.unit(unit).body.formation }))
    });
    let all = all.collect();
    let generals = field.muster().commander_ids().filter(|id| {
        let card = field.muster().commander(*id);
        card.side == side && card.facts.enters.is_none()
    });
    let generals = generals.filter_map(|commander| {
        let given = officers.iter().find(|placement| placement.commander == commander).copied();
        let default = scenario.commanders_at.get(commander.index()).copied().flatten();
        given.or(default.map(|pose| OfficerPlacement { commander, pose }))
    });
    (all, generals.collect())
}

/// Where a patrol stands in the line of its regiment.
fn stand_in_line(field: &Field, scout: UnitId, regiment: UnitId, pose: Pose) -> Pose {
    let facts_of = facts(field, regiment);
    let width = facts_of.stand.width;
    let before = field.muster().unit_ids().take(scout.index());
    let number = before.filter(|id| facts(field, *id).scout_of == Some(regiment)).count() as i32;
    let from_left = width * number + width.half();
    pose.sideways(from_left - (width * i32::from(facts_of.stands)).half())
}

/// The deployment the scenario's own order of battle gives, spelled out piece by piece.
pub fn as_drawn_up(field: &Field, side: Side) -> Order {
    drawn_up_scouting(field, side, Vec::new())
}

/// The same with some of the cavalry scouting.
pub fn drawn_up_scouting(field: &Field, side: Side, scouts: Vec<UnitId>) -> Order {
    let (units, commanders) = places(field, side, &[], &[], &scouts);
    Order::Deploy { units, commanders, scouts }
}

/// Judges a deployment.
pub fn check_deploy(view: &View<'_, Fpw>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    let (units, officers, scouts) = match order {
        Order::Pass => return verdict,
        Order::Deploy { units, commanders, scouts } => (units, commanders, scouts),
        _ => return Verdict::refused(Clause::HistoricalOrder, "the question is where your troops stand"),
    };
    check_scouts(field, side, scouts, &mut verdict);
    for (n, placement) in units.iter().enumerate() {
        let unit = placement.unit;
        let text = if field.side_of(unit) != side {
            "this is not a unit of yours"
        } else if facts(field, unit).enters.is_some() {
            "it comes on later"
        } else if scouts.contains(&unit) {
            "it scouts, and is set up as single stands"
        } else if facts(field, unit).scout_of.is_some_and(|regiment| !scouts.contains(&regiment)) {
            "its regiment does not scout"
        } else if units[..n].iter().any(|other| other.unit == unit) {
            "it is set up twice"
        } else {
            check_formation(field, placement, &mut verdict);
            continue;
        };
        verdict.refuse(Clause::HistoricalOrder, text).about(unit);
    }
    for (n, placement) in officers.iter().enumerate() {
        let card = field.muster().commander(placement.commander);
        if card.side != side || card.facts.enters.is_some() {
            verdict.refuse(Clause::CommandStands, "this is not a general you set up now");
        } else if officers[..n].iter().any(|other| other.commander == placement.commander) {
            verdict.refuse(Clause::CommandStands, format!("{} is set up twice", card.name));
        }
    }
    if verdict.is_legal() {
        let pieces = places(field, side, units, officers, scouts);
        judge(field, side, &pieces, Vec::new(), |unit, text, at| refuse_place(&mut verdict, unit, text, at));
    }
    verdict
}

pub(super) fn refuse_place(verdict: &mut Verdict, unit: Option<UnitId>, text: String, at: Point) {
    let note = verdict.refuse(Clause::HistoricalOrder, text);
    note.at(Mark::Spot(at));
    if let Some(unit) = unit {
        note.about(unit);
    }
}

fn check_formation(field: &Field, placement: &Placement, verdict: &mut Verdict) {
    let count = field.unit(placement.unit).body.stands.count() as u8;
    if !facts(field, placement.unit).formations(count).contains(&placement.formation) {
        let text = format!("it cannot form {}", placement.formation.word());
        verdict.refuse(Clause::ThreeFormations, text).about(placement.unit);
    }
}

fn check_scouts(field: &Field, side: Side, scouts: &[UnitId], verdict: &mut Verdict) {
    if !scouts.is_empty() && !field.settings().scouting {
        verdict.refuse(Clause::ScoutsDeclared, "it was agreed to play without scouting cavalry");
        return;
    }
    for (n, unit) in scouts.iter().enumerate() {
        let own = facts(field, *unit);
        if field.side_of(*unit) != side || own.arm != Arm::Cavalry || own.is_scout() || own.enters.is_some() {
            let text = "only cavalry of yours that you set up now can scout";
            verdict.refuse(Clause::ScoutsDeclared, text).about(*unit);
        } else if scouts[..n].contains(unit) {
            verdict.refuse(Clause::ScoutsDeclared, "it is declared twice").about(*unit);
        }
    }
}

/// Looks for whatever is wrong with places: zones, ground, two on one spot. `taken` is what stands there already.
pub(super) fn judge<'f>(
    field: &'f Field,
    side: Side,
    (units, officers): &Places,
    mut taken: Vec<(&'f str, Stands)>,
    mut tell: impl FnMut(Option<UnitId>, String, Point),
) {
    let mut place = |unit: Option<UnitId>, name: &'f str, quads: Stands, at: Point, own: &[(Point, Point)]| {
        let zones = if own.is_empty() { &field.muster().sides[side].zones } else { own };
        if quads.iter().any(|quad| !in_zones(zones, quad)) {
            tell(unit, format!("{name} stands outside its zone"), at);
        }
        if quads.iter().any(|quad| !is_open(field.ground(), quad)) {
            tell(unit, format!("{name} cannot stand on this ground"), at);
        }
        for (other, there) in &taken {
            if overlap(&quads, there) {
                tell(unit, format!("{name} and {other} stand on the same ground"), at);
            }
        }
        taken.push((name, quads));
    };
    for Placement { unit, pose, formation } in units {
        let card = field.card(*unit);
        let quads = bodies_at(field, *unit, *pose, *formation);
        place(Some(*unit), &card.name, quads, pose.at, &card.facts.zones);
    }
    for OfficerPlacement { commander, pose } in officers {
        let card = field.muster().commander(*commander);
        let quads = SmallVec::from_slice(&[card.facts.stand.quad(*pose)]);
        place(None, &card.name, quads, pose.at, &card.facts.zones);
    }
}

/// Whether two sets of rectangles overlap.
pub(super) fn overlap(some: &[Quad], others: &[Quad]) -> bool {
    some.iter().any(|one| others.iter().any(|other| quads_overlap(one, other)))
}

/// Whether ground is on the table and open; a bridge carries whoever has his middle on it.
pub fn is_open(ground: &Ground, quad: &Quad) -> bool {
    use TerrainKind as T;
    let closed = |kind: TerrainKind| rough(kind) == Rough::Impassable;
    let bridged = || {
        let mut ways = ground.features.iter().filter(|way| matches!(way.kind, T::Bridge | T::Pontoon | T::Ford));
        ways.any(|way| way.shape.contains(quad.centre))
    };
    ground.holds(quad)
        && (ground.features.iter().all(|feature| !closed(feature.kind) || !feature.shape.overlaps_quad(quad))
            || bridged())
}

/// The default places of a set-up must themselves be in order, and the two sides must be kept apart.
pub fn check_defaults(field: &Field, root: &SheetTable<'_, '_>, faults: &mut Faults) {
    for side in Side::BOTH {
        let mut tell = |_: Option<UnitId>, text: String, at: Point| {
            faults.push(root.span_of("units"), "units", format!("{text} (at {}, {})", at.x, at.y));
        };
        judge(field, side, &places(field, side, &[], &[], &[]), Vec::new(), &mut tell);
        judge(field, side, &entry::drawn_up(field, side), Vec::new(), &mut tell);
    }
    if field.muster().scenario.deployed {
        check_apart(field, root, faults);
    } else if Side::BOTH.map(|side| zones_of(field, side)).iter().all(|zones| !zones.is_empty()) {
        let meets = |(low, high): &(Point, Point), (other_low, other_high): &(Point, Point)| {
            low.x <= other_high.x && other_low.x <= high.x && low.y <= other_high.y && other_low.y <= high.y
        };
        let theirs = zones_of(field, Side::B);
        if zones_of(field, Side::A).iter().any(|one| theirs.iter().any(|other| meets(one, other))) {
            faults.push(root.span_of("sides"), "sides", "the deployment zones of the two sides meet");
        }
    }
}

/// Every zone a side may set up in.
fn zones_of(field: &Field, side: Side) -> Vec<(Point, Point)> {
    let units = field.muster().units.iter().filter(|card| card.side == side && card.facts.enters.is_none());
    let own = units.flat_map(|card| card.facts.zones.iter().copied());
    field.muster().sides[side].zones.iter().copied().chain(own).collect()
}

/// Where nobody deploys, the set-up itself must keep the two sides out of contact.
fn check_apart(field: &Field, root: &SheetTable<'_, '_>, faults: &mut Faults) {
    let [ours, theirs] = Side::BOTH.map(|side| places(field, side, &[], &[], &[]).0);
    let quads = |place: &Placement| bodies_at(field, place.unit, place.pose, place.formation);
    for (a, b) in ours.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
        if super::field::gap_between(&quads(a), &quads(b)) <= table::SLACK {
            let names = (&field.card(a.unit).name, &field.card(b.unit).name);
            let text = format!("{} and {} touch before the battle has begun", names.0, names.1);
            faults.push(root.span_of("units"), "units", text);
        }
    }
}

/// Sets a side up.
pub fn execute_deploy(umpire: &mut Umpire<'_, Fpw>, side: Side, order: Order) {
    let (units, officers, scouts) = match order {
        Order::Deploy { units, commanders, scouts } => (units, commanders, scouts),
        _ => (Vec::new(), Vec::new(), Vec::new()),
    };
    let (units, officers) = places(umpire.state(), side, &units, &officers, &scouts);
    let secret = umpire.state().settings().hidden_setup;
    for regiment in scouts {
        let event = Event::own(Clause::ScoutsDeclared, FpwEvent::ScoutsDeclared { regiment });
        umpire.announce(if secret { event.only(side) } else { event });
    }
    for placement in units {
        place_unit(umpire, placement, secret);
    }
    for OfficerPlacement { commander, pose } in officers {
        hidden::place_general(umpire, commander, pose, Clause::CommandStands, secret);
    }
    if let Some(Phase::Opening(Opening::Deploy { done })) = umpire.phase() {
        *done += 1;
    }
}

/// Sets a unit on the table; in secret only its owner hears of it.
pub fn place_unit(umpire: &mut Umpire<'_, Fpw>, placement: Placement, secret: bool) {
    let Placement { unit, pose, formation } = placement;
    let side = umpire.state().side_of(unit);
    let shape = match formation {
        Formation::March | Formation::Limbered => Clause::MarchColumn,
        Formation::Line => Clause::Line,
        Formation::Dense | Formation::Column => Clause::Dense,
        Formation::Deployed => Clause::UnitIsRegimentOrBattery,
    };
    let scout = facts(umpire.state(), unit).is_scout();
    let first = if scout { Clause::ScoutsSingly } else { Clause::StandsPerUnit };
    let deed = Deed::Placed { unit, pose, formation, hidden: secret };
    let event = Event::new(first, deed).also(shape).also_if(secret, Clause::ScoutsUncover);
    umpire.announce(if secret { event.only(side) } else { event });
}
