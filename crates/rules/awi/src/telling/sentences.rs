//! The chronicle: every event in one sentence. The view may be long after the event, so a sentence takes names from the
//! roster and everything else from the event itself.

use super::phrase::order_word;
use super::voice::{
    bearing, command, commander, count, does, inches, is, is_plural, legs, list, number, piece, sentence, side,
    standing, turn_of, unit,
};
use crate::Awi;
use crate::clause::Clause;
use crate::event::{AwiEvent, Band, Cause, Courier, Part};
use crate::field::{Field, facts};
use crate::order::Piece;
use crate::unit::{Arm, Aspect, Attack, Condition, Formation, Task};
use engine::{Deed, Event, Leaving, Roll, Side, Step, UnitId};

/// An event in a sentence.
pub fn tell(field: &Field, event: &Event<Awi>) -> String {
    let text = match &event.deed {
        Deed::Own(own) => tell_own(field, event, own),
        deed => tell_common(field, event, deed),
    };
    sentence(&text)
}

fn obeys(event: &Event<Awi>, clause: Clause) -> bool {
    event.clause.0 == clause.id()
}

fn tell_common(field: &Field, event: &Event<Awi>, deed: &Deed<Awi>) -> String {
    match deed {
        Deed::Placed { unit: id, hidden: true, .. } => does(unit(field, *id), "go into hiding"),
        Deed::Placed { unit: id, formation, .. } => {
            does(unit(field, *id), &format!("take post {}", drawn_up(*formation)))
        }
        Deed::Moved { unit: id, path, to } => moved(unit(field, *id), event, path, to.facing),
        Deed::Reformed { unit: id, formation, .. } => {
            let name = unit(field, *id);
            match formation {
                Formation::Limbered => does(name, "limber up"),
                Formation::Unlimbered => does(name, "unlimber"),
                other => does(name, &format!("form {}", order_word(*other))),
            }
        }
        Deed::StandsLost { unit: id, left } => {
            format!("{}, {} left", does(unit(field, *id), "lose stands"), number(left.count() as usize))
        }
        Deed::Removed { unit: id, why } => removed(unit(field, *id), event, *why),
        Deed::Withdrawn { unit: id } => does(unit(field, *id), "leave the table for a while"),
        Deed::Revealed { unit: id } => is(unit(field, *id), "seen"),
        Deed::CommanderMoved { commander: who, .. } if obeys(event, Clause::BothLevels) => {
            format!("{} takes up a new position", commander(field, *who))
        }
        Deed::CommanderMoved { commander: who, .. } | Deed::CommanderConcealed { commander: who, .. } => {
            format!("{} takes post", commander(field, *who))
        }
        Deed::CommanderLost { commander: who } => format!("{} falls", commander(field, *who)),
        Deed::TurnBegan { turn } => format!("round {turn} begins"),
        Deed::Committed { side: who } => format!("{} have sealed their answer", side(field, *who)),
        Deed::DisputeDie { side: who } => {
            let die = event.rolls.first().map(|roll| format!(": {}", roll.single())).unwrap_or_default();
            format!("{} throw a die to settle a dispute{die}", side(field, *who))
        }
        Deed::Noted if event.rolls.is_empty() => "so noted".to_owned(),
        Deed::Noted => {
            let each = event.rolls.iter().map(|roll| format!("{} {}", side(field, roll.by), roll.total()));
            format!("both sides throw for the first turn: {}", each.collect::<Vec<_>>().join(", "))
        }
        Deed::Own(own) => tell_own(field, event, own),
    }
}

fn drawn_up(formation: Formation) -> &'static str {
    match formation {
        Formation::Line => "in line",
        Formation::Column => "in column",
        Formation::Skirmish => "in skirmish order",
        Formation::Limbered => "limbered",
        Formation::Unlimbered => "with the guns unlimbered",
    }
}

