//! The chronicle: every event in one sentence. The view may be long after the event, so a sentence takes names from the
//! roster and everything else from the event itself.

mod blows;

use super::speech::{ability, cycle, drawn_up, far, formed, matter, order_words, place, way};
use super::{STEPS, step_number};
use crate::Guns;
use crate::clause::Clause;
use crate::event::{DisorderKind, GunsEvent, Halt};
use crate::field::Field;
use crate::formation::Shape;
use crate::order::{BrigadeOrder, Matter};
use crate::unit::{Charge, ChargeStage, Observer, Registration};
use book::telling::voice::{
    bearing, command, commander, count, does, feature, is, is_plural, list, number, sentence, side, unit,
};
use engine::{CommandId, CommanderId, Deed, Event, Leaving, UnitId};

/// An event in a sentence.
pub fn tell(field: &Field, event: &Event<Guns>) -> String {
    let text = match &event.deed {
        Deed::Own(own) => tell_own(field, event, own),
        deed => tell_common(field, event, deed),
    };
    sentence(&text)
}

fn obeys(event: &Event<Guns>, clauses: &[Clause]) -> bool {
    clauses.iter().any(|clause| event.clause.0 == clause.id())
}

/// The faces of the first throw, where there was one.
fn thrown(event: &Event<Guns>) -> Option<i32> {
    event.rolls.first().map(engine::Roll::total)
}

fn names<'f>(field: &'f Field, units: &[UnitId]) -> Vec<&'f str> {
    units.iter().map(|id| unit(field, *id)).collect()
}

fn generals<'f>(field: &'f Field, ids: &[CommanderId]) -> Vec<&'f str> {
    ids.iter().map(|id| commander(field, *id)).collect()
}

fn tell_common(field: &Field, event: &Event<Guns>, deed: &Deed<Guns>) -> String {
    match deed {
        Deed::Placed { unit: id, hidden: true, .. } => does(unit(field, *id), "lie in wait, unseen"),
        Deed::Placed { unit: id, formation, .. } => {
            does(unit(field, *id), &format!("take post {}", drawn_up(*formation)))
        }
        Deed::Moved { unit: id, path, to } => moved(field, unit(field, *id), event, path, to.facing),
        Deed::Reformed { unit: id, formation, to } => {
            let name = unit(field, *id);
            match formation.shape {
                Shape::Limbered => does(name, "limber up"),
                Shape::Deployed => format!("{}, laying {}", does(name, "unlimber"), bearing(to.facing)),
                _ => format!("{}, facing {}", does(name, &formed(*formation)), bearing(to.facing)),
            }
        }
        Deed::StandsLost { unit: id, left } => {
            format!("{}, {} left", does(unit(field, *id), "lose elements"), number(left.count() as usize))
        }
        Deed::Removed { unit: id, why } => removed(unit(field, *id), event, *why),
        Deed::Withdrawn { unit: id } => does(unit(field, *id), "leave the table for a while"),
        Deed::Revealed { unit: id } => is(unit(field, *id), "discovered"),
        Deed::CommanderMoved { commander: who, .. } | Deed::CommanderConcealed { commander: who, .. } => {
            let name = commander(field, *who);
            match () {
                _ if obeys(event, &[Clause::GeneralsPace]) => format!("{name} rides to a new place"),
                _ if obeys(event, &[Clause::OpeningOrders, Clause::TableAndBaselines]) => format!("{name} takes post"),
                _ => format!("{name} rides along"),
            }
        }
        Deed::CommanderLost { commander: who } => format!("{} is lost to the army", commander(field, *who)),
        Deed::TurnBegan { turn } => format!("bound {turn} begins"),
        Deed::Committed { side: who } => format!("{} have sealed their answer", side(field, *who)),
        Deed::DisputeDie { side: who } => {
            let die = event.rolls.first().map(|roll| format!(": {}", roll.single())).unwrap_or_default();
            format!("{} throw a die to settle a dispute{die}", side(field, *who))
        }
        Deed::Noted if event.rolls.is_empty() => "so noted".to_owned(),
        Deed::Noted => {
            let each = event.rolls.iter().map(|roll| format!("{} {}", side(field, roll.by), roll.total()));
            format!("the dice are thrown: {}", each.collect::<Vec<_>>().join(", "))
        }
        Deed::Own(own) => tell_own(field, event, own),
    }
}

