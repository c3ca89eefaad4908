//! Fire: whom to shoot at, with what, and whether it is worth the load.

use super::eye::{Eye, Spot};
use super::scene::{Field, Scene, range, worth};
use super::volley::Hits;
use engine::UnitId;
use rules::awi::event::Band;
use rules::awi::field::{facts, flag, in_arc, is_engaged, is_routing, sees_unit, soldiers, troops};
use rules::awi::fire;
use rules::awi::order::{Order, Piece};
use rules::awi::unit::{Arm, Class, Rating, Task};
use table::{Angle, Length};

/// A shot worth taking.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Who fires.
    pub unit: UnitId,
    /// At whom.
    pub at: UnitId,
    /// With grapeshot.
    pub grape: bool,
    /// What the enemy loses by it, in worth.
    pub value: f64,
}

/// The furthest a unit's weapon carries, in inches.
pub fn longest(field: &Field, unit: UnitId) -> f64 {
    let range = &field.charts().range;
    match facts(field, unit).gun {
        Some(gun) => match field.charts().gun(gun).needs.value.len() {
            0 => 0.0,
            1 => range.artillery.short.value.0.as_inches(),
            2 => range.artillery.medium.value.0.as_inches(),
            _ => range.artillery.long.value.0.as_inches(),
        },
        None => range.small_arms.long.value.0.as_inches(),
    }
}

/// What a shot does if the target is as far as it looks, give or take.
fn weigh(field: &Field, eye: &Eye, unit: UnitId, at: UnitId, looks: f64, grape: bool) -> f64 {
    let range = &field.charts().range;
    let (small, guns) = (&range.small_arms, &range.artillery);
    let bands: &[(Band, Length)] = if fire::is_battery(field, unit) {
        &[(Band::Short, guns.short.value.0), (Band::Medium, guns.medium.value.0), (Band::Long, guns.long.value.0)]
    } else {
        &[(Band::Short, small.short.value.0), (Band::Long, small.long.value.0)]
    };
    let bands = if grape { bands.get(..1).unwrap_or_default() } else { bands };
    let (mut value, mut nearer) = (0.0, 0.0);
    for (band, reach) in bands {
        let within = eye.within(looks, reach.as_inches());
        let chance = (within - nearer).max(0.0);
        nearer = within;
        if chance < 0.02 {
            continue;
        }
        if let Some(volley) = fire::volley(field, unit, at, *band, grape) {
            let mut hits = Hits::none();
            hits.add(1.0, &volley);
            value += chance * hits.cost(field, at);
        }
    }
    // A shot that will likely fall short keeps for another turn.
    if nearer < 0.55 { 0.0 } else { value }
}

/// Whether a unit's turn still allows it a shot in the Firing part.
pub fn may_fire(field: &Field, unit: UnitId) -> bool {
    let mut verdict = engine::Verdict::fine();
    fire::check_task(field, unit, &mut verdict);
    verdict.is_legal() && fire::can_fire(field, unit)
}

/// The best shot of a unit from where it stands. `wanted` makes one target dearer than it is.
pub fn best_shot(field: &Field, eye: &mut Eye, unit: UnitId, wanted: impl Fn(UnitId) -> f64) -> Option<Aim> {
    let (most, here) = (longest(field, unit), flag(field, unit));
    let mut aims: Vec<Aim> = Vec::new();
    for (at, enemy) in troops(field, field.side_of(unit).other()) {
        let there = enemy.pose().at.vec();
        let looks = eye.judge(Spot::Unit(unit), Spot::Unit(at), here.distance(there));
        if looks > most * 1.15 || !in_arc(field, unit, there) || is_engaged(field, at) {
            continue;
        }
        let rounds = fire::is_battery(field, unit) && soldiers(field, unit).grape_left > 0;
        for grape in if rounds { &[false, true][..] } else { &[false][..] } {
            let value = weigh(field, eye, unit, at, looks, *grape);
            // Grapeshot is scarce: it must do a good deal more than shot.
            let value = if *grape { value * 0.85 } else { value };
            let tired = if is_routing(field, at) { 0.7 } else { 1.0 };
            let value = value * tired * wanted(at);
            if value > 0.0 {
                aims.push(Aim { unit, at, grape: *grape, value });
            }
        }
    }
    aims.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.at.cmp(&b.at)));
    aims.into_iter().find(|aim| sees_unit(field, unit, aim.at))
}

