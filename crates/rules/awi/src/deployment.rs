//! Before the first turn: deployment, sharpshooters in hiding, first orders, who begins. R69, R74, section D.

use super::Awi;
use super::clause::Clause;
use super::courier;
use super::event::AwiEvent;
use super::field::{Field, facts};
use super::muster::centred;
use super::officers::is_open;
use super::order::{BrigadeOrder, Decision, OfficerPlacement, Order, Placement};
use super::sequence::{Opening, Phase, Turn};
use super::unit::{Arm, Formation, Level};
use book::enlist::in_zones;
use engine::{
    CommanderId, Deed, Event, Faults, Flow, Mark, Pool, SheetTable, Side, Umpire, UnitId, Verdict, View, Who,
};
use table::terrain::TerrainKind;
use table::{Point, Pose, Quad, SLACK, quads_overlap};

/// Turns the pages before the first turn. The side that moves second sets up first.
pub fn advance(umpire: &mut Umpire<'_, Awi>, opening: Opening) -> Flow<Awi> {
    let second = umpire.state().ledger().first.other();
    let deployed = umpire.state().muster().scenario.deployed;
    match opening {
        Opening::Deploy { done: done @ 0..=1 } if deployed => {
            let side = if done == 0 { second } else { second.other() };
            execute_deploy(umpire, side, Order::Pass);
            Flow::Again
        }
        Opening::Deploy { done: 0 } => Flow::Ask(Who::One(second), Decision::Deploy),
        Opening::Deploy { done: 1 } => Flow::Ask(Who::One(second.other()), Decision::Deploy),
        Opening::Deploy { .. } => next(umpire, Opening::Sharpshooters),
        Opening::Sharpshooters => {
            let most = Side::BOTH.map(|side| marksmen(umpire.state(), side).count() as u8);
            match most {
                [0, 0] => next(umpire, Opening::FirstOrders),
                [a, b] => Flow::Ask(Who::Both, Decision::PlaceSharpshooters { most: a.max(b) }),
            }
        }
        Opening::FirstOrders => {
            let field = umpire.state();
            if Side::BOTH.into_iter().any(|side| courier::is_structured(field, side)) {
                Flow::Ask(Who::Both, Decision::FirstOrders)
            } else {
                next(umpire, Opening::Begin)
            }
        }
        Opening::Begin => match umpire.state().muster().scenario.first {
            Some(side) => {
                begin(umpire, side);
                Flow::Again
            }
            None => throw_for_first(umpire),
        },
    }
}

fn next(umpire: &mut Umpire<'_, Awi>, opening: Opening) -> Flow<Awi> {
    umpire.replace(Phase::Opening(opening));
    Flow::Again
}

fn begin(umpire: &mut Umpire<'_, Awi>, side: Side) {
    umpire.announce(Event::own(Clause::TurnsAlternate, AwiEvent::Began { side }));
    umpire.announce(Event::new(Clause::TurnsAlternate, Deed::TurnBegan { turn: 1 }));
    umpire.replace(Phase::Turn(Turn { side, step: 0 }));
}

/// Each side throws until one is higher; the higher chooses.
fn throw_for_first(umpire: &mut Umpire<'_, Awi>) -> Flow<Awi> {
    loop {
        let a = umpire.roll(Pool::d6(1), Side::A);
        let b = umpire.roll(Pool::d6(1), Side::B);
        let (left, right) = (a.total(), b.total());
        umpire.announce(Event::new(Clause::TurnsAlternate, Deed::Noted).rolled(a).rolled(b));
        if left != right {
            let higher = if left > right { Side::A } else { Side::B };
            return Flow::Ask(Who::One(higher), Decision::ChooseFirst);
        }
    }
}

/// A side's sharpshooters not yet placed or gone.
pub fn marksmen(field: &Field, side: Side) -> impl Iterator<Item = UnitId> {
    field
        .units()
        .filter(move |(id, unit)| {
            field.side_of(*id) == side
                && facts(field, *id).arm == Arm::Sharpshooter
                && unit.whereabouts == engine::Whereabouts::OffTable
        })
        .map(|(id, _)| id)
}

