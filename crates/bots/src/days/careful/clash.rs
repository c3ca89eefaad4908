//! The odds of charges: tests of morale, the fire on the way, and what a fight would bring, all in points.

use super::arms::Drawn;
use super::plan::Plan;
use super::scene::{Field, greater, hits_worth, lesser, passes, stake, um};
use super::volley::Smoke;
use engine::UnitId;
use rules::days::charts::{Condition, reach};
use rules::days::event::Test;
use rules::days::field::{
    self, below_half, count, facts, has_flanks, is_foot, is_formed, is_formed_foot, is_mounted, is_routing, order,
    shape, skirmishes, state, troops,
};
use rules::days::formation::{Formation, Shape};
use rules::days::morale::{self, Occasion};
use rules::days::order::{Before, Charger};
use rules::days::settings::Weight;
use rules::days::unit::{Arm, Aspect, ChargeKind, OrderState, Part, Quality, Trait};
use rules::days::{charge, evolution, ground, staff, target};
use table::{Pose, Vec2};

/// What the state of one side of a fight costs it, as a share of what can still be lost of it.
const SHAKEN: f64 = 0.14;
const DISORDERED: f64 = 0.04;
const ROUTED: f64 = 0.5;

/// A charge that could be made.
#[derive(Clone, Copy, Debug)]
pub struct Rush {
    /// Who, and by which way.
    pub charger: Charger,
    /// At whom.
    pub at: UnitId,
    /// What it promises, in points.
    pub value: f64,
}

/// One side of a fight.
struct Party {
    unit: UnitId,
    shape: Shape,
    charging: bool,
}

fn cover(field: &Field, unit: UnitId, from: Vec2) -> Option<Weight> {
    if is_mounted(field, unit) { None } else { target::cover(field, unit, from) }
}

fn led_by(field: &Field, unit: UnitId) -> i32 {
    let table = &field.charts().assault;
    staff::with(field, unit).map_or(0, |(_, quality)| match quality {
        Quality::Exceptional => table.general_exceptional.value.get(),
        Quality::Capable => table.general_capable.value.get(),
        Quality::Inept => table.general_inept.value.get(),
    })
}

/// What a unit brings to a fight whoever it meets.
fn own_score(field: &Field, party: &Party) -> i32 {
    let (table, unit) = (&field.charts().assault, party.unit);
    let card = facts(field, unit);
    let mut sum = i32::from(card.class) + led_by(field, unit);
    if party.charging && is_mounted(field, unit) {
        sum += table.horse_charging.value.get();
        if card.is(Trait::Cuirassier) {
            sum += table.cuirassiers_charging.value.get();
        }
        if card.is(Trait::Heavy) {
            sum += table.heavy_horse_charging.value.get();
        }
    } else if party.charging && is_foot(field, unit) {
        sum += table.foot_charging.value.get();
        if party.shape == Shape::Manoeuvre {
            sum += table.column_charging.value.get();
        }
    }
    sum += match order(field, unit) {
        OrderState::Disordered => table.disordered.value.get(),
        OrderState::Shaken => table.shaken.value.get(),
        _ => 0,
    };
    if state(field, unit).to_ground {
        sum += table.gone_to_ground.value.get();
    }
    if below_half(field, unit) {
        sum += table.below_half.value.get();
    }
    if party.shape == Shape::March && !card.is_battery() {
        sum += table.march_column.value.get();
    }
    if field::is_deployed(field, unit) {
        sum += table.deployed_guns.value.get();
    }
    if field::is_limbered(field, unit) || card.arm == Arm::Wagon {
        sum += table.limbered.value.get();
    }
    sum
}

fn outnumbers(field: &Field, ours: u32, theirs: u32) -> i32 {
    let table = &field.charts().assault;
    let steps =
        [(table.thrice_at, table.thrice), (table.twice_at, table.twice), (table.half_again_at, table.half_again)];
    steps.into_iter().find(|(ratio, _)| ratio.value.reached(ours, theirs)).map_or(0, |(_, value)| value.value.get())
}

