//! Generals: which brigades are worth a die, who gets which, where the generals ride.

use super::houses::garrison;
use super::marching::{CLEAR, best_stop, blocked, has_arrived, horse_stop, is_bold, time_presses, way_left};
use super::plan::Aim;
use super::scene::Scene;
use super::{batteries, clash};
use engine::{CommandId, CommanderId, FeatureId, UnitId, Verdict};
use rules::guns::candidates::{middle_of, nomination, sent_to};
use rules::guns::command;
use rules::guns::command::judge;
use rules::guns::field::{
    brigade_units, brigades, chain, distance, facts, forward, general_of, is_deployed, is_foot, is_mounted, troops,
};
use rules::guns::order::{Matter, Move, Nomination, Order, Posture};
use rules::guns::pace;
use rules::guns::plot::post;
use rules::guns::plot::space::Bodies;
use rules::guns::unit::{Cycle, Level};
use table::{Length, Point, SLACK, Vec2};

/// How much somebody wants to move who is sent to an empty place, or whose time is running out.
const ERRAND: f64 = 1.5;
const PRESSED: f64 = 1.2;
/// What it costs to make somebody go forward who would rather stay, and what more for every point of a place he guards.
const UNWILLING: f64 = 0.35;
const GUARD: f64 = 0.8;
/// How much a guard wants to go on into the houses he stands before.
const INDOORS: f64 = 0.5;

/// A place no farther ahead than this, in micrometres, lies beside a brigade rather than before it.
const ABREAST: f64 = 50_000.0;
/// Faces of the die of activation.
const SIDES: u8 = 6;
/// The distance in micrometres at which a brigade calls a general half as loudly.
const TOO_FAR: f64 = 600_000.0;

/// How much a brigade wants to move: 1 is a unit that wants to go as far as duty would make it.
fn urge(scene: &Scene<'_, '_>, brigade: CommandId) -> f64 {
    let field = scene.field();
    let mut urge = 0.0;
    let mut idle = 0.0;
    for unit in brigade_units(field, brigade).filter(|id| field.unit(*id).is_present()) {
        let wants = unit_urge(scene, brigade, unit);
        if wants > 0.0 {
            urge += wants;
        } else {
            idle += reluctance(scene, unit);
        }
    }
    urge - idle
}

/// What it costs to make a unit go forward that would rather stay.
fn reluctance(scene: &Scene<'_, '_>, unit: UnitId) -> f64 {
    let field = scene.field();
    let own = troops(field, unit);
    let free = facts(field, unit).is_battery() || own.defending.is_some() || own.disorder.combat;
    if free || own.pinned || own.broken {
        return 0.0;
    }
    // A guard that its brigade's duty takes away gives the place up.
    let guarded = scene.plan.guarded_by(unit).map_or(0.0, |place| scene.worth_of(place));
    UNWILLING + GUARD * guarded
}

fn unit_urge(scene: &Scene<'_, '_>, brigade: CommandId, unit: UnitId) -> f64 {
    let field = scene.field();
    let own = troops(field, unit);
    if own.broken || own.disorder.combat || !own.locked.is_empty() || facts(field, unit).screen {
        return 0.0;
    }
    let Some((enemy, gap)) = scene.nearest(unit) else { return 0.0 };
    if facts(field, unit).is_battery() {
        let far = gap > batteries::reach(field, unit);
        let limbered = own.cycle == Cycle::Limbered && far;
        let useless = is_deployed(field, unit) && far && !facts(field, unit).indirect;
        return if limbered || useless { 0.5 } else { 0.0 };
    }
    let full = pace::full_move(field, unit).0;
    if gap <= full && clash::hope(scene, unit, enemy) > scene.temper.least_gain {
        return 1.5;
    }
    if own.pinned {
        return 0.0;
    }
    if let Some(place) = scene.plan.guarded_by(unit) {
        let houses = garrison(scene, unit, place, &mut Bodies::of(field, scene.side));
        return if houses.is_some() { INDOORS } else { 0.0 };
    }
    if let Some(place) = scene.plan.errand_of(unit) {
        return if is_bold(scene, unit, place) { ERRAND } else { 0.0 };
    }
    match scene.plan.aim(Some(brigade)) {
        Aim::Hold(place) => {
            if own.defending.is_some() || has_arrived(scene, unit, place) {
                0.0
            } else {
                0.6
            }
        }
        Aim::Take(place) if way_left(scene, unit, place) <= SLACK.as_f64() => 0.0,
        Aim::Take(place) if time_presses(scene, unit, place) => PRESSED,
        Aim::Take(place) if !scene.plan.is_held(place) && is_bold(scene, unit, place) => PRESSED,
        Aim::Take(place) if gap > Length::cm(CLEAR) && !blocked(scene, unit, place, enemy, gap) => 1.0,
        Aim::Take(_) | Aim::Hunt => {
            let goal =
                if is_mounted(field, unit) { horse_stop(field, enemy) } else { best_stop(scene, unit, enemy, gap) };
            let ease = if scene.plan.lead > 0 { scene.temper.ease } else { 1.0 };
            let way = ease * (gap - goal).as_cm() / (full.as_cm() * 0.5).max(1.0);
            if way < 0.25 { 0.0 } else { way.min(1.0) }
        }
    }
}

