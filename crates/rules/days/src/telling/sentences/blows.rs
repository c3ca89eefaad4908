//! Sentences about charges, tests of nerve, fire, rout and close assault.

use super::{all, course, far, its, thrown};
use crate::Days;
use crate::event::{Cause, ChargeEnd, DaysEvent, MeleeResult, Test};
use crate::field::Field;
use crate::telling::speech::{band as band_words, target};
use crate::unit::{Aspect, Charge, ChargeKind, ChargeStage, GunModel, OrderState};
use book::telling::voice::{commander, count, do_of, does, edge, is, is_plural, number, unit};
use engine::{BySide, Event, Side, UnitId};
use table::Length;

/// An event of the fighting.
pub fn tell(field: &Field, event: &Event<Days>, own: &DaysEvent) -> String {
    use DaysEvent as E;
    let says = |id: UnitId, verb: &str| does(unit(field, id), verb);
    match own {
        E::Declared { unit: id, at } => format!("{} on {}", says(*id, "declare a charge"), unit(field, *at)),
        E::ChargeBegins { unit: id, charge } => begins(field, *id, charge),
        E::ChargeGoes { unit: id, stage, gone, left } => goes(unit(field, *id), *stage, *gone, *left),
        E::ChargeTurns { unit: id, at } => format!("{} on {} instead", says(*id, "turn"), unit(field, *at)),
        E::ChargeEnds { unit: id, why } => ends(unit(field, *id), *why),
        E::Tested { unit: id, test, against, score, passed, margin } => {
            let name = unit(field, *id);
            let how = tested(field, name, *test, *against, *passed);
            format!("{how}: {}", needed(event, *score, *passed, *margin))
        }
        E::OrderIs { unit: id, order } => ordered(unit(field, *id), *order),
        E::Swamped { unit: id, swamped: true } => is(unit(field, *id), "thrown into disorder by the swamp"),
        E::Swamped { unit: id, swamped: false } => is(unit(field, *id), "clear of the swamp"),
        E::ToGround { unit: id, down: true } => says(*id, "go to ground"),
        E::ToGround { unit: id, down: false } => says(*id, "get up again"),
        E::Pursues { unit: id, after: Some(after) } => format!("{} after {}", says(*id, "run on"), unit(field, *after)),
        E::Pursues { unit: id, after: None } => says(*id, "give up the pursuit"),
        E::Reserved { unit: id, stands: 0 } => says(*id, "keep no fire back"),
        E::Reserved { unit: id, stands } => {
            format!("{} the fire of {}", says(*id, "keep back"), pieces(field, *id, *stands))
        }
        E::Volley { .. } => volley(field, own),
        E::Bounces { by, at, hits } => {
            let shot = format!("the round shot of {} goes on into {}", unit(field, *by), unit(field, *at));
            format!("{shot}: {}", count(usize::from(*hits), "hit"))
        }
        E::Fired { unit: id, stands, .. } => {
            let have = if *stands == 1 { "has" } else { "have" };
            format!("{} of {} {have} fired this turn", pieces(field, *id, *stands), unit(field, *id))
        }
        E::FirstFireSpent { unit: id } => format!("the first volley of {} is spent", unit(field, *id)),
        E::ShotDown { unit: id, stands, by, cause } => shot_down(field, *id, *stands, *by, *cause),
        E::Guns { battery, guns, horses } => battery_state(unit(field, *battery), guns, *horses),
        E::BatteryHit { battery, gun, crew, horses, damaged, destroyed } => {
            battery_hit(field, event, *battery, *gun, [*crew, *horses], [*damaged, *destroyed])
        }
        E::CrewAway { battery, away: true } => format!("the gunners of {} leave their guns", unit(field, *battery)),
        E::CrewAway { battery, away: false } => {
            format!("the gunners of {} man their guns again", unit(field, *battery))
        }
        E::PartyHit { party, hit, killed, pioneers } => course::party(field, event, *party, [*hit, *killed], *pioneers),
        E::Routs { unit: id, from: Some(from) } => format!("{} before {}", says(*id, "break"), unit(field, *from)),
        E::Routs { unit: id, from: None } => says(*id, "break in panic"),
        E::Ran { unit: id, so_far } => format!("{} {} this turn", says(*id, "have run"), far(*so_far)),
        E::BurstThrough { unit: id, by } => format!("{} through {}", does(unit(field, *by), "burst"), unit(field, *id)),
        E::EvadedOff { unit: id, off: Some((_, on)) } => {
            format!("{} over the {} edge of the table", says(*id, "evade"), edge(*on))
        }
        E::EvadedOff { unit: id, off: None } => says(*id, "come back onto the table"),
        E::PushedBack { unit: id, .. } => is(unit(field, *id), "pushed back"),
        E::Advances { unit: id, by } => format!("{} {}", says(*id, "advance"), far(*by)),
        E::BreaksInto { unit: id, into: Some((into, left)) } => {
            format!("{} {}, with {} of the advance in hand", says(*id, "break into"), unit(field, *into), far(*left))
        }
        E::BreaksInto { unit: id, into: None } => format!("the break-through of {} is over", unit(field, *id)),
        E::Contact { unit: id, with } => {
            format!("{} hand to hand with {}", is(unit(field, *id), "now"), unit(field, *with))
        }
        E::Parted { unit: id, from: Some(from) } => {
            format!("{} with {} no more", is(unit(field, *id), "in contact"), unit(field, *from))
        }
        E::Parted { unit: id, from: None } => is(unit(field, *id), "out of the fight"),
        E::Melee { a, b, scores, winner, result } => melee(field, [a, b], *scores, *winner, *result),
        E::WonLast { unit: id, won: true } => says(*id, "have the upper hand in the fight"),
        E::WonLast { unit: id, won: false } => says(*id, "have the upper hand no more"),
        E::FoughtBefore { unit: id } => {
            format!("{} {} fill of close fighting", says(*id, "have had"), its(unit(field, *id)))
        }
        E::Captured { unit: id, by: Some(by) } => {
            format!("{} by {}", is(unit(field, *id), "captured"), unit(field, *by))
        }
        E::Captured { unit: id, by: None } => says(*id, "fall into the hands of the enemy"),
        E::MustAdvance { unit: id, by, .. } => format!("{} up to {} further", says(*id, "have to go"), far(*by)),
        E::Stays { unit: id, beaten: true } => {
            let name = unit(field, *id);
            format!("{} to the cover and {} not fall back", does(name, "cling"), do_of(name))
        }
        E::Stays { unit: id, beaten: false } => {
            let name = unit(field, *id);
            format!("{} and {} not follow", does(name, "halt"), do_of(name))
        }
        E::Score { units, total, .. } => {
            let die = thrown(event).map(|face| format!(" with a die of {face}")).unwrap_or_default();
            let names = all(field, units);
            let verb = if units.len() > 1 || is_plural(&names) { "reach" } else { "reaches" };
            format!("{names} {verb} {total} in close assault{die}")
        }
        E::LossesShared { shares, .. } => {
            let each = shares.iter().map(|(id, lost)| format!("{} {lost}", unit(field, *id)));
            format!("the losses are shared out: {}", each.collect::<Vec<_>>().join(", "))
        }
        // Told with the course of the battle.
        E::Step { .. }
        | E::Initiative { .. }
        | E::InitiativeTied
        | E::Quality { .. }
        | E::Scouted { .. }
        | E::Mustered { .. }
        | E::Engaged { .. }
        | E::Bought { .. }
        | E::Wind { .. }
        | E::Decided { .. }
        | E::Seated { .. }
        | E::Burnt { .. }
        | E::Counted { .. }
        | E::DeploysFirst { .. }
        | E::KeptOff { .. }
        | E::Announced { .. }
        | E::ArrivedWhole { .. }
        | E::Waits { .. }
        | E::Did { .. }
        | E::AtRisk { .. }
        | E::Health { .. }
        | E::Unhorsed { .. }
        | E::Attached { .. }
        | E::PartyAttached { .. }
        | E::StaffRouts { .. }
        | E::GeneralMoved { .. }
        | E::TriedToRally { .. }
        | E::Ablaze { .. }
        | E::NoFire { .. }
        | E::WoodIs { .. }
        | E::FordSought { .. }
        | E::Works { .. }
        | E::WorkDone { .. }
        | E::BridgeMined { .. }
        | E::GapCleared { .. }
        | E::Raised { .. }
        | E::Breached { .. }
        | E::SpanMined { .. }
        | E::SpanLaid { .. }
        | E::Mounted { .. }
        | E::HoldersLost { .. }
        | E::Relieved { .. }
        | E::AtCrest { .. }
        | E::Crossed { .. }
        | E::CrossingsGone { .. }
        | E::Cleared => String::new(),
    }
}