/// The enemy a unit would shoot at after so many inches toward him, and what that shot would be worth.
pub fn best_after_closing(
    field: &Field,
    eye: &mut Eye,
    unit: UnitId,
    step: f64,
    no_nearer: f64,
) -> Option<(UnitId, f64)> {
    let most = longest(field, unit);
    let here = flag(field, unit);
    let mut best: Option<(UnitId, f64)> = None;
    for (at, enemy) in troops(field, field.side_of(unit).other()) {
        let looks = eye.judge(Spot::Unit(unit), Spot::Unit(at), here.distance(enemy.pose().at.vec()));
        if looks - step > most || is_engaged(field, at) {
            continue;
        }
        // Whoever must turn first gets less far.
        let off = Angle::of(enemy.pose().at.vec() - here).apart(field.unit(unit).pose().facing).as_degrees();
        let left = (step - (off - 15.0).max(0.0) * 0.04).max(0.0);
        let then = (looks - left).max(no_nearer.min(looks));
        let value = weigh(field, eye, unit, at, then, false) * if off > 60.0 { 0.6 } else { 1.0 };
        if value > 0.0 && best.is_none_or(|known| value > known.1) {
            best = Some((at, value));
        }
    }
    best
}

/// A shell by guess: worth it where shot does not reach or nothing is seen, never near friends.
pub fn best_shell(field: &Field, eye: &mut Eye, unit: UnitId) -> Option<(Order, f64)> {
    if !facts(field, unit).shell {
        return None;
    }
    let chart = &field.charts().shell;
    let (least, most) = (chart.estimate_min.value.0.as_inches(), chart.estimate_max.value.0.as_inches());
    // The mean of a drift that is no dud.
    let drift = f64::from(chart.drift.value.0.dice().next().map_or(10, |die| die.sides)) * 0.5;
    let here = flag(field, unit);
    let mut best: Option<(UnitId, f64, f64)> = None;
    for (at, enemy) in troops(field, field.side_of(unit).other()) {
        let centre = enemy.quad().centre;
        let looks = eye.judge(Spot::Unit(unit), Spot::Unit(at), here.distance(centre));
        let guess = looks - drift;
        if guess < least || guess > most || !in_arc(field, unit, centre) || is_engaged(field, at) {
            continue;
        }
        let crowd = |side| {
            let near =
                troops(field, side).filter(|(_, unit)| unit.quad().centre.distance(centre) < super::scene::um(6.0));
            near.count()
        };
        if crowd(field.side_of(unit)) > 0 {
            continue;
        }
        let marks = soldiers(field, at).marks;
        let two = worth(field, at, marks) - worth(field, at, marks.saturating_sub(2));
        // Half of the bursts touch a line at the right guess; a crowd makes a miss less likely.
        let chance = 0.48 - looks * 0.003 + 0.04 * (crowd(field.side_of(at)) as f64 - 1.0).min(3.0);
        let value = two * chance;
        if best.is_none_or(|known| value > known.2) {
            best = Some((at, guess, value));
        }
    }
    let (at, guess, value) = best?;
    let step = chart.estimate_step.value.0.as_inches().max(0.01);
    let estimate = Length::inches(((guess / step).round() * step).clamp(least, most));
    let bearing = Angle::of(field.unit(at).quad().centre - here);
    Some((Order::Shell { unit, bearing, estimate }, value))
}