/// Every piece of a side with its place: what the order says, else the scenario's default.
pub fn places(
    field: &Field,
    side: Side,
    units: &[Placement],
    officers: &[OfficerPlacement],
) -> (Vec<Placement>, Vec<OfficerPlacement>) {
    let scenario = &field.muster().scenario;
    let ids = field.muster().unit_ids().filter(|id| field.side_of(*id) == side && facts(field, *id).is_troops());
    let all = ids
        .filter_map(|unit| {
            let given = units.iter().find(|placement| placement.unit == unit).copied();
            let default = scenario.units_at.get(unit.index()).copied().flatten();
            given.or(default.map(|pose| Placement { unit, pose, formation: field.unit(unit).body.formation }))
        })
        .collect();
    let riders = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side);
    let all_officers = riders
        .filter_map(|commander| {
            let given = officers.iter().find(|placement| placement.commander == commander).copied();
            let default = scenario.commanders_at.get(commander.index()).copied().flatten();
            given.or(default.map(|pose| OfficerPlacement { commander, pose }))
        })
        .collect();
    (all, all_officers)
}

/// The deployment the scenario's own order of battle gives, spelled out piece by piece.
pub fn as_drawn_up(field: &Field, side: Side) -> Order {
    let (units, commanders) = places(field, side, &[], &[]);
    Order::Deploy { units, commanders }
}

fn in_zone(field: &Field, side: Side, own: &[(Point, Point)], quad: &Quad) -> bool {
    let zones = if own.is_empty() { &field.muster().sides[side].zones } else { own };
    in_zones(zones, quad)
}

/// Judges a deployment.
pub fn check_deploy(view: &View<'_, Awi>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    let (units, officers) = match order {
        Order::Pass => return verdict,
        Order::Deploy { units, commanders } => (units.as_slice(), commanders.as_slice()),
        _ => {
            verdict.refuse(Clause::PhaseOrder, "the question is where your troops stand");
            return verdict;
        }
    };
    for placement in units {
        if field.side_of(placement.unit) != side || !facts(field, placement.unit).is_troops() {
            verdict.refuse(Clause::TurnsAlternate, "this is not a unit of yours").about(placement.unit);
        } else if !facts(field, placement.unit).formations().contains(&placement.formation) {
            let text = format!("it cannot form {}", placement.formation.word());
            verdict.refuse(Clause::FormationChange, text).about(placement.unit);
        }
    }
    for placement in officers {
        if field.muster().commander(placement.commander).side != side {
            verdict.refuse(Clause::TurnsAlternate, "this is not a commander of yours");
        }
    }
    if verdict.is_legal() {
        judge_places(field, side, units, officers, |unit, text, at| {
            let note = verdict.refuse(Clause::ScenarioTerms, text);
            note.at(Mark::Spot(at));
            if let Some(unit) = unit {
                note.about(unit);
            }
        });
    }
    verdict
}

/// Tells everything wrong with a deployment.
fn judge_places(
    field: &Field,
    side: Side,
    units: &[Placement],
    officers: &[OfficerPlacement],
    mut tell: impl FnMut(Option<UnitId>, String, Point),
) {
    let (units, officers) = places(field, side, units, officers);
    let mut taken: Vec<(String, Quad)> = Vec::new();
    let mut place = |unit: Option<UnitId>, name: &str, quad: Quad, pose: Pose, arm: Arm, zones: &[(Point, Point)]| {
        if !in_zone(field, side, zones, &quad) {
            tell(unit, format!("{name} stands outside its deployment zone"), pose.at);
        }
        if !is_open(field.ground(), &quad, arm) {
            tell(unit, format!("{name} cannot stand on this ground"), pose.at);
        }
        for (other, there) in &taken {
            if quads_overlap(&quad, there) {
                tell(unit, format!("{name} and {other} stand on the same ground"), pose.at);
            }
        }
        taken.push((name.to_owned(), quad));
    };
    for placement in &units {
        let card = field.card(placement.unit);
        let quad = card.facts.footprint(placement.formation).quad(placement.pose);
        place(Some(placement.unit), &card.name, quad, placement.pose, card.facts.arm, &card.facts.zones);
    }
    for placement in &officers {
        let card = field.muster().commander(placement.commander);
        place(None, &card.name, card.facts.stand.quad(placement.pose), placement.pose, Arm::Cavalry, &[]);
    }
}