/// Stands of a unit, models of a battery.
fn pieces(field: &Field, id: UnitId, number: u8) -> String {
    let guns = crate::field::is_battery(field, id);
    count(usize::from(number), if guns { "gun" } else { "stand" })
}

fn begins(field: &Field, id: UnitId, charge: &Charge) -> String {
    let name = unit(field, id);
    let verb = match (charge.counter, charge.kind) {
        (true, _) => "counter-charge",
        (false, ChargeKind::Declared) => "charge",
        (false, ChargeKind::Opportunity) => "charge at the opportunity:",
    };
    let from = match charge.aspect {
        Aspect::Front => "",
        Aspect::Flank => " in the flank",
        Aspect::Rear => " from behind",
    };
    let caught = if charge.caught { ", too near to get away" } else { "" };
    format!("{} {}{from}, {} away{caught}", does(name, verb), unit(field, charge.at), far(charge.apart))
}

fn goes(name: &str, stage: ChargeStage, gone: Length, left: Length) -> String {
    let told = format!("{} gone, {} in hand", far(gone), far(left));
    match stage {
        ChargeStage::Begun => format!("the charge of {name} is on its way: {told}"),
        ChargeStage::Close => format!("the charge of {name} is close upon the enemy: {told}"),
        ChargeStage::Home => format!("the charge of {name} is home"),
    }
}