/// By how much a charger's score beats its target's before the dice.
fn edge(field: &Field, charger: &Party, at: UnitId, aspect: Aspect, from: Vec2) -> i32 {
    let table = &field.charts().assault;
    let unit = charger.unit;
    let defender = Party { unit: at, shape: shape(field, at), charging: troops(field, at).charge.is_some() };
    let (mut ours, mut theirs) = (own_score(field, charger), own_score(field, &defender));
    let rides = is_mounted(field, unit);
    let shelter = cover(field, at, from).filter(|_| !defender.charging);
    let square = target::in_square(field, at);
    if rides && is_formed_foot(field, at) && !square && shelter.is_none() {
        ours += table.horse_v_foot_in_open.value.get();
    }
    let breech = field.charts().small_arms.get(&facts(field, at).weapon).is_some_and(|arm| arm.breech_loader.value);
    let good = order(field, at) == OrderState::Good;
    if rides && is_formed_foot(field, at) && breech && good && aspect == Aspect::Front {
        theirs += table.breech_loaders_v_horse.value.get();
    }
    if rides && square {
        theirs += table.square_v_horse.value.get();
    }
    theirs += match shelter {
        Some(Weight::Heavy) => table.heavy_cover.value.get(),
        Some(_) => table.light_cover.value.get(),
        None => 0,
    };
    let (here, there) = (ground::level(field, from), ground::level_of(field, at));
    if here > there {
        ours += table.uphill.value.get();
    } else if there > here {
        theirs += table.uphill.value.get();
    }
    let (us, them) = (u32::from(count(field, unit)), u32::from(count(field, at)));
    ours += outnumbers(field, us, them);
    theirs += outnumbers(field, them, us);
    theirs += match aspect {
        Aspect::Front => 0,
        Aspect::Flank => table.enemy_on_flank.value.get(),
        Aspect::Rear => table.enemy_on_rear.value.get(),
    };
    if skirmishes(field, unit) && is_formed(field, at) {
        ours += table.skirmishers.value.get();
    }
    if skirmishes(field, at) && is_formed(field, unit) {
        theirs += table.skirmishers.value.get();
    }
    ours - theirs
}

/// What a condition costs, as a share of what is left to lose.
fn condition_cost(condition: Condition) -> f64 {
    match condition {
        Condition::Good => 0.0,
        Condition::Disordered | Condition::ToGround => DISORDERED,
        Condition::Shaken => SHAKEN,
        Condition::Routing => ROUTED,
    }
}

/// What losing so badly costs a unit.
fn losing(field: &Field, unit: UnitId, by: UnitId, difference: i32) -> f64 {
    let results = &field.charts().result;
    let card = facts(field, unit);
    let stake = stake(field, unit);
    if card.is_battery() && card.part.is_none() {
        return match difference {
            0 => stake * 0.1,
            1 => stake * 0.5,
            _ => stake,
        };
    }
    if matches!(card.arm, Arm::Engineers | Arm::Wagon) || card.part_kind() == Some(Part::Crew) {
        return stake;
    }
    let mut row = results.of(difference);
    let loose = skirmishes(field, unit);
    if (loose || target::in_square(field, unit) && is_mounted(field, by)) && std::ptr::eq(row, &results.minor) {
        row = &results.major;
    }
    let lost = hits_worth(field, unit, f64::from(row.loser_loses.value.get()));
    let rest = greater(stake - lost, 0.0);
    let chased = if is_mounted(field, by) { 1.15 } else { 1.0 };
    lesser(lost + rest * condition_cost(row.loser_state.value) * chased, stake)
}

/// What winning costs.
fn winning(field: &Field, unit: UnitId, difference: i32) -> f64 {
    let row = field.charts().result.of(difference);
    let wild = if row.winner_pursues.value { 0.03 } else { 0.0 };
    hits_worth(field, unit, f64::from(row.winner_loses.value.get()))
        + stake(field, unit) * (wild + condition_cost(row.winner_state.value))
}