fn moved(field: &Field, name: &str, event: &Event<Guns>, path: &[table::Leg], facing: table::Angle) -> String {
    let way = way(field, path);
    let is_for = |clauses: &[Clause]| obeys(event, clauses);
    match () {
        _ if is_for(&[Clause::GoesOnRetiring, Clause::FallsBackAgain]) => does(name, "stream further to the rear"),
        _ if is_for(&[Clause::SkirmishersEvade, Clause::SkirmishersCannotHold]) => does(name, "slip out of the way"),
        _ if is_for(&[Clause::CavalryFallsBack]) => does(name, "draw off out of range"),
        _ if is_for(&[
            Clause::RetireDistance,
            Clause::RetirementRoll,
            Clause::RetiresAtOnce,
            Clause::ChargedRetire,
            Clause::ThenRetires,
            Clause::SecondRetirement,
            Clause::TwiceBeatenBreaks,
        ]) =>
        {
            does(name, "go back before the enemy")
        }
        _ if is_for(&[Clause::SupportsRoll, Clause::SupportsTest]) => is(name, "carried along to the rear"),
        _ if is_for(&[Clause::Evacuate, Clause::BuildingAblaze]) => does(name, "leave the burning houses"),
        _ if is_for(&[Clause::ReformAlarm]) => {
            does(name, "make off before it has reformed").replace("it has", has(name))
        }
        _ if is_for(&[Clause::PressesOn, Clause::PerimeterFight, Clause::CavalryInContact]) => {
            does(name, "close with the enemy")
        }
        _ if is_for(&[Clause::FollowOn, Clause::ProcessRepeated]) => does(name, "press on after them"),
        _ if is_for(&[Clause::ChargesFourth, Clause::ChargeNeedsTest, Clause::FlinchBeforeContact]) => {
            format!("{}{way}", does(name, "come on at the charge"))
        }
        _ if path.is_empty() => format!("{}, facing {}", does(name, "move"), bearing(facing)),
        _ => format!("{}{way}", does(name, "march")),
    }
}

fn has(name: &str) -> &'static str {
    if is_plural(name) { "they have" } else { "it has" }
}

fn removed(name: &str, event: &Event<Guns>, why: Leaving) -> String {
    match why {
        Leaving::Destroyed if obeys(event, &[Clause::Dispersed]) => is(name, "dispersed and seen no more"),
        Leaving::Destroyed => is(name, "fought out and gone from the field"),
        Leaving::Caught if obeys(event, &[Clause::GunsOverrun, Clause::GunnersTookCover]) => {
            format!("the guns of {name} are taken")
        }
        Leaving::Caught => is(name, "overrun"),
        Leaving::LeftTable => does(name, "leave the field"),
        Leaving::Abandoned => format!("the gunners abandon {name}"),
        Leaving::Withdrawn => does(name, "march off the field"),
        Leaving::Spent => does(name, "rejoin the battalions"),
    }
}