fn moved(name: &str, event: &Event<Awi>, path: &[table::Leg], facing: table::Angle) -> String {
    let breaking_off = event.also.iter().any(|clause| clause.0 == Clause::BreakOff.id());
    match () {
        _ if breaking_off => format!("{}: {}", does(name, "fall back out of the melee"), legs(path)),
        _ if obeys(event, Clause::PushBack) => format!("the press of the fight carries {name} along"),
        _ if obeys(event, Clause::RoutDirection) => does(name, "flee"),
        _ if obeys(event, Clause::PursuitDice) => does(name, "press on after the enemy"),
        _ if obeys(event, Clause::Caught) => does(name, "sweep over the fugitives"),
        _ if obeys(event, Clause::ChargeFallsShort) => does(name, "come to a stand, out of breath"),
        _ if obeys(event, Clause::StraightCharge) => does(name, "close with the enemy"),
        _ if obeys(event, Clause::FlankAttack) => does(name, "swing round to meet the attack"),
        _ if obeys(event, Clause::TestToRally) => format!("{}, facing {}", does(name, "form again"), bearing(facing)),
        _ if path.is_empty() => does(name, "move"),
        _ => format!("{}: {}", does(name, "move"), legs(path)),
    }
}

fn removed(name: &str, event: &Event<Awi>, why: Leaving) -> String {
    match why {
        Leaving::Destroyed => is(name, "spent, and fights no more"),
        Leaving::Caught => is(name, "caught and lost"),
        Leaving::LeftTable if obeys(event, Clause::PursuedOffTable) => does(name, "follow the chase off the field"),
        Leaving::LeftTable => does(name, "run off the field"),
        Leaving::Abandoned => format!("the gunners abandon {name}"),
        Leaving::Withdrawn => does(name, "march off the field"),
        Leaving::Spent => does(name, "slip away"),
    }
}

