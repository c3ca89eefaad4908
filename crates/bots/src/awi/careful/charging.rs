//! Charges: which could be made, what each is worth by the exact odds, and which to make, alone or together.

use super::Temper;
use super::clash::{Clash, Party, ROUNDS};
use super::eye::{Eye, INCH, Spot};
use super::scene::{Field, Scene, officer_help, passes, um, weight, worth};
use super::volley::Hits;
use engine::{UnitId, Verdict};
use rules::awi::charge::{self, aspect};
use rules::awi::courier;
use rules::awi::event::Band;
use rules::awi::field::{
    self, Cover, cover_against, facts, is_engaged, is_routing, level, soldiers, touching_enemies, troops,
};
use rules::awi::fire;
use rules::awi::movement;
use rules::awi::officers;
use rules::awi::order::Order;
use rules::awi::unit::{Arm, Aspect, Class, Condition, Formation};
use table::march::{Leg, Track};
use table::{Angle, Length, Pose, SLACK, Vec2, within_arc};

/// More than this never charge one enemy at once.
const MOST_TOGETHER: usize = 3;

/// A charge that could be declared.
#[derive(Clone, Copy)]
pub struct Rush {
    /// Who charges.
    pub unit: UnitId,
    /// Whom.
    pub at: UnitId,
    /// Along which line.
    pub bearing: Angle,
    /// Where the footprints would touch.
    contact: Pose,
    /// The chance to pass the test to start.
    start: f64,
    /// The chance to get there.
    reach: f64,
    /// Added to its dice beyond the enemy's in the first round, and in later ones.
    edge: [i32; 2],
}

impl Rush {
    fn goes_in(&self) -> f64 {
        self.start * self.reach
    }
}

/// Charges on one target that belong together, with what they are worth.
pub struct Assault {
    /// The first of them takes the fire.
    pub rushes: Vec<Rush>,
    /// What it is worth.
    pub value: f64,
}

/// All charges a side could declare with a fair chance to get there.
pub fn survey(scene: &Scene<'_, '_>, eye: &mut Eye) -> Vec<Rush> {
    let field = scene.field();
    let mut found = Vec::new();
    for (unit, body) in troops(field, scene.side) {
        let (card, restricted) = (facts(field, unit), field.settings().column_restricted);
        if card.arm == Arm::Artillery
            || !movement::may_act(field, unit)
            || (restricted && body.body.formation == Formation::Column)
            || is_engaged(field, unit)
        {
            continue;
        }
        let most = charge_reach(field, unit);
        for (at, enemy) in troops(field, scene.side.other()) {
            let way = enemy.quad().centre - body.pose().at.vec();
            // Nobody charges what is plainly too far: a look, before anything is worked out.
            let looks = eye.judge(Spot::Unit(unit), Spot::Unit(at), way.length());
            if looks < most + 3.0 {
                found.extend(rush(field, eye, unit, at));
            }
        }
    }
    found
}

/// How far a unit charges at best, in inches.
fn charge_reach(field: &Field, unit: UnitId) -> f64 {
    match charge::certain_distance(field, unit) {
        Some(certain) => certain.value.as_inches(),
        None => {
            let die = field.charts().charge.die.value.0.dice().next().map_or(20, |die| die.sides);
            f64::from(die) * 0.7
        }
    }
}