/// The default places of a set-up must themselves be in order.
pub fn check_defaults(field: &Field, root: &SheetTable<'_, '_>, faults: &mut Faults) {
    for side in Side::BOTH {
        judge_places(field, side, &[], &[], |_, text, at| {
            faults.push(root.span_of("units"), "units", format!("{text} (at {}, {})", at.x, at.y));
        });
    }
    if field.muster().scenario.deployed {
        check_apart(field, root, faults);
    }
}

/// Where nobody deploys, the set-up itself must keep the two sides out of contact.
fn check_apart(field: &Field, root: &SheetTable<'_, '_>, faults: &mut Faults) {
    let [ours, theirs] = Side::BOTH.map(|side| places(field, side, &[], &[]).0);
    let quad = |place: &Placement| facts(field, place.unit).footprint(place.formation).quad(place.pose);
    for (a, b) in ours.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
        if table::quads_touch(&quad(a), &quad(b)) {
            let names = (&field.card(a.unit).name, &field.card(b.unit).name);
            let text = format!("{} and {} touch before the battle has begun", names.0, names.1);
            faults.push(root.span_of("units"), "units", text);
        }
    }
}

/// Sets a side up.
pub fn execute_deploy(umpire: &mut Umpire<'_, Awi>, side: Side, order: Order) {
    let (units, officers) = match order {
        Order::Deploy { units, commanders } => (units, commanders),
        _ => (Vec::new(), Vec::new()),
    };
    let (units, officers) = places(umpire.state(), side, &units, &officers);
    for Placement { unit, pose, formation } in units {
        let class = facts(umpire.state(), unit).class;
        let deed = Deed::Placed { unit, pose, formation, hidden: false };
        umpire.announce(Event::new(class.marks_clause(), deed).also(Clause::MarksAreShown));
    }
    for OfficerPlacement { commander, pose } in officers {
        let clause = chain_clause(umpire.state(), commander);
        umpire.announce(Event::new(clause, Deed::CommanderMoved { commander, to: pose }));
    }
    if let Some(Phase::Opening(Opening::Deploy { done })) = umpire.phase() {
        *done += 1;
    }
}

/// The clause by which an officer has his command: a division, a brigade of guns or of horse, or a plain brigade.
fn chain_clause(field: &Field, officer: CommanderId) -> Clause {
    let card = field.muster().commander(officer);
    let all = |arm: Arm| {
        let mut units = field.muster().units.iter().filter(|unit| unit.command == Some(card.commands));
        units.all(|unit| unit.facts.arm == arm)
    };
    match card.facts.level {
        Level::Division => Clause::DivisionOfThree,
        Level::Brigade if all(Arm::Artillery) => Clause::ArtilleryBrigade,
        Level::Brigade if all(Arm::Cavalry) => Clause::CavalryBrigade,
        Level::Brigade => Clause::BrigadeOfThree,
    }
}

/// Whether a point offers a marksman something to hide in or behind (R69).
pub fn is_hiding_place(field: &Field, at: Point) -> bool {
    field.ground().features.iter().any(|feature| {
        use TerrainKind as T;
        let hides =
            matches!(feature.kind, T::Woods | T::Orchard | T::Scrub | T::Crops | T::Building | T::Town | T::Redoubt);
        let lines = matches!(feature.kind, T::Hedge | T::Fence | T::Wall | T::Abatis | T::Earthwork);
        let behind = field.charts().cover.behind_line.value.0 + SLACK;
        (hides && feature.shape.contains(at.vec())) || (lines && feature.shape.distance(at.vec()) <= behind.as_f64())
    })
}

