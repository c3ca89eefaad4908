//! What charges are worth by the exact odds, alone or together, and which of them to make.

use super::Temper;
use super::charging::{Rush, beside, charge_reach};
use super::clash::{Clash, Party, ROUNDS};
use super::eye::{Eye, INCH, Spot};
use super::scene::{Field, officer_help, passes, um, weight, worth};
use super::volley::Hits;
use engine::UnitId;
use rules::awi::event::Band;
use rules::awi::field::{self, facts, is_engaged, is_routing, soldiers, touching_enemies, troops};
use rules::awi::fire;
use rules::awi::unit::{Arm, Class, Condition};
use table::{Angle, within_arc};

/// More than this never charge one enemy at once.
const MOST_TOGETHER: usize = 3;

/// Charges on one target that belong together, with what they are worth.
pub struct Assault {
    /// The first of them takes the fire.
    pub rushes: Vec<Rush>,
    /// What it is worth.
    pub value: f64,
}

/// Those who could come into a fight at a place next turn: theirs and ours, the shaky counted half.
fn reserves(field: &Field, eye: &mut Eye, rushes: &[Rush]) -> [f64; 2] {
    let Some(first) = rushes.first() else { return [0.0; 2] };
    let ours = field.side_of(first.unit);
    let place = first.contact.at.vec();
    let mut count = [0.0; 2];
    for (id, body) in field::all_troops(field) {
        let used = id == first.at || rushes.iter().any(|rush| rush.unit == id);
        let card = facts(field, id);
        if used || card.arm == Arm::Artillery || soldiers(field, id).condition != Condition::Steady {
            continue;
        }
        let away = body.quad().centre.distance(place);
        let reach = charge_reach(field, id) - 1.0;
        if away > um(reach + 2.0) || eye_of(eye, first.unit, id, away) > reach {
            continue;
        }
        let bearing = Angle::of(place - body.pose().at.vec());
        if bearing.apart(body.pose().facing) > Angle::whole(60) || is_engaged(field, id) {
            continue;
        }
        let weight = match card.class {
            Class::Elite | Class::Line => 1.0,
            Class::Inferior => 0.5,
            Class::Raw => 0.2,
        };
        count[usize::from(field.side_of(id) == ours)] += weight;
    }
    count
}

/// A unit as one side of a fight.
pub fn party(field: &Field, eye: &mut Eye, unit: UnitId, against: UnitId) -> Party {
    let (card, own) = (facts(field, unit), soldiers(field, unit));
    let row = &field.charts().class(card.class).melee;
    let dice = match (card.arm, row.horse) {
        (Arm::Cavalry, Some(horse)) => horse.value.get(),
        _ => row.foot.value.get(),
    };
    let (factor, _) = officer_help(field, eye, unit);
    Party {
        dice: dice.clamp(0, 20) as u8,
        marks: own.marks,
        units: 1,
        full: card.marks,
        weight: weight(card.class, card.arm),
        class: card.class,
        factor,
        caught: caught(card.arm, facts(field, against).arm),
    }
}

/// How often one arm that runs is caught by another.
pub fn caught(runner: Arm, chaser: Arm) -> f64 {
    match (runner, chaser) {
        (Arm::Artillery, _) => 1.0,
        (_, Arm::Artillery) => 0.0,
        (Arm::Cavalry, Arm::Cavalry) => 0.55,
        (Arm::Cavalry, _) => 0.12,
        (_, Arm::Cavalry) => 0.92,
        _ => 0.56,
    }
}