fn tell_own(field: &Field, event: &Event<Awi>, own: &AwiEvent) -> String {
    let says = |id: UnitId, verb: &str| does(unit(field, id), verb);
    match own {
        AwiEvent::Began { side: who } => format!("{} have the first turn", side(field, *who)),
        AwiEvent::Part { side: who, part } => part_sentence(field, *who, *part),
        AwiEvent::Fresh { side: who } => format!("{} dress their ranks", side(field, *who)),
        AwiEvent::Tested { unit: id, cause, passed } => {
            format!("{}{}", tested(unit(field, *id), *cause, *passed), test_dice(event))
        }
        AwiEvent::Condition { unit: id, to, quarry } => match (to, quarry) {
            (Condition::Steady, _) => is(unit(field, *id), "steady again"),
            (Condition::Disordered, _) => is(unit(field, *id), "in disorder"),
            (Condition::Routing, _) => says(*id, "break"),
            (Condition::Pursuing, Some(quarry)) => format!("{} {}", says(*id, "chase after"), unit(field, *quarry)),
            (Condition::Pursuing, None) => says(*id, "pursue"),
        },
        AwiEvent::Task { unit: id, task } => task_sentence(field, *id, *task),
        AwiEvent::Allowance { unit: id, allowance } => {
            format!("{} may go up to {}", unit(field, *id), inches(*allowance))
        }
        AwiEvent::Loaded { unit: id } => is(unit(field, *id), "loaded"),
        AwiEvent::Measured { from, to, distance } => {
            format!("from {} to {}: {}", piece(field, *from), piece(field, *to), inches(*distance))
        }
        AwiEvent::ChargeDeclared { unit: id, at, .. } => {
            format!("{} to charge {}", is(unit(field, *id), "ordered"), unit(field, *at))
        }
        AwiEvent::ChargeDistance { unit: id, distance } => {
            format!("the charge of {} carries {}{}", unit(field, *id), inches(*distance), sum(event))
        }
        AwiEvent::FellShort { unit: id, at } => {
            format!("the charge of {} falls short of {}", unit(field, *id), unit(field, *at))
        }
        AwiEvent::Contact { unit: id, attack, counter, by_pursuit, .. } => {
            contact(field, *id, attack, *counter, *by_pursuit)
        }
        AwiEvent::Volley { by, at, band, grape, hits } => {
            let verb = if *grape { "fire grapeshot at" } else { "fire on" };
            let target = unit(field, *at);
            let result = count(*hits, "hit");
            format!("{} {target} at {} range{}: {result}", says(*by, verb), band_word(*band), needs(event))
        }
        AwiEvent::OutOfRange { by, at, .. } => {
            format!("{} {}, but the range is too long and the load is spent", says(*by, "fire on"), unit(field, *at))
        }
        AwiEvent::PickedOut { by, commander: who, picked: true } => {
            format!("{} {}", says(*by, "pick out"), commander(field, *who))
        }
        AwiEvent::PickedOut { by, commander: who, picked: false } => {
            format!("{} {} in the smoke and cannot find him", says(*by, "look for"), commander(field, *who))
        }
        AwiEvent::Attempt { commander: who, killed: true } => format!("{} is mortally hit", commander(field, *who)),
        AwiEvent::Attempt { commander: who, killed: false } => format!("{} comes away unhurt", commander(field, *who)),
        AwiEvent::SideDice { own, enemy } => {
            format!("in the press {} on friends and {} on the enemy", fall(*own), number(usize::from(*enemy)))
        }
        AwiEvent::Marks { unit: id, lost, left } => {
            let left = if *left == 0 { "none".to_owned() } else { number(usize::from(*left)) };
            format!("{}, {left} left", says(*id, &format!("lose {}", count(*lost, "mark"))))
        }
        AwiEvent::ShellFired { by, bearing: line, estimate } => {
            format!("{}, bearing {}, guessing {}", says(*by, "fire a shell"), bearing(*line), inches(*estimate))
        }
        AwiEvent::Dud { by } => format!("the shell of {} does not burst", unit(field, *by)),
        AwiEvent::Burst { by, touched, .. } => burst(field, *by, touched),
        AwiEvent::ShellHits { hits, .. } => format!("the burst makes {}{}", count(*hits, "hit"), needs(event)),
        AwiEvent::ShellShare { piece: target, hits } => {
            let name = piece(field, *target);
            let verb = format!("take {} of the burst", count(*hits, "hit"));
            if matches!(target, Piece::Unit(_)) {
                does(name, &verb)
            } else {
                format!("{name} {}", verb.replacen("take", "takes", 1))
            }
        }
        AwiEvent::Sniped { by, at, hit } => {
            let verb = if *hit { "hit" } else { "miss" };
            format!("{} {}", says(*by, verb), piece(field, *at))
        }
        AwiEvent::MeleeDice { unit: id, scores } => {
            let blows: Vec<String> = scores.iter().map(ToString::to_string).collect();
            match blows.as_slice() {
                [] => says(*id, "land no blow"),
                _ => format!("{}, scoring {}", says(*id, "fight hand to hand"), blows.join(", ")),
            }
        }
        AwiEvent::MeleeRound { side: who, won, lost } => melee_round(field, *who, *won, *lost),
        AwiEvent::Fought { unit: id } => says(*id, "draw breath"),
        AwiEvent::Faced { unit: id, enemy } => format!("{} {}", says(*id, "face"), unit(field, *enemy)),
        AwiEvent::RoutMove { unit: id, distance } => says(*id, &format!("run {}", inches(*distance))),
        AwiEvent::PursuitMove { unit: id, distance } => says(*id, &format!("pursue {}", inches(*distance))),
        AwiEvent::Disengaged { unit: id } => is(unit(field, *id), "no longer engaged"),
        AwiEvent::OrderInForce { to, order } => {
            format!("{} under orders: {}", is(command(field, *to), "now"), standing(field, *order))
        }
        AwiEvent::CourierSent { courier } => courier_sent(field, courier),
        AwiEvent::CourierRode { .. } => format!("{} rides on", rider(field, event.rolls.first())),
        AwiEvent::CourierLost { .. } => format!("{} is shot from the saddle", rider(field, event.rolls.first())),
        AwiEvent::CourierArrived { .. } => {
            format!("{} comes to the end of his ride", rider(field, event.rolls.first()))
        }
        AwiEvent::NationWithdrew { nation } => format!("{} have had enough and quit the field", nation.people()),
        AwiEvent::CommanderRode { commander: who } => format!("{} sets spurs to his horse", commander(field, *who)),
    }
}