/// What a fight with this edge promises, in points.
pub fn fight(field: &Field, unit: UnitId, at: UnitId, edge: i32) -> f64 {
    let mut sum = 0.0;
    for ours in 1..=6 {
        for theirs in 1..=6 {
            let difference = edge + ours - theirs;
            sum += match difference {
                0 => losing(field, at, unit, 0) - losing(field, unit, at, 0),
                more if more > 0 => losing(field, at, unit, more) - winning(field, unit, more),
                less => winning(field, at, -less) - losing(field, unit, at, -less),
            };
        }
    }
    sum / 36.0
}

/// What a charge that has come home promises.
pub fn at_contact(field: &Field, unit: UnitId, formed: Shape, at: UnitId, aspect: Aspect, from: Vec2) -> f64 {
    let helpless = matches!(facts(field, at).arm, Arm::Engineers | Arm::Wagon)
        || facts(field, at).part_kind() == Some(Part::Holders)
        || (field::is_battery(field, at) && troops(field, at).crew_away);
    if helpless {
        return stake(field, at);
    }
    if is_routing(field, at) {
        return losing(field, at, unit, 6);
    }
    let ridden_down =
        skirmishes(field, at) && is_foot(field, at) && is_mounted(field, unit) && cover(field, at, from).is_none();
    if ridden_down {
        return losing(field, at, unit, 6);
    }
    let party = Party { unit, shape: formed, charging: true };
    fight(field, unit, at, edge(field, &party, at, aspect, from))
}

/// The chance to charge home with so many stands lost on the way.
fn comes_home(field: &Field, unit: UnitId, at: UnitId, lost: f64) -> f64 {
    let auto = is_routing(field, at) || troops(field, at).crew_away || facts(field, at).arm == Arm::Engineers;
    if auto {
        return 1.0;
    }
    let score = morale::score(field, unit, Test::ChargingHome, &Occasion { against: Some(at), ..Occasion::default() });
    // Between whole losses the chances lie between those of whole ones.
    let (low, share) = (lost.floor(), lost - lost.floor());
    let chance = |hits: f64| passes(score.whole() + hits as i32);
    chance(low) * (1.0 - share) + chance(low + 1.0) * share
}

/// How a target takes a charge: the chance that it stands firm, that it is shaken, that it runs.
fn stands(field: &Field, at: UnitId, by: UnitId, caught: bool) -> [f64; 3] {
    if caught || is_routing(field, at) || troops(field, at).crew_away {
        return [1.0, 0.0, 0.0];
    }
    let score =
        morale::score(field, at, Test::BeingCharged, &Occasion { against: Some(by), ..Occasion::default() }).whole();
    let firm = passes(score);
    let shaken = passes(score - 1) - firm;
    [firm, shaken, 1.0 - firm - shaken]
}

/// Whether a target gets out of the way if it stands its test.
fn slips_away(field: &Field, at: UnitId, by: UnitId) -> bool {
    let loose = skirmishes(field, at) && !state(field, at).to_ground;
    let horse_guns = field::is_limbered(field, at) && facts(field, at).is(Trait::Horse);
    (loose && is_formed(field, by)) || horse_guns
}

/// Where and how a charger stands before it goes straight on.
fn start_of(field: &Field, charger: &Charger) -> (Pose, Formation) {
    let unit = charger.unit;
    let (pose, now) = (field.unit(unit).pose(), field::formation(field, unit));
    match charger.before {
        None => (pose, now),
        Some(Before::Form(to)) => (evolution::reformed_pose(field, unit, to), to),
        Some(Before::Wheel(leg)) => (table::march::Track::plot(pose, field.footprint(unit, now), &[leg]).end(), now),
    }
}