/// A hidden marksman's one shot: at a good commander near by, at anything before the day ends.
pub fn best_snipe(scene: &Scene<'_, '_>, eye: &mut Eye, unit: UnitId) -> Option<Order> {
    let field = scene.field();
    let reach = &field.charts().range.small_arms;
    let (short, long) = (reach.short.value.0.as_inches(), reach.long.value.0.as_inches());
    let here = field.unit(unit).quad().centre;
    let left = field.muster().turn_limit.map_or(99, |limit| limit.saturating_sub(field.turn()));
    let mut best: Option<(f64, Piece)> = None;
    let mut consider = |value: f64, least: f64, piece: Piece| {
        if value >= least && best.is_none_or(|known| value > known.0) && scene.allows(&Order::Snipe { unit, at: piece })
        {
            best = Some((value, piece));
        }
    };
    // He waits for a good mark, less and less patiently.
    let least = if left <= 1 { 0.02 } else { 0.16 };
    for (id, officer) in field.commanders().filter(|(_, officer)| officer.is_present()) {
        let card = field.muster().commander(id);
        let looks = eye.judge(Spot::Unit(unit), Spot::Commander(id), here.distance(officer.quad().centre));
        if card.side == scene.side || looks > long * 1.1 {
            continue;
        }
        let prize = match card.facts.rating {
            Rating::Poor => 0.1,
            Rating::Normal => 0.4,
            Rating::Good => 0.7,
            Rating::Excellent => 1.0,
        };
        let odds = eye.within(looks, short) / 3.0 + (eye.within(looks, long) - eye.within(looks, short)) / 6.0;
        consider(odds * prize, least, Piece::Commander(id));
    }
    for (id, enemy) in troops(field, scene.side.other()) {
        let looks = eye.judge(Spot::Unit(unit), Spot::Unit(id), here.distance(enemy.pose().at.vec()));
        if looks > long * 1.1 {
            continue;
        }
        let marks = soldiers(field, id).marks;
        let prize = worth(field, id, marks) - worth(field, id, marks.saturating_sub(1));
        let odds = eye.within(looks, short) / 3.0 + (eye.within(looks, long) - eye.within(looks, short)) / 6.0;
        // An enemy about to tread on him leaves nothing to wait for.
        let hurry = if looks < 3.0 { 0.2 } else { 1.0 };
        consider(odds * prize, least * hurry, Piece::Unit(id));
    }
    best.map(|(_, at)| Order::Snipe { unit, at })
}

/// Answers the question who fires next. Units found to have no shot worth taking are noted, and not asked again.
pub fn next_shot(scene: &Scene<'_, '_>, eye: &mut Eye, silent: &mut Vec<UnitId>, least: f64) -> Option<Order> {
    let field = scene.field();
    for (unit, _) in field.present(scene.side) {
        if silent.contains(&unit) {
            continue;
        }
        let order = if facts(field, unit).arm == Arm::Sharpshooter {
            best_snipe(scene, eye, unit)
        } else if may_fire(field, unit) {
            best_fire(field, eye, unit, least).filter(|order| scene.allows(order))
        } else {
            None
        };
        match order {
            Some(order) => return Some(order),
            None => silent.push(unit),
        }
    }
    None
}

/// The best a unit can do with its load.
fn best_fire(field: &Field, eye: &mut Eye, unit: UnitId, least: f64) -> Option<Order> {
    let aim = best_shot(field, eye, unit, |_| 1.0).filter(|aim| aim.value >= least);
    let shell = best_shell(field, eye, unit).filter(|shell| shell.1 >= least);
    match (aim, shell) {
        (Some(aim), Some((order, value))) => Some(if aim.value >= value { shoot(&aim) } else { order }),
        (Some(aim), None) => Some(shoot(&aim)),
        (None, shell) => shell.map(|shell| shell.0),
    }
}

fn shoot(aim: &Aim) -> Order {
    Order::Fire { unit: aim.unit, at: aim.at, grape: aim.grape }
}

/// Whether a unit has a shot it would rather take before anybody charges: it stands well where it is.
pub fn shoots_first(field: &Field, eye: &mut Eye, unit: UnitId, wanted: impl Fn(UnitId) -> f64) -> Option<Aim> {
    if facts(field, unit).class == Class::Raw
        || soldiers(field, unit).task != Task::None
        || !fire::can_fire(field, unit)
    {
        return None;
    }
    best_shot(field, eye, unit, wanted)
}

/// How far the nearest enemy looks from a unit, and who he is.
pub fn nearest(field: &Field, eye: &mut Eye, unit: UnitId) -> Option<(UnitId, f64)> {
    let mut best: Option<(UnitId, f64)> = None;
    for (at, _) in troops(field, field.side_of(unit).other()) {
        let looks = range(field, eye, unit, at);
        if best.is_none_or(|known| looks < known.1) {
            best = Some((at, looks));
        }
    }
    best
}
