//! Orders worth considering: legal, repeatable from a seed, the fallback among them, best guess first.
//!
//! A plan for a whole side is made of wishes for single pieces. [`settle`] lays them over the plan the house would make
//! (every brigade does its duty) and takes back whatever is refused, so a bot may wish freely.

use super::Guns;
use super::command;
use super::evolution;
use super::field::{Field, brigade, brigades, distance, facts, formation, known, present, troops};
use super::formation::{Formation, Shape};
use super::order::{BrigadeOrder, Decision, Marking, Matter, Move, NewOrder, Nomination, Order, Posture, Shot, Step};
use super::plot;
use super::unit::{Arm, Cycle, Observer};
use super::{artillery, musketry, ranging};
use engine::{Asked, BySide, CommandId, CommanderId, FeatureId, Lots, Ruleset, Side, UnitId, Verdict, View};
use table::march::Leg;
use table::{Angle, Flank, Length, Point, Vec2};

/// How many things in view are tried as what prompts a new order.
const CAUSES: usize = 4;
/// How often a plan is mended before it is given up.
const MENDINGS: usize = 8;
/// In the later ones even charges of a brigade that falls short of its duty are taken back.
const MILD_MENDINGS: usize = 3;

/// Orders worth considering, best guess first, the fallback among them.
pub fn candidates(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, lots: &mut Lots, limit: usize) -> Vec<Order> {
    let found = match &asked.decision {
        Decision::Deploy => vec![super::deployment::as_drawn_up(view, side)],
        Decision::Abandon { .. } => vec![Order::Abandon],
        Decision::Nominate => nominations(view, asked, side, lots),
        Decision::Allot { dice, brigades } => deals(&dice[side], &brigades[side], lots),
        Decision::Mark => markings(view, side, lots),
        Decision::Plot => {
            let plans = limit.clamp(1, 3);
            (0..plans).map(|_| random_plan(view, asked, side, lots)).collect()
        }
        Decision::CounterCharge { able } => counter(able, side, lots),
        Decision::Guns => vec![fire(artillery::shots(view, side), lots)],
        Decision::Musketry => vec![fire(musketry::shots(view, side), lots)],
        Decision::LieDown { units } => {
            let own = units.iter().copied().filter(|unit| view.side_of(*unit) == side);
            vec![Order::LieDown { units: own.collect() }]
        }
        Decision::PressOn { among, .. } => among.iter().map(|at| Order::PressOn { at: *at }).collect(),
        Decision::RideThrough { .. } => vec![Order::RideThrough],
    };
    let mut kept = Vec::with_capacity(limit);
    for order in found {
        if kept.len() + 1 >= limit {
            break;
        }
        if Guns::check(view, asked, side, &order).is_legal() {
            kept.push(order);
        }
    }
    kept.push(Order::Pass);
    kept
}

/// Each brigade alone is tried first: one that may not be named must not spoil the others.
fn nominations(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, lots: &mut Lots) -> Vec<Order> {
    let mut named = Vec::new();
    for brigade in brigades(view, side) {
        if lots.below(5) > 0 {
            let place = objective_at_random(view, lots).filter(|_| lots.below(4) == 0);
            let sent = place.and_then(|place| sent_to(view, asked, side, brigade, Matter::Feature(place)));
            named.extend(sent.or_else(|| nomination(view, asked, side, brigade)));
        }
    }
    let unformed = present(view, side).map(|(id, _)| id).filter(|id| command::may_stay_disordered(view, *id));
    let stay_disordered = unformed.filter(|_| lots.below(4) == 0).collect();
    vec![Order::Nominate { brigades: named, stay_disordered }]
}

fn objective_at_random(field: &Field, lots: &mut Lots) -> Option<FeatureId> {
    lots.pick(&field.muster().scenario.objectives).map(|place| place.feature)
}

/// A legal new order to attack something, prompted by whatever its commander or one above him sees.
pub fn sent_to(
    view: &View<'_, Guns>,
    asked: &Asked<Guns>,
    side: Side,
    brigade: CommandId,
    objective: Matter,
) -> Option<Nomination> {
    let order = BrigadeOrder { posture: Posture::Attack, objective };
    let mut causes = vec![objective];
    causes
        .extend(super::field::brigade_units(view, brigade).filter(|id| view.unit(*id).is_present()).map(Matter::Unit));
    let givers = super::field::chain(view, brigade);
    givers.iter().find_map(|giver| {
        causes.iter().take(CAUSES).find_map(|cause| {
            let new = NewOrder { issuer: Some(*giver), cause: *cause, order };
            let fresh = Nomination { brigade, issuer: None, new: Some(new), present: Vec::new() };
            nomination_is_legal(view, asked, side, &fresh).then_some(fresh)
        })
    })
}