fn tell_own(field: &Field, event: &Event<Guns>, own: &GunsEvent) -> String {
    use GunsEvent as E;
    let says = |id: UnitId, verb: &str| does(unit(field, id), verb);
    match own {
        E::Step { step } => {
            let number = step_number(*step);
            format!("step {}: {}", number + 1, STEPS.get(number).copied().unwrap_or_default().to_lowercase())
        }
        E::Ability { general, ability: worth } => {
            format!("{} proves {} commander", commander(field, *general), ability(*worth))
        }
        E::Ordered { brigade, order, issuer, cause } => ordered(field, *brigade, *order, *issuer, *cause),
        E::Nominated { brigade, issuer, present } => {
            let through = issuer.map(|id| format!(", through {}", commander(field, id))).unwrap_or_default();
            let beside = match present.as_slice() {
                [] => String::new(),
                some => format!(", with {} beside it", list(&generals(field, some))),
            };
            format!("{} is named to move{through}{beside}", command(field, *brigade))
        }
        E::Reforming { unit: id, reforming: true } => says(*id, "stand still to reform"),
        E::Reforming { unit: id, reforming: false } => {
            says(*id, "fight on as they are").replace("they are", are(field, *id))
        }
        E::ActivationDice { side: who, dice } => {
            format!("{} roll {} for their brigades", side(field, *who), pips(dice))
        }
        E::Allotted { brigade, die, activated } => allotted(command(field, *brigade), *die, *activated),
        E::Discarded { side: who, die } => format!("{} have no use for the {die}", side(field, *who)),
        E::Responds { unit: id, total, responds: true } => format!("{} ({total})", says(*id, "obey")),
        E::Responds { unit: id, total, responds: false } => format!("no order stirs {} ({total})", unit(field, *id)),
        E::Registered { battery, registration } => registered(field, *battery, registration.as_deref()),
        E::Plotted { side: who, moves, .. } if moves.is_empty() => {
            format!("{} have planned no moves", side(field, *who))
        }
        E::Plotted { side: who, moves, .. } => {
            format!("{} lay open a plan of {}", side(field, *who), count(moves.len(), "move"))
        }
        E::ChargeDeclared { unit: id, charge } => charge_sentence(field, *id, charge, "charge"),
        E::CounterCharges { unit: id, charge } => charge_sentence(field, *id, charge, "counter-charge"),
        E::ChargeStage { unit: id, stage, left } => staged(field, *id, *stage, *left),
        E::ChargeTurns { unit: id, at } => format!("{} {}", says(*id, "turn on"), unit(field, *at)),
        E::ChargeGoal { unit: id, goal: Some(goal) } => {
            let to = if goal.contact { "to reach the enemy" } else { "to where the enemy stood" };
            format!("{} {} {to}", says(*id, "have"), far(field, goal.by))
        }
        E::ChargeGoal { unit: id, goal: None } => says(*id, "complete the charge"),
        E::Quarter { quarter: 0 } => "all movement is done".to_owned(),
        E::Quarter { quarter } => format!("quarter {quarter} of the bound"),
        E::Halted { unit: id, why, by } => halted(field, *id, *why, *by),
        E::Spent { unit: id, used, full } => {
            format!("{} {} of {}", says(*id, "use"), far(field, *used), far(field, *full))
        }
        E::Disorder { unit: id, kind, on } => disordered(unit(field, *id), *kind, *on),
        E::Wet { unit: id, quarters: 0 } => is(unit(field, *id), "dry again"),
        E::Wet { unit: id, quarters } => {
            format!("{} {} to dry", says(*id, "need"), count(usize::from(*quarters), "quarter"))
        }
        E::Defends { unit: id, feature: Some(place) } => format!("{} {}", says(*id, "man"), feature(field, *place)),
        E::Defends { unit: id, feature: None } => says(*id, "come out of cover"),
        E::ScreenOut { screen, parents } => {
            format!("{} from {}", is(unit(field, *screen), "thrown out"), list(&names(field, parents)))
        }
        E::ScreenIn { screen, lost: true } => format!("{} with every man in it", is(unit(field, *screen), "lost")),
        E::ScreenIn { screen, lost: false } => says(*screen, "fall back on the battalions"),
        E::Mustered(call) => format!(
            "{} the battle with combat status {}; the marks lie at {} for charging and {} for advancing",
            says(call.unit, "enter"),
            call.status,
            call.charge,
            call.advance
        ),
        E::ObserverMoved { battery, observer } => observed(field, *battery, *observer),
        E::Cycled { battery, cycle: now } => says(*battery, cycle(*now)),
        E::MayFire { battery, fires: true } => is(unit(field, *battery), "ready to fire"),
        E::MayFire { battery, fires: false } => format!("{} for firing this bound", says(*battery, "have no time")),
        E::GunsTouched { battery, since: Some(_) } => {
            format!("the enemy is among the guns of {}", unit(field, *battery))
        }
        E::GunsTouched { battery, since: None } => {
            format!("no enemy is left among the guns of {}", unit(field, *battery))
        }
        E::Mounted { unit: id, mounted: true } => says(*id, "mount"),
        E::Mounted { unit: id, mounted: false } => says(*id, "get off to fight on foot"),
        E::Prone { unit: id, prone: true } => says(*id, "lie down"),
        E::Prone { unit: id, prone: false } => says(*id, "get up"),
        E::Attached { general, unit: Some(id) } => {
            format!("{} joins {}", commander(field, *general), unit(field, *id))
        }
        E::Attached { general, unit: None } => format!("{} rides on his own", commander(field, *general)),
        E::AtRisk { general, disabled: Some(_) } => {
            format!("{} is hit and carried from the field{}", commander(field, *general), dice(event))
        }
        E::AtRisk { general, disabled: None } => {
            format!("the bullets spare {}{}", commander(field, *general), dice(event))
        }
        E::Successor { general, ability: Some(worth) } => {
            format!("{} officer takes over from {}", ability(*worth), commander(field, *general))
        }
        E::Successor { general, ability: None } => format!("another takes the place of {}", commander(field, *general)),
        E::Lost { side: who } => format!("{} count one unit more as lost", side(field, *who)),
        E::Cleared => "the bound is over".to_owned(),
        E::Fired { .. }
        | E::UnderFire { .. }
        | E::Ambush { .. }
        | E::Shot { .. }
        | E::Blast { .. }
        | E::Damage { .. }
        | E::BuildingHit { .. }
        | E::Flinch { .. }
        | E::Pinned { .. }
        | E::Retires { .. }
        | E::Broken { .. }
        | E::FallsBack { .. }
        | E::Beaten { .. }
        | E::Supports { .. }
        | E::Evades { .. }
        | E::Blow { .. }
        | E::Melee { .. }
        | E::Fought { .. }
        | E::Locked { .. }
        | E::Unlocked { .. }
        | E::BrokeIn { .. }
        | E::RodeThrough { .. }
        | E::Abandoned { .. }
        | E::Rally { .. }
        | E::Reformed { .. } => blows::tell(field, event, own),
    }
}