/// Judges hiding places.
pub fn check_sharpshooters(view: &View<'_, Awi>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    let places = match order {
        Order::Pass => return verdict,
        Order::Sharpshooters { at } => at,
        _ => {
            verdict.refuse(Clause::SharpshooterConcealed, "the question is where your sharpshooters hide");
            return verdict;
        }
    };
    let have = marksmen(field, side).count();
    if places.len() > have {
        verdict.refuse(Clause::Sharpshooters, format!("you have {have} sharpshooters"));
    }
    for at in places {
        let quad = Quad::of_square(at.vec(), field.charts().footprint.sharpshooter.stand_width.value.0);
        if !is_hiding_place(field, *at) || !field.ground().holds(&quad) {
            let text = "a sharpshooter hides in a wood, a building or other cover";
            verdict.refuse(Clause::SharpshooterConcealed, text).at(Mark::Spot(*at));
        }
        let enemy = &field.muster().sides[side.other()].zones;
        let inside = |(low, high): &(Point, Point)| at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
        if enemy.iter().any(inside) {
            let text = "not in the enemy's deployment zone";
            verdict.refuse(Clause::SharpshooterConcealed, text).at(Mark::Spot(*at));
        }
    }
    verdict
}

/// How a sharpshooter stands whose centre is at the point.
pub fn hiding_pose(field: &Field, at: Point) -> Pose {
    centred(Pose { at, ..Pose::default() }, field.charts())
}

/// Hides the sharpshooters of both sides.
pub fn execute_sharpshooters(umpire: &mut Umpire<'_, Awi>, orders: [Order; 2]) {
    for (side, order) in Side::BOTH.into_iter().zip(orders) {
        let places = if let Order::Sharpshooters { at } = order { at } else { Vec::new() };
        let men: Vec<UnitId> = marksmen(umpire.state(), side).collect();
        for (unit, at) in men.iter().copied().zip(&places) {
            let pose = hiding_pose(umpire.state(), *at);
            let deed = Deed::Placed { unit, pose, formation: Formation::Line, hidden: true };
            umpire.announce(Event::new(Clause::SharpshooterConcealed, deed).also(Clause::Sharpshooters).only(side));
        }
        for unit in men.into_iter().skip(places.len()) {
            let deed = Deed::Removed { unit, why: engine::Leaving::Spent };
            umpire.announce(Event::new(Clause::Sharpshooters, deed).only(side));
        }
    }
    umpire.replace(Phase::Opening(Opening::FirstOrders));
}

/// Judges first orders.
pub fn check_first_orders(view: &View<'_, Awi>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::FirstOrders { orders } => courier::check_first(view, side, orders, &mut verdict),
        _ => drop(verdict.refuse(Clause::OrdersToBrigades, "the question is what each brigade is ordered to do")),
    }
    verdict
}

/// Puts first orders in force.
pub fn execute_first_orders(umpire: &mut Umpire<'_, Awi>, orders: [Order; 2]) {
    for (side, order) in Side::BOTH.into_iter().zip(orders) {
        let list: Vec<BrigadeOrder> = if let Order::FirstOrders { orders } = order { orders } else { Vec::new() };
        courier::give_first(umpire, side, &list);
    }
    umpire.replace(Phase::Opening(Opening::Begin));
}

/// Judges who begins.
pub fn check_begin(order: &Order) -> Verdict {
    match order {
        Order::Pass | Order::Begin { .. } => Verdict::fine(),
        _ => Verdict::refused(Clause::TurnsAlternate, "the question is whether you begin"),
    }
}

/// The winner of the dice chooses; declining, he begins.
pub fn execute_begin(umpire: &mut Umpire<'_, Awi>, side: Side, order: &Order) {
    let me = !matches!(order, Order::Begin { me: false });
    begin(umpire, if me { side } else { side.other() });
}