/// A legal way to name a brigade: going on as it was told, or attacking what its commander sees nearest.
pub fn nomination(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, brigade: CommandId) -> Option<Nomination> {
    let goes_on = Nomination { brigade, issuer: None, new: None, present: Vec::new() };
    if nomination_is_legal(view, asked, side, &goes_on) {
        return Some(goes_on);
    }
    let middle = middle_of(view, brigade)?;
    let enemy = nearest(view, side, middle)?;
    sent_to(view, asked, side, brigade, Matter::Unit(enemy))
}

fn nomination_is_legal(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, one: &Nomination) -> bool {
    let order = Order::Nominate { brigades: vec![one.clone()], stay_disordered: Vec::new() };
    Guns::check(view, asked, side, &order).is_legal()
}

/// The middle of a brigade on the table.
pub fn middle_of(field: &Field, brigade: CommandId) -> Option<Vec2> {
    let mut sum = Vec2::ZERO;
    let mut count = 0.0;
    for unit in super::field::brigade_units(field, brigade).filter(|id| field.unit(*id).is_present()) {
        sum += field.unit(unit).quad().centre;
        count += 1.0;
    }
    (count > 0.0).then(|| sum * (1.0 / count))
}

/// The nearest known enemy of a side to a place.
pub fn nearest(field: &Field, side: Side, to: Vec2) -> Option<UnitId> {
    let apart = |quad: &table::Quad| (quad.centre - to).length_squared();
    known(field, side.other()).min_by(|a, b| apart(a.1.quad()).total_cmp(&apart(b.1.quad()))).map(|(id, _)| id)
}

fn deals(dice: &[u8], brigades: &[CommandId], lots: &mut Lots) -> Vec<Order> {
    let mut order: Vec<u8> = (0..dice.len() as u8).collect();
    for n in (1..order.len()).rev() {
        order.swap(n, lots.below(n + 1));
    }
    let deal = (0..brigades.len()).map(|n| order.get(n).copied()).collect();
    vec![Order::Allot { deal }]
}

fn markings(view: &View<'_, Guns>, side: Side, lots: &mut Lots) -> Vec<Order> {
    let mut shots = Vec::new();
    for (battery, targets) in ranging::shots(view, side) {
        if let Some(at) = lots.pick(&targets) {
            shots.push(Marking { battery, at: *at, point: None, blocks: Vec::new() });
        }
    }
    if shots.is_empty() { Vec::new() } else { vec![Order::Mark { shots }] }
}

fn counter(able: &BySide<Vec<Shot>>, side: Side, lots: &mut Lots) -> Vec<Order> {
    let mut units: Vec<UnitId> = Vec::new();
    for shot in &able[side] {
        if !units.contains(&shot.unit) && lots.below(4) > 0 {
            units.push(shot.unit);
        }
    }
    vec![Order::CounterCharge { units }]
}

fn fire(able: Vec<(UnitId, Vec<UnitId>)>, lots: &mut Lots) -> Order {
    let picked = able.into_iter().filter_map(|(unit, targets)| lots.pick(&targets).map(|at| Shot { unit, at: *at }));
    Order::Fire { shots: picked.collect(), hold: Vec::new() }
}

/// A plan of random wishes.
fn random_plan(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, lots: &mut Lots) -> Order {
    let mut wishes = Vec::new();
    for (unit, _) in present(view, side) {
        wishes.extend(wish(view, unit, lots));
    }
    for (id, general) in view.commanders() {
        if view.muster().commander(id).side == side
            && general.is_present()
            && general.own.is_fit()
            && lots.below(3) == 0
        {
            wishes.extend(ride(view, id, lots));
        }
    }
    for brigade in brigades(view, side) {
        if lots.below(4) == 0 {
            wishes.extend(screen_out(view, brigade));
        }
    }
    settle(view, asked, side, wishes)
}