/// The fire a charge runs into: the target's own, and its neighbours'.
fn fire_met(field: &Field, eye: &mut Eye, rush: &Rush) -> Hits {
    let mut hits = Hits::none();
    if fire::can_fire(field, rush.at) {
        let (_, firm) = officer_help(field, eye, rush.at);
        let guns = fire::is_battery(field, rush.at);
        let grape = guns && soldiers(field, rush.at).grape_left > 0;
        let bands: &[Band] = match (firm, guns) {
            (true, _) => &[Band::Short],
            (false, true) => &[Band::Long, Band::Medium, Band::Short],
            (false, false) => &[Band::Long],
        };
        let volley = bands.iter().find_map(|band| fire::volley(field, rush.at, rush.unit, *band, grape));
        if let Some(volley) = volley {
            hits.add(1.0, &volley);
        }
    }
    let reach = field.charts().range.small_arms.short.value.0.as_inches();
    let half = field::arc_half_angle(field);
    let from = field.unit(rush.unit).pose().at.vec();
    for (id, friend) in troops(field, field.side_of(rush.at)) {
        let away = friend.pose().at.vec().distance(rush.contact.at.vec());
        if id == rush.at || away > (reach + 2.0) * INCH {
            continue;
        }
        let looks = eye_of(eye, id, rush.unit, away);
        let near = eye.within(looks, reach);
        let crosses = within_arc(friend.pose(), rush.contact.at.vec(), half) || within_arc(friend.pose(), from, half);
        if near > 0.1 && crosses && fire::can_fire(field, id) {
            let (factor, _) = officer_help(field, eye, id);
            let able = near * passes(field, facts(field, id).class, soldiers(field, id).marks, factor);
            if let Some(volley) = fire::volley(field, id, rush.unit, Band::Short, false) {
                hits.add(able, &volley);
            }
        }
    }
    hits
}

fn eye_of(eye: &mut Eye, from: UnitId, to: UnitId, truth: f64) -> f64 {
    eye.judge(Spot::Unit(from), Spot::Unit(to), truth)
}

/// What the rout of a unit brings beside the unit itself: friends near it may run too.
fn panic_near(field: &Field, eye: &mut Eye, unit: UnitId) -> f64 {
    let reach = field.charts().panic.reach.value.0.as_inches();
    let mut sum = 0.0;
    for (id, friend) in troops(field, field.side_of(unit)) {
        if id == unit || is_routing(field, id) {
            continue;
        }
        let class = facts(field, id).class;
        let marks = soldiers(field, id).marks;
        if passes(field, class, marks, 0) > 0.999 {
            continue;
        }
        let gap = table::gap(friend.quad(), field.unit(unit).quad()).as_f64();
        if gap < (reach + 2.0) * INCH && eye_of(eye, unit, id, gap) <= reach {
            let (factor, _) = officer_help(field, eye, id);
            sum += (1.0 - passes(field, class, marks, factor)) * worth(field, id, marks) * 0.4;
        }
    }
    sum
}

fn schedule(edge: [i32; 2]) -> [i32; ROUNDS] {
    std::array::from_fn(|round| if round == 0 { edge[0] } else { edge[1] })
}

/// The edge of several chargers together: each die counts with its own, so the mean of the dice.
fn mean_edge(rushes: &[Rush]) -> [i32; 2] {
    let count = rushes.len().max(1) as f64;
    let mean = |n: usize| (rushes.iter().map(|rush| f64::from(rush.edge[n])).sum::<f64>() / count).round() as i32;
    [mean(0), mean(1)]
}

/// What charges on one target are worth together; the first takes the fire.
fn value_of(field: &Field, eye: &mut Eye, clash: &mut Clash, rushes: &[Rush], short_cost: f64) -> f64 {
    let Some((first, others)) = rushes.split_first() else { return 0.0 };
    let at = first.at;
    let marks = soldiers(field, at).marks;
    let prize = worth(field, at, marks);
    let fails = first.start * (1.0 - first.reach) * short_cost;
    if is_routing(field, at) {
        return first.goes_in() * prize - fails;
    }
    let mut target = party(field, eye, at, first.unit);
    let runs = 1.0 - passes(field, target.class, marks, target.factor);
    let panic = if runs > 0.0 || marks <= 3 { panic_near(field, eye, at) } else { 0.0 };
    let ran = prize * (target.caught + (1.0 - target.caught) * 0.5) + panic;
    let own = party(field, eye, first.unit, at);
    let hits = fire_met(field, eye, first);
    let joined = others.iter().fold(None, |sum: Option<Party>, rush| {
        target.caught = target.caught.max(caught(facts(field, at).arm, facts(field, rush.unit).arm));
        let more = party(field, eye, rush.unit, at);
        Some(sum.map_or(more, |sum| sum.joined(more)))
    });
    let chance: f64 = others.iter().map(Rush::goes_in).product();
    let mut fight = 0.0;
    for (hit, odds) in hits.likely() {
        let left = own.marks.saturating_sub(hit);
        let lost = worth(field, first.unit, own.marks) - worth(field, first.unit, left);
        let weaker = Party { marks: left, ..own };
        let alone = if left == 0 { 0.0 } else { clash.value(field, &weaker, &target, schedule(first.edge)) };
        let together = match joined {
            Some(more) => {
                let all = if left == 0 { more } else { weaker.joined(more) };
                clash.value(field, &all, &target, schedule(mean_edge(rushes)))
            }
            None => alone,
        };
        fight += odds * (chance * together + (1.0 - chance) * alone - lost);
    }
    first.goes_in() * (runs * ran + (1.0 - runs) * fight) - fails
}