fn ends(name: &str, why: ChargeEnd) -> String {
    match why {
        ChargeEnd::Feint => format!("{}: the charge was a feint", does(name, "draw rein")),
        ChargeEnd::TargetGone => format!("the charge of {name} finds nobody left to strike"),
        ChargeEnd::OutOfReach => format!("the charge of {name} falls short"),
        ChargeEnd::FailedHome => format!("the charge of {name} does not go home"),
        ChargeEnd::Broken => format!("the charge of {name} is broken"),
        ChargeEnd::Blocked => format!("the charge of {name} finds its way barred"),
        ChargeEnd::Fought => format!("the charge of {name} is fought out"),
    }
}

fn tested(field: &Field, name: &str, test: Test, against: Option<UnitId>, passed: bool) -> String {
    let whom = |before: &str| against.map(|id| format!("{before}{}", unit(field, id))).unwrap_or_default();
    match (test, passed) {
        (Test::ToCharge, true) => format!("{}{}", does(name, "take heart to charge"), whom(" ")),
        (Test::ToCharge, false) => format!("{}{}", does(name, "fail to charge"), whom(" ")),
        (Test::BeingCharged, true) => format!("{}{}", does(name, "stand firm"), whom(" before the charge of ")),
        (Test::BeingCharged, false) => format!("{}{}", does(name, "waver"), whom(" before the charge of ")),
        (Test::Casualties, true) => does(name, "bear the losses"),
        (Test::Casualties, false) => does(name, "falter under the losses"),
        (Test::ChargingHome, true) => format!("{}{}", does(name, "charge home"), whom(" on ")),
        (Test::ChargingHome, false) => format!("{}{}", does(name, "fail to charge home"), whom(" on ")),
        (Test::Rally, true) => does(name, "rally"),
        (Test::Rally, false) => does(name, "fail to rally"),
    }
}

/// What was needed and what came up.
fn needed(event: &Event<Days>, score: i8, passed: bool, margin: i8) -> String {
    let by = match (passed, margin) {
        (true, _) | (false, 0) => String::new(),
        (false, short) => format!(", {} too few", number(usize::from(short.unsigned_abs()))),
    };
    match thrown(event) {
        Some(face) => format!("more than {score} needed, {face} thrown{by}"),
        None => format!("more than {score} needed{by}"),
    }
}

fn ordered(name: &str, order: OrderState) -> String {
    match order {
        OrderState::Good => is(name, "in good order"),
        OrderState::Disordered => does(name, "fall into disorder"),
        OrderState::Shaken => is(name, "shaken"),
        OrderState::Routing => is(name, "in rout"),
    }
}