/// The screen of a brigade thrown out before one of its battalions, with men of all that can give some.
pub fn screen_out(field: &Field, brigade: CommandId) -> Option<Move> {
    let there = |id: &UnitId| field.unit(*id).is_present();
    let screen = super::field::brigade_units(field, brigade).find(|id| facts(field, *id).screen && !there(id))?;
    let gives = |id: &UnitId| {
        let giver = facts(field, *id);
        let foot = giver.arm == Arm::Infantry && giver.extended && !giver.screen;
        there(id) && foot && !troops(field, *id).lent && plot::allowance(field, *id).is_ok()
    };
    let parents: Vec<UnitId> = super::field::brigade_units(field, brigade)
        .filter(gives)
        .take(usize::from(facts(field, screen).elements))
        .collect();
    let before = *parents.get(parents.len() / 2)?;
    let far = distance(field, &field.charts().evolution.line_open);
    let pose = field.unit(before).pose().ahead(far);
    Some(Move::Screen { screen, parents, pose })
}

fn wish(field: &Field, unit: UnitId, lots: &mut Lots) -> Option<Move> {
    let (facts, own) = (facts(field, unit), troops(field, unit));
    if facts.is_battery() {
        return guns_wish(field, unit, lots);
    }
    let allowance = plot::allowance(field, unit).ok().filter(|length| *length > Length::ZERO)?;
    if facts.screen {
        return match lots.below(3) {
            0 => Some(Move::Recall { screen: unit }),
            1 => Some(march(unit, vec![Step::March(vec![Leg::Ahead(allowance / 4)])])),
            _ => None,
        };
    }
    if facts.can_dismount && lots.below(8) == 0 {
        return Some(march(unit, vec![if own.mounted { Step::Dismount } else { Step::Mount }]));
    }
    if lots.below(6) == 0 {
        return garrison(field, unit).or(Some(Move::LieDown { unit }));
    }
    match lots.below(6) {
        0 | 1 => {
            let targets = plot::charge_targets(field, unit);
            let (at, legs) = lots.pick(&targets)?;
            Some(Move::Charge { unit, at: *at, legs: legs.clone(), led_by: None })
        }
        2 => {
            let into = evolution::allowed(field, unit);
            let into = lots.pick(&into)?;
            (*into != formation(field, unit)).then(|| march(unit, vec![Step::Form(*into)]))
        }
        3 => {
            let by = Angle::whole(5 + lots.below(40) as i32);
            let pivot = if lots.below(2) == 0 { Flank::Left } else { Flank::Right };
            let legs = vec![Leg::Wheel { pivot, by }, Leg::Ahead(allowance * (1 + lots.below(3) as i32) / 4)];
            Some(march(unit, vec![Step::March(legs)]))
        }
        _ => Some(march(unit, vec![Step::March(vec![Leg::Ahead(allowance * (1 + lots.below(4) as i32) / 4)])])),
    }
    .filter(|_| !own.broken && !is_locked(field, unit))
}

/// A unit that stands in houses or behind works takes up their defence.
fn garrison(field: &Field, unit: UnitId) -> Option<Move> {
    let quad = field.unit(unit).quad();
    let covers = |feature: &table::terrain::Feature| super::field::cover_of(feature.kind).is_some();
    let (id, _) = plot::space::features(field).find(|(_, it)| covers(it) && it.shape.overlaps_quad(quad))?;
    let loose = Formation::usual(Shape::Loose);
    let steps = if formation(field, unit) == loose { Vec::new() } else { vec![Step::Form(loose)] };
    Some(Move::March { unit, steps, defend: Some(id) })
}

fn guns_wish(field: &Field, battery: UnitId, lots: &mut Lots) -> Option<Move> {
    let full = super::pace::full_move(field, battery).0;
    let half = full * (1 + lots.below(4) as i32) / 4;
    let near = nearest(field, field.side_of(battery), field.unit(battery).quad().centre).is_some();
    if let (Some(Observer::At(from)), 0) = (troops(field, battery).observer, lots.below(4)) {
        let ahead = super::field::forward(field, field.side_of(battery)) * half.as_f64();
        return Some(Move::Observe { battery, to: Point::from_vec(from.vec() + ahead) });
    }
    match troops(field, battery).cycle {
        Cycle::Limbered if lots.below(3) == 0 => Some(march(battery, vec![Step::Unlimber])),
        Cycle::Limbered => Some(march(battery, vec![Step::March(vec![Leg::Ahead(half)])])),
        Cycle::Deployed if near && lots.below(8) > 0 => None,
        Cycle::Deployed => Some(march(battery, vec![Step::Limber])),
        Cycle::Abandoned => Some(Move::Return { battery }),
        Cycle::Unlimbering => Some(march(battery, vec![Step::Unlimber])),
        Cycle::Limbering => Some(march(battery, vec![Step::Limber])),
    }
}