fn are(field: &Field, id: UnitId) -> &'static str {
    if is_plural(unit(field, id)) { "they are" } else { "it is" }
}

/// The die of a test in brackets.
fn dice(event: &Event<Guns>) -> String {
    thrown(event).map(|face| format!(" ({face})")).unwrap_or_default()
}

fn pips(dice: &[u8]) -> String {
    let faces: Vec<String> = dice.iter().map(u8::to_string).collect();
    match faces.as_slice() {
        [] => "no dice".to_owned(),
        faces => list(&faces.iter().map(String::as_str).collect::<Vec<&str>>()),
    }
}

fn ordered(
    field: &Field,
    brigade: CommandId,
    order: BrigadeOrder,
    issuer: Option<CommanderId>,
    cause: Option<Matter>,
) -> String {
    let (name, what) = (command(field, brigade), order_words(field, order));
    let seen = cause.map(|seen| format!(", having seen {}", matter(field, seen))).unwrap_or_default();
    match issuer {
        Some(general) => format!("{} orders {name} to {what}{seen}", commander(field, general)),
        None => format!("{name} is ordered to {what}{seen}"),
    }
}

fn allotted(name: &str, die: Option<u8>, activated: bool) -> String {
    match (die, activated) {
        (Some(die), true) => format!("{name} gets the {die} and is activated"),
        (Some(die), false) => format!("{name} gets the {die}, which does not stir it"),
        (None, true) => format!("{name} is activated"),
        (None, false) => format!("{name} gets no die and stays where it is"),
    }
}