/// What it is worth to join a fight that is going on.
fn value_of_joining(field: &Field, eye: &mut Eye, clash: &mut Clash, rush: &Rush, short_cost: f64) -> f64 {
    let ours = touching_enemies(field, rush.at);
    let Some(&one) = ours.first() else { return 0.0 };
    let theirs = touching_enemies(field, one);
    let mut gather = |units: &[UnitId], against: UnitId| {
        units.iter().map(|id| party(field, eye, *id, against)).reduce(Party::joined)
    };
    let (Some(own), Some(enemy)) = (gather(&ours, rush.at), gather(&theirs, one)) else { return 0.0 };
    let more = party(field, eye, rush.unit, rush.at);
    let share = f64::from(more.dice) / f64::from((own.dice + more.dice).max(1));
    let edge = rush.edge.map(|edge| (f64::from(edge) * share).round() as i32);
    let now = clash.value(field, &own, &enemy, [0; ROUNDS]);
    let then = clash.value(field, &own.joined(more), &enemy, schedule(edge));
    let lost = fire_met(field, eye, rush).cost(field, rush.unit);
    rush.goes_in() * (then - now - lost) - rush.start * (1.0 - rush.reach) * short_cost
}

/// The best that can be made of some charges, by what each target is worth alone or to several.
pub fn best_assault(
    field: &Field,
    eye: &mut Eye,
    clash: &mut Clash,
    rushes: &[Rush],
    temper: &Temper,
) -> Option<Assault> {
    let mut best: Option<Assault> = None;
    let mut consider = |rushes: &[Rush], value: f64| {
        if value > best.as_ref().map_or(temper.least_gain, |best| best.value) {
            best = Some(Assault { rushes: rushes.to_vec(), value });
        }
    };
    let mut seen: Vec<UnitId> = Vec::new();
    for rush in rushes {
        if seen.contains(&rush.at) {
            continue;
        }
        seen.push(rush.at);
        let mut on: Vec<Rush> = rushes.iter().copied().filter(|other| other.at == rush.at).collect();
        if is_engaged(field, rush.at) {
            for one in &on {
                let value = value_of_joining(field, eye, clash, one, temper.short_cost);
                consider(std::slice::from_ref(one), value * temper.trust - temper.effort);
            }
            continue;
        }
        // The strongest goes first, because the first takes the fire.
        on.sort_by(|a, b| strength(field, b).total_cmp(&strength(field, a)).then(a.unit.cmp(&b.unit)));
        let mut group: Vec<Rush> = Vec::new();
        for rush in &on {
            let Some(rush) = beside(field, rush, &group) else { continue };
            group.push(rush);
            if group.len() > MOST_TOGETHER {
                break;
            }
            let [theirs, ours] = reserves(field, eye, &group);
            let crowd = temper.their_reserve * theirs.min(3.0) - temper.our_reserve * ours.min(3.0);
            let value = value_of(field, eye, clash, &group, temper.short_cost);
            consider(&group, value * temper.trust - temper.effort * group.len() as f64 - crowd);
        }
    }
    best
}

fn strength(field: &Field, rush: &Rush) -> f64 {
    worth(field, rush.unit, soldiers(field, rush.unit).marks) * rush.goes_in()
}