/// The place a brigade is to be sent to: where one of its units finds an empty place to take, else its own. An order
/// that points elsewhere would keep that unit back (R50), and no place is cheaper than an empty one.
fn goal(scene: &Scene<'_, '_>, brigade: CommandId) -> Option<FeatureId> {
    let field = scene.field();
    let mut there = brigade_units(field, brigade).filter(|id| field.unit(*id).is_present());
    let errand = there.find_map(|unit| {
        let place = scene.plan.errand_of(unit)?;
        (unit_urge(scene, brigade, unit) > 0.0).then_some(place)
    });
    errand.or(scene.plan.aim(Some(brigade)).place())
}

/// A legal way to name a brigade for what it is to do.
fn name(scene: &Scene<'_, '_>, brigade: CommandId) -> Option<Nomination> {
    let standing = judge::standing(scene.field(), brigade).filter(|order| order.posture == Posture::Attack);
    if let Some(place) = goal(scene, brigade)
        && let Some(objective) = objective(scene, brigade, place, standing.map(|order| order.objective))
        && let Some(sent) = sent_to(scene.view, scene.asked, scene.side, brigade, objective)
    {
        return Some(sent);
    }
    nomination(scene.view, scene.asked, scene.side, brigade)
}

/// What a brigade must be told so that its order takes it to a place, if it is not told so already. Duty drives it
/// toward the enemy's baseline unless that takes it away from its objective (R48, R50); so whoever is to march along the
/// front is sent to a spot that does not lie before him.
fn objective(scene: &Scene<'_, '_>, brigade: CommandId, place: FeatureId, told: Option<Matter>) -> Option<Matter> {
    let field = scene.field();
    let bounds = scene.feature(place)?.shape.bounds();
    let (middle, ahead) = (middle_of(field, brigade)?, forward(field, scene.side));
    let beside = Vec2 { x: ahead.y.abs(), y: ahead.x.abs() };
    let along = |way: Vec2| {
        let (a, b) = (bounds.min.dot(way), bounds.max.dot(way));
        (a.min(b), a.max(b))
    };
    let ((near, far), (left, right)) = (along(ahead), along(beside));
    let (onward, across) = (middle.dot(ahead), middle.dot(beside));
    if near > onward + ABREAST || (left..=right).contains(&across) {
        return (told != Some(Matter::Feature(place))).then_some(Matter::Feature(place));
    }
    let still_good = |point: Point| {
        let spot = point.vec();
        bounds.grown(ABREAST).contains(spot) && spot.dot(ahead) <= onward + ABREAST
    };
    if let Some(Matter::Point(point)) = told
        && still_good(point)
    {
        return None;
    }
    let spot = ahead * onward.clamp(near, far) + beside * across.clamp(left, right);
    Some(Matter::Point(Point::from_vec(spot)))
}

/// Whether nobody in a brigade would have to move: naming it costs nothing, and brings one die more to choose from.
fn owes_nothing(scene: &Scene<'_, '_>, brigade: CommandId) -> bool {
    let field = scene.field();
    brigade_units(field, brigade).filter(|id| field.unit(*id).is_present()).all(|id| {
        let own = troops(field, id);
        let guns = facts(field, id).is_battery() && own.cycle != Cycle::Limbered;
        guns || own.defending.is_some() || own.disorder.combat || own.pinned || own.broken || facts(field, id).screen
    })
}

pub fn nominate(scene: &Scene<'_, '_>) -> Order {
    let field = scene.field();
    let keen =
        brigades(field, scene.side).filter(|brigade| urge(scene, *brigade) > 0.0 || owes_nothing(scene, *brigade));
    let mut named: Vec<Nomination> = keen.filter_map(|brigade| name(scene, brigade)).collect();
    // Higher generals lend their weight to the brigade they ride with.
    for (id, general) in field.commanders() {
        let card = field.muster().commander(id);
        if card.side != scene.side || card.facts.level == Level::Brigade || !general.own.is_fit() {
            continue;
        }
        let with = named.iter_mut().find(|one| judge::absent(field, one.brigade, id).is_none());
        if let Some(with) = with {
            with.present.push(id);
        }
    }
    if named.is_empty() { Order::Pass } else { Order::Nominate { brigades: named, stay_disordered: Vec::new() } }
}