fn registered(field: &Field, battery: UnitId, registration: Option<&Registration>) -> String {
    let name = unit(field, battery);
    match registration {
        None => does(name, "give up the target"),
        Some(one) if one.ranged && !one.marked => {
            format!("{} on {}", is(name, "ranged in"), unit(field, one.at))
        }
        Some(one) if one.ranged => format!("{} {} again", does(name, "mark"), unit(field, one.at)),
        Some(one) => format!("{} on {}", does(name, "begin to range in"), unit(field, one.at)),
    }
}

fn charge_sentence(field: &Field, id: UnitId, charge: &Charge, verb: &str) -> String {
    let led = charge.led_by.map(|general| format!(", led by {}", commander(field, general))).unwrap_or_default();
    format!("{} {}{led}", does(unit(field, id), verb), unit(field, charge.at))
}

fn staged(field: &Field, id: UnitId, stage: ChargeStage, left: table::Length) -> String {
    let name = unit(field, id);
    match stage {
        ChargeStage::Moving => format!("{} with {} to go", does(name, "come on"), far(field, left)),
        ChargeStage::Tested => format!("{}, {} in hand", does(name, "reach the point of decision"), far(field, left)),
        ChargeStage::Passed => does(name, "go in"),
        ChargeStage::Failed => does(name, "hang back"),
        ChargeStage::Short => does(name, "find the enemy out of reach"),
        ChargeStage::Home => does(name, "charge home"),
    }
}

fn halted(field: &Field, id: UnitId, why: Halt, by: Option<UnitId>) -> String {
    let name = unit(field, id);
    let whom = by.map_or("the enemy", |by| unit(field, by));
    let friend = by.map_or("friends", |by| unit(field, by));
    match why {
        Halt::FlinchPoint => format!("{} before {whom}", does(name, "steady the ranks")),
        Halt::EnemyNear => format!("{}, {whom} being too near", does(name, "halt")),
        Halt::MutualCharge => format!("{} head on", does(name, &format!("meet {whom}"))),
        Halt::FriendInTheWay => format!("{}, for {friend} stand in the way", does(name, "halt"))
            .replace("stand in", if by.is_none_or(|by| is_plural(unit(field, by))) { "stand in" } else { "stands in" }),
        Halt::Alarm => format!("{} as {whom} comes near", is(name, "alarmed")),
        Halt::TableEdge => does(name, "halt at the edge of the field"),
        Halt::OutOfReach => format!("{}, {whom} being out of reach", does(name, "pull up")),
    }
}

fn disordered(name: &str, kind: DisorderKind, on: bool) -> String {
    match (kind, on) {
        (DisorderKind::Combat, true) => does(name, "fall into disorder"),
        (DisorderKind::Combat, false) => is(name, "in order again"),
        (DisorderKind::Terrain, true) => does(name, "lose formation in the broken ground"),
        (DisorderKind::Terrain, false) => is(name, "clear of the broken ground and in order"),
        (DisorderKind::Water, true) => does(name, "lose formation in the water"),
        (DisorderKind::Water, false) => does(name, "shake off the water"),
    }
}

fn observed(field: &Field, battery: UnitId, observer: Option<Observer>) -> String {
    let name = unit(field, battery);
    match observer {
        Some(Observer::At(at)) => format!("the observer of {name} takes post at {}", place(field, at)),
        Some(Observer::Lost { until }) => {
            format!("the observer of {name} is overrun; another may come up in bound {until}")
        }
        None => format!("{} without an observer", is(name, "left")),
    }
}