fn volley(field: &Field, own: &DaysEvent) -> String {
    let DaysEvent::Volley { by, at, general, band, class, grade, stands, hits, defensive, passing } = own else {
        return String::new();
    };
    let whom = match (at, general) {
        (_, Some(general)) => commander(field, *general),
        (Some(at), None) => unit(field, *at),
        (None, None) => "nobody in sight",
    };
    let verb = match *defensive {
        true => "meet the charge of",
        false => "fire on",
    };
    let with = if *defensive { "with the fire of" } else { "with" };
    let aimed = format!("{} {whom} {with} {}", does(unit(field, *by), verb), pieces(field, *by, *stands));
    let range = format!("{} range at {}, grade {grade}", band_words(*band), target(*class));
    let seen = if *passing { " as it crosses the front" } else { "" };
    format!("{aimed}{seen} ({range}): {}", count(usize::from(*hits), "hit"))
}

fn shot_down(field: &Field, id: UnitId, stands: u8, by: Option<UnitId>, cause: Cause) -> String {
    let name = unit(field, id);
    let by = by.map(|by| format!(" of {}", unit(field, by))).unwrap_or_default();
    let to = match cause {
        Cause::Fire => format!("to the fire{by}"),
        Cause::DefensiveFire => format!("to the last volley{by}"),
        Cause::Assault => format!("to the steel{by}"),
        Cause::Routers => "in the rout".to_owned(),
        Cause::NoRoom => "in the crush".to_owned(),
        Cause::BouncingShot => format!("to the bouncing shot{by}"),
    };
    let lost = match (crate::field::facts(field, id).is_battery(), stands) {
        (true, 1) => "one man, horse or gun".to_owned(),
        (true, lost) => format!("{} men, horses and guns", number(usize::from(lost))),
        (false, lost) => count(usize::from(lost), "stand"),
    };
    format!("{} {lost} {to}", does(name, "lose"))
}

fn battery_state(name: &str, guns: &[GunModel], horses: u8) -> String {
    let crews: Vec<String> = guns
        .iter()
        .map(|gun| match gun.damaged {
            0 => gun.crew.to_string(),
            _ => format!("{} (damaged)", gun.crew),
        })
        .collect();
    match crews.as_slice() {
        [] => format!("{} without a gun, with {}", is(name, "left"), count(usize::from(horses), "horse")),
        crews => format!(
            "{} {} with crews of {} and {}",
            does(name, "have"),
            count(crews.len(), "gun"),
            crews.join(", "),
            count(usize::from(horses), "horse")
        ),
    }
}

fn battery_hit(
    field: &Field,
    event: &Event<Days>,
    battery: UnitId,
    gun: u8,
    [crew, horses]: [u8; 2],
    [damaged, destroyed]: [bool; 2],
) -> String {
    let name = unit(field, battery);
    let die = thrown(event).map(|face| format!(" ({face})")).unwrap_or_default();
    let mut harm: Vec<String> = Vec::new();
    if destroyed {
        harm.push("a gun destroyed".to_owned());
    } else if damaged {
        harm.push("a gun damaged".to_owned());
    }
    let men = [(crew, "gunner"), (horses, "horse")].into_iter().filter(|(lost, _)| *lost > 0);
    harm.extend(men.map(|(lost, what)| count(usize::from(lost), what)));
    let harm = if harm.is_empty() { "no harm done".to_owned() } else { harm.join(", ") };
    format!("{} at gun {}: {harm}{die}", is(name, "hit"), u32::from(gun) + 1)
}

fn melee(
    field: &Field,
    [a, b]: [&[UnitId]; 2],
    scores: BySide<i8>,
    winner: Option<Side>,
    result: MeleeResult,
) -> String {
    let (first, second) = (all(field, a), all(field, b));
    let (for_a, for_b) = (scores[Side::A], scores[Side::B]);
    let Some(winner) = winner else {
        return format!("{first} and {second} are locked in close assault, {for_a} to {for_b}");
    };
    let (victor, loser, many, score) = match winner {
        Side::A => (&first, &second, a.len() > 1, [for_a, for_b]),
        Side::B => (&second, &first, b.len() > 1, [for_b, for_a]),
    };
    let verb = if many || is_plural(victor) { "beat" } else { "beats" };
    let how = match result {
        MeleeResult::Locked => "and they stay locked",
        MeleeResult::Marginal => "a marginal victory",
        MeleeResult::Minor => "a minor victory",
        MeleeResult::Major => "a major victory",
    };
    format!("{victor} {verb} {loser} in close assault, {} to {}: {how}", score[0], score[1])
}