/// The keenest brigades choose first; each takes the worst die that will do.
pub fn deal(scene: &Scene<'_, '_>, dice: &[u8], brigades: &[CommandId]) -> Order {
    let field = scene.field();
    let mut row: Vec<(usize, f64)> = brigades.iter().enumerate().map(|(n, id)| (n, urge(scene, *id))).collect();
    row.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut deal: Vec<Option<u8>> = vec![None; brigades.len()];
    let mut free: Vec<usize> = (0..dice.len()).collect();
    free.sort_by_key(|n| dice[*n]);
    for (n, _) in row {
        let fits = free.iter().position(|die| command::could_activate(field, brigades[n], dice[*die]));
        if let Some(place) = fits {
            deal[n] = Some(free.remove(place) as u8);
        }
    }
    Order::Allot { deal }
}

/// Brigadiers stay behind the middle of their brigade and lead it when it comes to blows, higher generals ride with the
/// brigade in front.
pub fn rides(scene: &Scene<'_, '_>, plan: &[Move]) -> Vec<Move> {
    let field = scene.field();
    let own: Vec<CommandId> = brigades(field, scene.side).collect();
    let mut rides = Vec::new();
    for (id, general) in field.commanders() {
        let card = field.muster().commander(id);
        if card.side != scene.side || !general.is_present() || !general.own.is_fit() {
            continue;
        }
        let leads = plan.iter().any(|one| matches!(one, Move::Charge { led_by: Some(leader), .. } if *leader == id));
        if leads {
            continue;
        }
        let brigadier = card.facts.level == Level::Brigade;
        let of = if brigadier {
            own.iter().copied().find(|brigade| general_of(field, *brigade) == Some(id))
        } else {
            let under = own.iter().copied().filter(|brigade| chain(field, *brigade).contains(&id));
            under.max_by(|a, b| call(scene, id, *a).total_cmp(&call(scene, id, *b)))
        };
        let Some(brigade) = of else { continue };
        if brigadier && let Some(unit) = spearhead(scene, brigade) {
            if general.own.attached != Some(unit) && joins(scene, id, unit) {
                rides.push(Move::Join { commander: id, unit });
            }
            continue;
        }
        rides.extend(ride(scene, id, brigade, brigadier));
    }
    rides
}

/// How much a brigade needs a higher general: one that wants to move and seldom does, and rather the one he is with.
fn call(scene: &Scene<'_, '_>, general: CommanderId, brigade: CommandId) -> f64 {
    let field = scene.field();
    let middle = middle_of(field, brigade).unwrap_or_default();
    let away = (middle - field.commander(general).quad().centre).length();
    let deaf = (1..=SIDES).filter(|face| !command::could_activate(field, brigade, *face)).count();
    let worth = scene.plan.aim(Some(brigade)).place().map_or(1.0, |place| scene.worth_of(place));
    urge(scene, brigade).max(0.0) * worth * (1.0 + deaf as f64) / (1.0 + away / TOO_FAR)
}

/// The battalion a brigadier goes with: the one nearest to the enemy that may still charge, when he is near.
fn spearhead(scene: &Scene<'_, '_>, brigade: CommandId) -> Option<UnitId> {
    let field = scene.field();
    if !matches!(scene.plan.aim(Some(brigade)), Aim::Take(_) | Aim::Hunt) {
        return None;
    }
    let fit = brigade_units(field, brigade).filter(|id| {
        let own = troops(field, *id);
        field.unit(*id).is_present()
            && is_foot(field, *id)
            && !facts(field, *id).screen
            && !own.broken
            && !own.disorder.combat
            && rules::guns::field::may_charge_by_status(field, *id)
    });
    let near = fit.filter_map(|id| scene.nearest(id).map(|(_, gap)| (gap, id))).min()?;
    (near.0 <= Length::cm(55.0)).then_some(near.1)
}

fn joins(scene: &Scene<'_, '_>, general: CommanderId, unit: UnitId) -> bool {
    let mut verdict = Verdict::fine();
    post::check_join(scene.field(), scene.side, general, unit, &mut verdict);
    verdict.is_legal()
}

fn ride(scene: &Scene<'_, '_>, general: CommanderId, brigade: CommandId, brigadier: bool) -> Option<Move> {
    let field = scene.field();
    let middle = middle_of(field, brigade)?;
    let near = distance(field, &field.charts().zone.attach);
    let back = forward(field, scene.side) * -1.0;
    let place = middle + back * (near.as_f64() * if brigadier { 1.0 } else { 0.6 });
    let from = field.commander(general).quad().centre;
    let off = (place - from).length();
    if off <= near.as_f64() * 0.8 {
        return None;
    }
    let reach = distance(field, &field.charts().pace.general).as_f64() * 0.9;
    [1.0, 0.6, 0.3].into_iter().find_map(|share| {
        let to: Vec2 = from + (place - from) * (share * (reach / off).min(1.0));
        let to = Point::from_vec(to);
        let mut verdict = Verdict::fine();
        post::check_ride(field, scene.side, general, to, &mut verdict);
        verdict.is_legal().then_some(Move::Ride { commander: general, to })
    })
}