fn part_sentence(field: &Field, who: Side, part: Part) -> String {
    let turn = turn_of(field, who);
    match part {
        Part::Rally => format!("{turn}: rally"),
        Part::Movement => format!("{turn}: movement"),
        Part::Firing => format!("{turn}: firing"),
        Part::Melee => format!("{turn}: melee"),
        Part::End => format!("{turn} ends"),
    }
}

fn tested(name: &str, cause: Cause, passed: bool) -> String {
    match (cause, passed) {
        (Cause::Charge, true) => does(name, "go forward with a cheer"),
        (Cause::Charge, false) => does(name, "hang back and will not charge"),
        (Cause::Receive, true) => does(name, "stand to receive the charge"),
        (Cause::Receive, false) => does(name, "waver before the charge"),
        (Cause::RoutNearby, true) => does(name, "stand firm though friends run"),
        (Cause::RoutNearby, false) => does(name, "catch the panic"),
        (Cause::CommanderKilled, true) => does(name, &format!("stand firm though {} commander is down", its(name))),
        (Cause::CommanderKilled, false) => does(name, &format!("lose heart with {} commander down", its(name))),
        (Cause::Stay, true) => does(name, "stay in the fight"),
        (Cause::Stay, false) => does(name, "have had enough of the fight"),
        (Cause::Rally, true) => does(name, "rally"),
        (Cause::Rally, false) => does(name, "run on"),
        (Cause::HaltPursuit, true) => does(name, "come back to hand"),
        (Cause::HaltPursuit, false) => format!("{name} cannot be held"),
        (Cause::Support, true) => does(name, "level muskets in support"),
        (Cause::Support, false) => does(name, "leave friends to face the charge alone"),
        (Cause::BreakOff, true) => does(name, "get clear"),
        (Cause::BreakOff, false) => does(name, "fail to get clear"),
    }
}

fn its(name: &str) -> &'static str {
    if is_plural(name) { "their" } else { "its" }
}

/// "(3 +1 against 4+)", from the reckoning.
fn test_dice(event: &Event<Awi>) -> String {
    let (Some(reckoning), Some(roll)) = (&event.reckoning, event.rolls.first()) else {
        return " (no die needed)".to_owned();
    };
    let need = look(event, "score needed").unwrap_or(0);
    match reckoning.whole() - roll.single() {
        0 => format!(" ({} against {need}+)", roll.single()),
        help => format!(" ({} {help:+} against {need}+)", roll.single()),
    }
}

fn look(event: &Event<Awi>, label: &str) -> Option<i32> {
    let lines = &event.reckoning.as_ref()?.lines;
    lines.iter().find(|line| line.step == Step::Look && line.label == label).map(|line| line.value.trunc())
}

/// ", needing 4+ with +1", from the reckoning.
fn needs(event: &Event<Awi>) -> String {
    let Some(need) = look(event, "score needed") else { return String::new() };
    match event.reckoning.as_ref().map_or(0, |reckoning| reckoning.whole()) {
        0 => format!(", needing {need}+"),
        modifier => format!(", needing {need}+ with {modifier:+}"),
    }
}

