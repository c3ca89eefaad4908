//! Orders worth considering: legal, repeatable from a seed, the fallback among them, best guess first.
//!
//! A plan for a whole side is made of wishes for single pieces. [`settle`] lays them over the plan the house would make
//! (every brigade does its duty) and takes back whatever is refused, so a bot may wish freely.

use super::Guns;
use super::evolution;
use super::field::{Field, brigade, brigades, facts, formation, is_deployed, known, present, troops};
use super::order::{BrigadeOrder, Decision, Marking, Matter, Move, NewOrder, Nomination, Order, Posture, Shot, Step};
use super::plot;
use super::unit::Cycle;
use super::{artillery, musketry, ranging};
use engine::{Asked, BySide, CommandId, CommanderId, Lots, Ruleset, Side, UnitId, Verdict, View};
use table::march::Leg;
use table::{Angle, Flank, Length, Point, Vec2};

/// How often a plan is mended before it is given up.
const MENDINGS: usize = 4;

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
        Decision::Guns => vec![shots(view, side, lots, artillery::targets)],
        Decision::Musketry => vec![shots(view, side, lots, musketry::targets)],
        Decision::LieDown { units } => vec![Order::LieDown { units: units.clone() }],
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
            named.extend(nomination(view, asked, side, brigade));
        }
    }
    vec![Order::Nominate { brigades: named, stay_disordered: Vec::new() }]
}

/// A legal way to name a brigade: going on as it was told, or attacking what its commander sees nearest.
pub fn nomination(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, brigade: CommandId) -> Option<Nomination> {
    let goes_on = Nomination { brigade, issuer: None, new: None, present: Vec::new() };
    if nomination_is_legal(view, asked, side, &goes_on) {
        return Some(goes_on);
    }
    let middle = middle_of(view, brigade)?;
    let enemy = nearest(view, side, middle)?;
    let order = BrigadeOrder { posture: Posture::Attack, objective: Matter::Unit(enemy) };
    let mut causes = vec![Matter::Unit(enemy)];
    causes
        .extend(super::field::brigade_units(view, brigade).filter(|id| view.unit(*id).is_present()).map(Matter::Unit));
    causes.into_iter().take(3).find_map(|cause| {
        let new = NewOrder { issuer: None, cause, order };
        let fresh = Nomination { brigade, issuer: None, new: Some(new), present: Vec::new() };
        nomination_is_legal(view, asked, side, &fresh).then_some(fresh)
    })
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
        sum = sum + field.unit(unit).quad().centre;
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
    for (battery, _) in present(view, side).filter(|(id, _)| facts(view, *id).indirect && is_deployed(view, *id)) {
        if let Some(at) = lots.pick(&ranging::targets(view, battery)) {
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

fn shots(view: &View<'_, Guns>, side: Side, lots: &mut Lots, targets: impl Fn(&Field, UnitId) -> Vec<UnitId>) -> Order {
    let mut shots = Vec::new();
    for (unit, _) in present(view, side) {
        if let Some(at) = lots.pick(&targets(view, unit)) {
            shots.push(Shot { unit, at: *at });
        }
    }
    Order::Fire { shots, hold: Vec::new() }
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
    settle(view, asked, side, wishes)
}

fn wish(field: &Field, unit: UnitId, lots: &mut Lots) -> Option<Move> {
    let (facts, own) = (facts(field, unit), troops(field, unit));
    if facts.is_battery() {
        return guns_wish(field, unit, lots);
    }
    let allowance = plot::allowance(field, unit).ok().filter(|length| *length > Length::ZERO)?;
    if facts.screen {
        return (lots.below(3) == 0).then_some(Move::Recall { screen: unit });
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

fn guns_wish(field: &Field, battery: UnitId, lots: &mut Lots) -> Option<Move> {
    let full = super::pace::full_move(field, battery).0;
    let half = full * (1 + lots.below(4) as i32) / 4;
    let near = nearest(field, field.side_of(battery), field.unit(battery).quad().centre).is_some();
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
/// first unit by unit, then brigade by brigade.
pub fn settle(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, wishes: Vec<Move>) -> Order {
    let dutiful = plot::dutiful(view, side);
    let mut wishes = wishes;
    for _ in 0..MENDINGS {
        let order = Order::Plot { moves: laid_over(&dutiful, &wishes), groups: Vec::new() };
        let verdict = Guns::check(view, asked, side, &order);
        if verdict.is_legal() {
            return order;
        }
        let before = wishes.len();
        let short = brigades_short(view, side, &order);
        wishes.retain(|wish| !is_refused(view, wish, &verdict, &short));
        if wishes.len() == before || wishes.is_empty() {
            break;
        }
    }
    Order::Pass
}

fn laid_over(dutiful: &[Move], wishes: &[Move]) -> Vec<Move> {
    let wished = |one: &Move| wishes.iter().any(|wish| mover(wish) == mover(one));
    dutiful.iter().filter(|one| !wished(one)).chain(wishes).cloned().collect()
}

fn brigades_short(field: &Field, side: Side, order: &Order) -> Vec<CommandId> {
    let Order::Plot { moves, .. } = order else { return Vec::new() };
    let short = |brigade: &CommandId| {
        let (need, progress) = plot::duty(field, *brigade, moves);
        progress < need
    };
    brigades(field, side).filter(short).collect()
}

fn is_refused(field: &Field, wish: &Move, verdict: &Verdict, short: &[CommandId]) -> bool {
    let unit = match mover(wish) {
        Mover::Unit(unit) | Mover::Observer(unit) => unit,
        // Who rides where is refused without a unit to point at: all such wishes go together.
        Mover::General(_) => return verdict.refusals.iter().any(|note| note.about.is_none()),
    };
    verdict.refusals.iter().any(|note| note.about == Some(unit))
        || brigade(field, unit).is_some_and(|brigade| short.contains(&brigade))
}