/// Looks at one charge: the line, the reach, the odds of getting there.
fn rush(field: &Field, eye: &mut Eye, unit: UnitId, at: UnitId) -> Option<Rush> {
    let (body, enemy) = (field.unit(unit), field.unit(at));
    let pose = body.pose();
    let pivot = Angle::whole(field.charts().charge.pivot.value.get());
    let middle = Angle::of(enemy.quad().centre - pose.at.vec());
    // Straight on where that meets him: neighbours who go straight leave room for one another.
    let lines = [pose.facing, middle];
    let mut near = lines.into_iter().filter(|bearing| bearing.apart(pose.facing) <= pivot);
    let (bearing, start, gap) = near.find_map(|bearing| line(field, unit, at, bearing))?;
    let mut verdict = Verdict::fine();
    courier::check_charge(field, unit, at, &mut verdict);
    if !verdict.is_legal() {
        return None;
    }
    let footprint = field.footprint(unit, body.body.formation);
    let track = Track::plot(start, footprint, &[Leg::Ahead(gap)]);
    let price = movement::price(field, &track, &footprint.quad(start), facts(field, unit).woods_free);
    let extra = (price.total(field) - price.walked).as_inches();
    let looks = eye.judge(Spot::Unit(unit), Spot::Unit(at), gap.as_f64());
    let reach = match charge::certain_distance(field, unit) {
        Some(certain) => eye.within(looks, certain.value.as_inches() - extra),
        None => {
            let factor = officers::charge_factor(field, unit).map_or(0, |(_, factor)| factor.value);
            let faces = f64::from(field.charts().charge.die.value.0.dice().next().map_or(20, |die| die.sides));
            ((faces + 1.0 + f64::from(factor) - looks - extra) / faces).clamp(0.0, 1.0)
        }
    };
    if reach < 0.4 {
        return None;
    }
    let (factor, _) = officer_help(field, eye, unit);
    let start_test = passes(field, facts(field, unit).class, soldiers(field, unit).marks, factor);
    let edge = edges(field, unit, at);
    Some(Rush { unit, at, bearing, contact: start.ahead(gap), start: start_test, reach, edge })
}

/// A line that meets nobody before the target: the pose after the pivot, and the gap.
fn line(field: &Field, unit: UnitId, at: UnitId, bearing: Angle) -> Option<(Angle, Pose, Length)> {
    let path = charge::path(field, unit, at, Some(bearing));
    path.meets.filter(|(_, first)| *first == at).map(|(gap, _)| (bearing, path.start, gap))
}

/// The same charge along a line that a friend who got there before leaves free; nothing where there is none.
fn beside(field: &Field, rush: &Rush, before: &[Rush]) -> Option<Rush> {
    let body = field.unit(rush.unit);
    let pose = body.pose();
    let footprint = field.footprint(rush.unit, body.body.formation);
    let target = field.unit(rush.at);
    let pivot = Angle::whole(field.charts().charge.pivot.value.get());
    let free = |start: Pose, gap: Length| {
        before.iter().all(|friend| {
            let there = field.footprint(friend.unit, field.unit(friend.unit).body.formation).quad(friend.contact);
            let met = table::reach(&footprint.quad(start), start.forward(), gap, &there);
            met.is_none_or(|at| at + SLACK >= gap)
        })
    };
    let toward = |place: Vec2| Angle::of(place - pose.at.vec());
    let corner = |n: usize| target.quad().corners[n].lerp(target.quad().centre, 0.15);
    let lines = [rush.bearing, pose.facing, toward(corner(0)), toward(corner(1)), toward(corner(2)), toward(corner(3))];
    lines.into_iter().filter(|bearing| bearing.apart(pose.facing) <= pivot).find_map(|bearing| {
        let (bearing, start, gap) = line(field, rush.unit, rush.at, bearing)?;
        free(start, gap).then(|| Rush { bearing, contact: start.ahead(gap), ..*rush })
    })
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

/// What a charger adds to its dice beyond its target's: in the first round, and later.
fn edges(field: &Field, unit: UnitId, at: UnitId) -> [i32; 2] {
    let chart = &field.charts().melee.modifier;
    let here = field.unit(unit).pose().at;
    let side = match aspect(field, at, here) {
        Aspect::Front => 0,
        Aspect::Flank => chart.flank.value.get(),
        Aspect::Rear => chart.rear.value.get(),
    };
    let cover = match cover_against(field, at, here.vec(), field.unit(at).quad().centre) {
        Some(Cover::Hard) => chart.hard_cover.value.get(),
        Some(Cover::Soft) => chart.light_cover.value.get(),
        None => 0,
    };
    let height = match level(field, unit).cmp(&level(field, at)) {
        std::cmp::Ordering::Greater => chart.higher_ground.value.get(),
        std::cmp::Ordering::Less => -chart.higher_ground.value.get(),
        std::cmp::Ordering::Equal => 0,
    };
    let shaken = soldiers(field, at).condition == Condition::Disordered;
    let first = chart.first_round_of_charge.value.get() + if shaken { chart.target_disordered.value.get() } else { 0 };
    [side - cover + height + first, side - cover + height.min(0)]
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

/// The order of a charge.
pub fn order(rush: &Rush) -> Order {
    Order::Charge { unit: rush.unit, at: rush.at, bearing: Some(rush.bearing), with: Vec::new() }
}