/// " (11 +1)": a die and what an officer adds to it.
fn sum(event: &Event<Awi>) -> String {
    let (Some(reckoning), Some(roll)) = (&event.reckoning, event.rolls.first()) else { return String::new() };
    match reckoning.whole() - roll.total() {
        0 => String::new(),
        extra => format!(" ({} {extra:+})", roll.total()),
    }
}

fn task_sentence(field: &Field, id: UnitId, task: Task) -> String {
    let (name, arm) = (unit(field, id), facts(field, id).arm);
    match task {
        Task::None => is(name, "free to act"),
        Task::Held => does(name, "stand fast"),
        Task::Moved => is(name, "on the march"),
        Task::MovedHalf => does(name, "move by half, to fire afterwards"),
        Task::FiredAndMoves => does(name, "make ready to fire before moving"),
        Task::Reformed => does(name, "change formation"),
        Task::ReformedToFire => does(name, "change formation, to stand and fire"),
        Task::Limbered => does(name, "bring up the limbers"),
        Task::Loaded => is(name, "busy loading"),
        Task::Charged if arm == Arm::Cavalry => does(name, "draw sabres"),
        Task::Charged => does(name, "lower bayonets"),
        Task::BrokeOff => does(name, "break off"),
        Task::BrokeOffHalf => does(name, "break off by half, to fire afterwards"),
        Task::Turned => does(name, "turn in the melee"),
        Task::Fired if arm == Arm::Artillery => does(name, "lay the guns"),
        Task::Fired => does(name, "present"),
        Task::Stuck => does(name, "do nothing more this turn"),
    }
}

fn contact(field: &Field, id: UnitId, attack: &Attack, counter: bool, by_pursuit: bool) -> String {
    let name = unit(field, id);
    let how = if by_pursuit { does(name, "run in pursuit into") } else { does(name, "charge home into") };
    let place = match attack.aspect {
        Aspect::Front => "the front",
        Aspect::Flank => "the flank",
        Aspect::Rear => "the rear",
    };
    let open = if counter { ", caught in disorder" } else { "" };
    format!("{how} {place} of {}{open}", unit(field, attack.on))
}

fn band_word(band: Band) -> &'static str {
    match band {
        Band::Short => "short",
        Band::Medium => "medium",
        Band::Long => "long",
    }
}

fn fall(hits: u8) -> String {
    format!("{} {}", count(hits, "hit"), if hits == 1 { "falls" } else { "fall" })
}

fn burst(field: &Field, by: UnitId, touched: &[Piece]) -> String {
    let names: Vec<&str> = touched.iter().map(|target| piece(field, *target)).collect();
    match names.as_slice() {
        [] => format!("the shell of {} bursts over empty ground", unit(field, by)),
        names => format!("the shell of {} bursts over {}", unit(field, by), list(names)),
    }
}

fn melee_round(field: &Field, who: Side, won: u8, lost: u8) -> String {
    let score =
        |a: u8, b: u8| format!("{} to {}", number(usize::from(a)), number(usize::from(b)).replace("no", "none"));
    match won.cmp(&lost) {
        std::cmp::Ordering::Greater => format!("{} have the better of it, {}", side(field, who), score(won, lost)),
        std::cmp::Ordering::Less => format!("{} have the better of it, {}", side(field, who.other()), score(lost, won)),
        std::cmp::Ordering::Equal => "neither side gives way".to_owned(),
    }
}

fn courier_sent(field: &Field, courier: &Courier) -> String {
    match (courier.to, courier.order) {
        (Some(to), Some(order)) => {
            format!("a courier takes an order to {}: {}", command(field, to), standing(field, order))
        }
        _ => format!("a courier of {} sets out", side(field, courier.side)),
    }
}

fn rider(field: &Field, roll: Option<&Roll>) -> String {
    match roll {
        Some(roll) => format!("a courier of {}", side(field, roll.by)),
        None => "the courier".to_owned(),
    }
}