fn is_locked(field: &Field, unit: UnitId) -> bool {
    !troops(field, unit).locked.is_empty()
}

fn ride(field: &Field, commander: CommanderId, lots: &mut Lots) -> Option<Move> {
    let side = field.muster().commander(commander).side;
    let friends: Vec<UnitId> = present(field, side).map(|(id, _)| id).collect();
    let unit = *lots.pick(&friends)?;
    if lots.below(2) == 0 {
        return Some(Move::Join { commander, unit });
    }
    let place = field.unit(unit).quad().centre;
    Some(Move::Ride { commander, to: Point::from_vec(place) })
}

fn march(unit: UnitId, steps: Vec<Step>) -> Move {
    Move::March { unit, steps, defend: None }
}

/// Whose move it is, for telling two plans apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mover {
    /// A unit.
    Unit(UnitId),
    /// A general.
    General(CommanderId),
    /// The observer of a battery.
    Observer(UnitId),
}

/// Whose move it is.
pub fn mover(one: &Move) -> Mover {
    match one {
        Move::March { unit, .. } | Move::Charge { unit, .. } | Move::LieDown { unit } => Mover::Unit(*unit),
        Move::Ride { commander, .. } | Move::Join { commander, .. } => Mover::General(*commander),
        Move::Observe { battery, .. } => Mover::Observer(*battery),
        Move::Screen { screen, .. } | Move::Recall { screen } => Mover::Unit(*screen),
        Move::Return { battery } => Mover::Unit(*battery),
    }
}

/// A legal plan as near to the wishes as may be: they are laid over what duty asks, and what is refused is taken back,
/// first unit by unit, then brigade by brigade, charges last.
pub fn settle(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, wishes: Vec<Move>) -> Order {
    let mut dutiful = plot::dutiful(view, side);
    let mut wishes = wishes;
    let mut spares_charges = true;
    for round in 0..MENDINGS {
        spares_charges &= round < MILD_MENDINGS;
        let moves = laid_over(&dutiful, &wishes);
        let order = Order::Plot { moves, groups: Vec::new() };
        let verdict = Guns::check(view, asked, side, &order);
        if verdict.is_legal() {
            return order;
        }
        let Order::Plot { moves, .. } = order else { return Order::Pass };
        let before = (wishes.len(), dutiful.len());
        take_back(view, side, &moves, &verdict, spares_charges, &mut wishes);
        if before.0 == wishes.len() {
            // Whoever only does his duty and stands in somebody's way stays where he is.
            dutiful.retain(|one| !is_named(one, &verdict));
        }
        if before == (wishes.len(), dutiful.len()) {
            wishes.retain(|wish| !matches!(mover(wish), Mover::General(_)));
        }
        if before == (wishes.len(), dutiful.len()) {
            if !spares_charges {
                break;
            }
            spares_charges = false;
        }
    }
    Order::Pass
}

fn laid_over(dutiful: &[Move], wishes: &[Move]) -> Vec<Move> {
    let wished = |one: &Move| wishes.iter().any(|wish| mover(wish) == mover(one));
    dutiful.iter().filter(|one| !wished(one)).chain(wishes).cloned().collect()
}

fn take_back(
    field: &Field,
    side: Side,
    moves: &[Move],
    verdict: &Verdict,
    spares_charges: bool,
    wishes: &mut Vec<Move>,
) {
    let before = wishes.len();
    wishes.retain(|wish| !is_named(wish, verdict));
    if wishes.len() < before {
        return;
    }
    let short = plot::short_of_duty(field, side, moves);
    let spoils = |wish: &Move| match mover(wish) {
        Mover::Unit(unit) => brigade(field, unit).is_some_and(|brigade| short.contains(&brigade)),
        _ => false,
    };
    let keeps = |wish: &Move| spares_charges && matches!(wish, Move::Charge { .. });
    wishes.retain(|wish| !spoils(wish) || keeps(wish));
}

fn is_named(one: &Move, verdict: &Verdict) -> bool {
    match mover(one) {
        Mover::Unit(unit) | Mover::Observer(unit) => verdict.refusals.iter().any(|note| note.about == Some(unit)),
        Mover::General(_) => false,
    }
}