/// What a charge promises from its declaration on.
pub fn prospect(field: &Field, smoke: &Smoke<'_>, kind: ChargeKind, charger: &Charger, at: UnitId, prize: f64) -> f64 {
    let unit = charger.unit;
    let occasion = Occasion { against: Some(at), ..Occasion::default() };
    let goes = passes(morale::score(field, unit, Test::ToCharge, &occasion).whole());
    let aspect = field::aspect(field, at, field::command_pose(field, unit).at.vec());
    let (start, formation) = start_of(field, charger);
    let gap = field::gap(field, unit, at).as_f64();
    let constant = &field.charts().constant;
    let near = if is_mounted(field, unit) { reach(constant.caught_mounted) } else { reach(constant.caught_foot) };
    let caught =
        kind == ChargeKind::Declared && gap <= near.as_f64() && !matches!(charger.before, Some(Before::Form(_)));
    let fast = is_mounted(field, unit) && gap > reach(constant.fast).as_f64();
    let declared = kind == ChargeKind::Declared;
    let half_way = start.ahead(table::Length::from_um(gap * 0.5));
    let taken = |drawn: &Drawn<'_>, pose: Pose, fast: bool| {
        smoke.taken(drawn, &drawn.stands(pose), &drawn.body.quad(pose), fast)
    };
    let under_fire = if declared { taken(&Drawn::of(field, unit, formation), half_way, fast) } else { 0.0 };
    // Whoever has not fired yet keeps it for those who charge him.
    let held = f64::from(troops(field, at).turn.reserved) + if declared { 0.0 } else { spare(field, at) };
    let shots = under_fire + if held > 0.0 { 0.6 } else { 0.0 };
    let (pose, now) = (field.unit(unit).pose(), Drawn::of(field, unit, field::formation(field, unit)));
    let own_fire = if declared { smoke.given_at(&now, pose) } else { 0.0 };
    let [firm, shaken, runs] = stands(field, at, unit, caught);
    let away = if slips_away(field, at, unit) && !caught { firm } else { 0.0 };
    let home = comes_home(field, unit, at, shots);
    let from = field.unit(unit).pose().at.vec();
    let contact = at_contact(field, unit, formation.shape, at, aspect, from) + prize * 0.4;
    let softened = contact + (firm + shaken).recip().min(1.0) * shaken * 0.12 * stake(field, at);
    let there = runs * (stake(field, at) * ROUTED * 1.1 + prize)
        + away * (stake(field, at) * 0.03 + prize * 0.8)
        + (firm + shaken - away) * home * softened
        - (firm + shaken - away) * (1.0 - home) * stake(field, unit) * 0.06;
    // Whoever does not charge is shot at all the same, where he stands.
    let anyway = if declared { taken(&now, pose, false) } else { 0.0 };
    let lost = hits_worth(field, unit, greater(shots - anyway, 0.0));
    let exposed = if has_flanks(field, unit) { 0.02 } else { 0.0 } * stake(field, unit);
    goes * (there - lost - own_fire - exposed) - (1.0 - goes) * 0.3
}

/// Stands that have not fired.
fn spare(field: &Field, at: UnitId) -> f64 {
    let fires = matches!(facts(field, at).arm, Arm::Infantry | Arm::Artillery) && !is_routing(field, at);
    let left = count(field, at).saturating_sub(troops(field, at).turn.fired);
    if fires { f64::from(left) * 0.1 } else { 0.0 }
}

/// All charges a side could make, the best first.
pub fn survey(field: &Field, smoke: &Smoke<'_>, plan: &Plan, side: engine::Side, kind: ChargeKind) -> Vec<Rush> {
    let mut found = Vec::new();
    for (unit, body) in field::present(field, side) {
        if !charge::who::able(field, kind, unit).is_legal() {
            continue;
        }
        for (at, enemy) in field::known(field, side.other()) {
            if (enemy.quad().centre - body.quad().centre).length() > um(17.0) + body.quad().radius + enemy.quad().radius
            {
                continue;
            }
            let Some(charger) = charge::suggest(field, kind, unit, at) else { continue };
            let value = prospect(field, smoke, kind, &charger, at, plan.prize(field, at));
            found.push(Rush { charger, at, value });
        }
    }
    found.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.charger.unit.cmp(&b.charger.unit)));
    found
}

/// Whether a charge under way should rather be broken off.
pub fn is_forlorn(field: &Field, plan: &Plan, unit: UnitId) -> bool {
    let Some(charge) = troops(field, unit).charge.as_deref() else { return false };
    let at = charge.at;
    if !field::is_there(field, at) {
        return false;
    }
    let home = comes_home(field, unit, at, 0.4);
    let contact = at_contact(field, unit, shape(field, unit), at, charge.aspect, charge.from.at.vec());
    home * (contact + plan.prize(field, at) * 0.4) < 0.0
}
