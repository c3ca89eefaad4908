//! The chronicle: every event in one sentence. The view may be long after the event, so a sentence takes names from the
//! roster and everything else from the event itself.

use super::phrase::{drawn_up, formed};
use crate::Fpw;
use crate::clause::Clause;
use crate::event::{Blunder, FpwEvent, Manner, MarkCause, Part, Throw};
use crate::field::Field;
use crate::order::{Occasion, Shot, What};
use crate::unit::{Absence, Aspect, Formation, Nation};
use book::telling::voice::{
    bearing, command, commander, count, does, inches, is, is_plural, legs, list, number, sentence, side, turn_of, unit,
};
use engine::{CommanderId, Deed, Event, Leaving, Side, UnitId};

/// An event in a sentence.
pub fn tell(field: &Field, event: &Event<Fpw>) -> String {
    let text = match &event.deed {
        Deed::Own(own) => tell_own(field, event, own),
        deed => tell_common(field, event, deed),
    };
    sentence(&text)
}

fn obeys(event: &Event<Fpw>, clauses: &[Clause]) -> bool {
    clauses.iter().any(|clause| event.clause.0 == clause.id())
}

fn tell_common(field: &Field, event: &Event<Fpw>, deed: &Deed<Fpw>) -> String {
    match deed {
        Deed::Placed { unit: id, hidden: true, .. } => does(unit(field, *id), "lie in wait, unseen"),
        Deed::Placed { unit: id, formation, .. } => {
            does(unit(field, *id), &format!("take post {}", drawn_up(*formation)))
        }
        Deed::Moved { unit: id, path, to } => moved(unit(field, *id), event, path, to.facing),
        Deed::Reformed { unit: id, formation, to } => {
            let name = unit(field, *id);
            match formation {
                Formation::Limbered => does(name, "limber up"),
                Formation::Deployed => format!("{}, laying {}", does(name, "unlimber"), bearing(to.facing)),
                other => format!("{}, facing {}", does(name, &formed(*other)), bearing(to.facing)),
            }
        }
        Deed::StandsLost { unit: id, left } => {
            let left = left.count() as usize;
            format!("{}, {} left", does(unit(field, *id), "lose stands"), number(left))
        }
        Deed::Removed { unit: id, why } => removed(unit(field, *id), event, *why),
        Deed::Withdrawn { unit: id } => does(unit(field, *id), "leave the table for a while"),
        Deed::Revealed { unit: id } => is(unit(field, *id), "discovered"),
        Deed::CommanderMoved { commander: who, .. } | Deed::CommanderConcealed { commander: who, .. } => {
            let name = commander(field, *who);
            match () {
                _ if obeys(event, &[Clause::GeneralsThird]) => format!("{name} rides to a new place"),
                _ if obeys(event, &[Clause::GeneralReturns]) => format!("{name} takes over the command"),
                _ if obeys(event, &[Clause::GeneralRemoved, Clause::GeneralAtRisk]) => {
                    format!("{name} spurs clear of the enemy")
                }
                _ => format!("{name} takes post"),
            }
        }
        Deed::CommanderLost { commander: who } => format!("{} is lost to the army", commander(field, *who)),
        Deed::TurnBegan { turn } => format!("turn {turn} begins"),
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

fn moved(name: &str, event: &Event<Fpw>, path: &[table::Leg], facing: table::Angle) -> String {
    let way = if path.is_empty() { String::new() } else { format!(": {}", legs(path)) };
    let is_for = |clauses: &[Clause]| obeys(event, clauses);
    match () {
        _ if is_for(&[Clause::Withdraws, Clause::InfantryWithdraw]) => does(name, "fall back out of reach"),
        _ if is_for(&[Clause::GoesOnWithdrawing]) => does(name, "drift further to the rear"),
        _ if is_for(&[Clause::MayFallBack, Clause::HalfRemoved, Clause::KeepsAnInch, Clause::KeepsInside]) => {
            is(name, "pulled back out of the worst of the fire")
        }
        _ if is_for(&[Clause::FailsToClose]) => does(name, "recoil before the enemy is reached"),
        _ if is_for(&[Clause::TestToClose, Clause::AdvanceDeclared]) => does(name, "close with the enemy"),
        _ if is_for(&[Clause::CounterCharge]) => does(name, "spur forward to meet the charge"),
        _ if is_for(&[Clause::EvadeEscapes, Clause::EvadeCaught]) => does(name, "wheel about and gallop off"),
        _ if is_for(&[Clause::MayFollowUp, Clause::NewEnemy, Clause::StillInContact]) => {
            does(name, "press on after them")
        }
        _ if is_for(&[Clause::InitiativeRetire]) => format!("{}{way}", does(name, "go about and trot away")),
        _ if is_for(&[Clause::ScoutsMoveFreely]) => format!("{}{way}", does(name, "scout ahead")),
        _ if is_for(&[Clause::FrenchBetrayed, Clause::GermanFog]) => does(name, "march the wrong way"),
        _ if path.is_empty() => format!("{}, facing {}", does(name, "move"), bearing(facing)),
        _ => format!("{}{way}", does(name, "march")),
    }
}

fn removed(name: &str, event: &Event<Fpw>, why: Leaving) -> String {
    match why {
        Leaving::Destroyed if obeys(event, &[Clause::CavalryRemoved]) => is(name, "shot to pieces and ride no more"),
        Leaving::Destroyed if obeys(event, &[Clause::Routs]) => does(name, "break and stream to the rear"),
        Leaving::Destroyed => is(name, "spent, and fight no more").replace("spent, and fight", spent_verb(name)),
        Leaving::Caught if obeys(event, &[Clause::ArtilleryOverrun]) => is(name, "overrun among the guns"),
        Leaving::Caught => is(name, "ridden down"),
        Leaving::LeftTable => does(name, "leave the field"),
        Leaving::Abandoned => format!("the gunners abandon {name}"),
        Leaving::Withdrawn => does(name, "march off the field"),
        Leaving::Spent => does(name, "slip away, the patrol done"),
    }
}

fn spent_verb(name: &str) -> &'static str {
    if is_plural(name) { "spent, and fight" } else { "spent, and fights" }
}

fn tell_own(field: &Field, event: &Event<Fpw>, own: &FpwEvent) -> String {
    let says = |id: UnitId, verb: &str| does(unit(field, id), verb);
    match own {
        FpwEvent::Began { side: who } => format!("{} have the first turn", side(field, *who)),
        FpwEvent::Part { side: who, part } => part_sentence(field, *who, *part),
        FpwEvent::Fresh { side: who } => format!("{} look to a new turn", side(field, *who)),
        FpwEvent::ScoutsDeclared { regiment } => says(*regiment, "ride out in patrols"),
        FpwEvent::Named { general } => format!("{} gives orders", commander(field, *general)),
        FpwEvent::Done { general } => format!("{} gives no more orders", commander(field, *general)),
        FpwEvent::Ordered { general, what, units, score } => ordered(field, *general, *what, units, *score),
        FpwEvent::Obeyed { unit: id, target, obeys: true, .. } => {
            format!("{} (needed {target} or less)", says(*id, "obey"))
        }
        FpwEvent::Obeyed { unit: id, target, obeys: false, .. } => {
            format!("the order never reaches {} (needed {target} or less)", unit(field, *id))
        }
        FpwEvent::Raised { general, who, target, passed } => raised(field, event, *general, *who, *target, *passed),
        FpwEvent::Blundered { general, face, result } => blundered(field, *general, *face, *result),
        FpwEvent::Penalty { unit: id } => format!("{} long over this blunder: orders come harder", says(*id, "brood")),
        FpwEvent::MoveUsed { unit: id, halted: true } => format!("{} no further this turn", says(*id, "go")),
        FpwEvent::MoveUsed { unit: id, halted: false } => says(*id, "complete the move"),
        FpwEvent::InitiativeUsed { unit: id } => says(*id, "act without waiting for orders"),
        FpwEvent::DeployedLate { unit: id } => {
            format!("{}, but too late to fire under orders this turn", is(unit(field, *id), "in action"))
        }
        FpwEvent::Advanced { unit: id, advance: Some(_) } => says(*id, "come under the enemy’s eyes"),
        FpwEvent::Advanced { unit: id, advance: None } => says(*id, "reorder the ranks"),
        FpwEvent::Halted { unit: id } => says(*id, "halt with the enemy in sight"),
        FpwEvent::Joined { stand, host } => format!("{} {}", says(*stand, "join"), unit(field, *host)),
        FpwEvent::Parted { stand, host } => format!("{} {}", says(*stand, "part from"), unit(field, *host)),
        FpwEvent::Freed { unit: id } => says(*id, "ride free, scouting at will"),
        FpwEvent::Fired { shots, .. } => fired(field, shots),
        FpwEvent::Volley { at, manner, range, throws, hits } => volley(field, *at, *manner, *range, throws, *hits),
        FpwEvent::Overshoot { at, throws, hits } => {
            let dice = count(throws.len(), "shot");
            format!("{dice} fly over into {}: {}", unit(field, *at), count(*hits, "hit")).replacen(
                "shot fly",
                "shot flies",
                1,
            )
        }
        FpwEvent::Spread { at, hits } => {
            format!("fire meant for its neighbour finds {}: {}", unit(field, *at), count(*hits, "hit"))
        }
        FpwEvent::Marks { unit: id, cause, disruption, degradation, .. } => {
            marks(unit(field, *id), *cause, *disruption, *degradation)
        }
        FpwEvent::AtRisk { general, lost: true } => format!("{} is hit", commander(field, *general)),
        FpwEvent::AtRisk { general, lost: false } => {
            format!("bullets pass {} by", commander(field, *general))
        }
        FpwEvent::Absence { general, absence } => absent(commander(field, *general), *absence),
        FpwEvent::Withdraws { unit: id, distance, routs: true } => {
            format!("{} back {}: a rout", says(*id, "tumble"), inches(*distance))
        }
        FpwEvent::Withdraws { unit: id, distance, routs: false } => {
            format!("{} {}", says(*id, "give way by"), inches(*distance))
        }
        FpwEvent::KeepsWithdrawing { unit: id } => {
            format!("{} and will take no orders this turn", says(*id, "keep falling back"))
        }
        FpwEvent::Settled { unit: id } => {
            says(*id, "settle where the fire left them").replace("them", them(unit(field, *id)))
        }
        FpwEvent::ChargeDeclared { unit: id, at } => {
            format!("{} to contact with {}", says(*id, "advance"), unit(field, *at))
        }
        FpwEvent::CounterCharges { unit: id, charger } => {
            format!("{} {}", says(*id, "counter-charge"), unit(field, *charger))
        }
        FpwEvent::Evades { unit: id, charger, distance, escapes } => {
            let end = if *escapes { "and get away" } else { "but are caught" };
            let end = if is_plural(unit(field, *id)) {
                end.to_owned()
            } else {
                end.replace("get", "gets").replace("are", "is")
            };
            format!("{} {} by {}, {end}", says(*id, "evade"), unit(field, *charger), inches(*distance))
        }
        FpwEvent::Surprised { unit: id, charger } => {
            format!("{} by {} and cannot fire", is(unit(field, *id), "surprised"), unit(field, *charger))
        }
        FpwEvent::Tested { unit: id, markers, closes } => tested(unit(field, *id), event, *markers, *closes),
        FpwEvent::Contact { unit: id, with, other_aspect, impetus, .. } => {
            let verb = if impetus.is_some() { "charge home into" } else { "come to blows with" };
            let place = match other_aspect {
                Aspect::Front => "the front",
                Aspect::Flank => "the flank",
                Aspect::Rear => "the rear",
            };
            format!("{} {place} of {}", says(*id, verb), unit(field, *with))
        }
        FpwEvent::FailedEvade { unit: id } => format!("{} with backs turned", is(unit(field, *id), "caught")),
        FpwEvent::CombatDice { unit: id, throws, hits } => {
            format!("{} with {}: {}", says(*id, "fight"), dice(throws), count(*hits, "hit"))
        }
        FpwEvent::RoundFought { unit: id, given, taken } => {
            let score = |hits: u8| if hits == 0 { "none".to_owned() } else { number(usize::from(hits)) };
            format!(
                "{} {} and {} {} in the round",
                says(*id, "give"),
                score(*given),
                take(unit(field, *id)),
                score(*taken)
            )
        }
        FpwEvent::HoldsGround { unit: id } => says(*id, "hold the ground"),
        FpwEvent::FollowsUp { unit: id } => says(*id, "follow up"),
        FpwEvent::Disengaged { unit: id } => is(unit(field, *id), "no longer engaged"),
        FpwEvent::Attached { general, unit: Some(id) } => {
            format!("{} places himself at the head of {}", commander(field, *general), unit(field, *id))
        }
        FpwEvent::Attached { general, unit: None } => format!("{} rides on his own", commander(field, *general)),
        FpwEvent::Rode { general } => format!("{} has ridden this turn", commander(field, *general)),
        FpwEvent::Losses { a, b } => {
            let name = |who: Side| side(field, who);
            format!("losses stand at {a} per cent of {} and {b} per cent of {}", name(Side::A), name(Side::B))
        }
    }
}

fn them(name: &str) -> &'static str {
    if is_plural(name) { "them" } else { "it" }
}

fn take(name: &str) -> &'static str {
    if is_plural(name) { "take" } else { "takes" }
}

fn part_sentence(field: &Field, who: Side, part: Part) -> String {
    let turn = turn_of(field, who);
    match part {
        Part::Upkeep => format!("{turn} begins"),
        Part::Initiative => format!("{turn}: initiative"),
        Part::Command => format!("{turn}: command"),
        Part::Generals => format!("{turn}: generals"),
        Part::Combat => format!("{turn}: close combat"),
        Part::Recovery => format!("{turn}: recovery"),
        Part::End => format!("{turn} ends"),
    }
}

/// What is ordered, after "orders … to".
pub fn what_words(field: &Field, what: What) -> String {
    match what {
        What::Move => "move".to_owned(),
        What::ByRoad => "march by the road".to_owned(),
        What::Reform => "reform".to_owned(),
        What::Charge => "advance to contact".to_owned(),
        What::Fire => "fire".to_owned(),
        What::Attach(host) => format!("join {}", unit(field, host)),
        What::Detach => "part from its unit".to_owned(),
        What::Scout => "scout".to_owned(),
    }
}

/// Units by name, or as a brigade where they are all of one.
pub fn company(field: &Field, units: &[UnitId]) -> String {
    let names: Vec<&str> = units.iter().map(|id| unit(field, *id)).collect();
    let brigade = units.first().and_then(|first| field.card(*first).command);
    let one = brigade.filter(|id| units.len() > 1 && units.iter().all(|unit| field.card(*unit).command == Some(*id)));
    match one {
        Some(id) if units.len() > 2 => format!("{} of {}", count(units.len(), "unit"), command(field, id)),
        _ => list(&names),
    }
}

fn ordered(field: &Field, general: CommanderId, what: What, units: &[UnitId], score: u8) -> String {
    format!("{} orders {} to {}: {score}", commander(field, general), company(field, units), what_words(field, what))
}

fn raised(
    field: &Field,
    event: &Event<Fpw>,
    general: CommanderId,
    who: CommanderId,
    target: i8,
    passed: bool,
) -> String {
    let (general, who) = (commander(field, general), commander(field, who));
    let score = event.rolls.first().map(|roll| format!("{} against ", roll.total())).unwrap_or_default();
    match passed {
        true => format!("{general} puts heart into {who} ({score}{target} or less)"),
        false => format!("{general} sends {who} words that do not help ({score}{target} or less)"),
    }
}

fn blundered(field: &Field, general: CommanderId, face: u8, result: Blunder) -> String {
    let officer = field.muster().commanders.get(general.index());
    let german = officer.is_some_and(|card| card.facts.nation == Nation::German);
    let what = match (result, german) {
        (Blunder::NoMove, _) => "the order makes no sense to anybody and nobody stirs",
        (Blunder::Away, false) => "cries of treason send the troops away from the enemy",
        (Blunder::Away, true) => "in the fog the troops march away from the enemy",
        (Blunder::HalfPace, _) => "the troops shuffle forward at half pace",
        (Blunder::ToTheGuns, _) => "the troops march to the sound of the guns",
        (Blunder::Attack, _) => "the troops throw themselves at the nearest enemy",
    };
    format!("{} blunders (a {face}): {what}", commander(field, general))
}

fn fired(field: &Field, shots: &[Shot]) -> String {
    let mut units: Vec<UnitId> = shots.iter().map(|shot| shot.unit).collect();
    units.sort();
    units.dedup();
    let names: Vec<&str> = units.iter().map(|id| unit(field, *id)).collect();
    match names.as_slice() {
        [one] => format!("{} with {}", does(one, "open fire"), count(shots.len(), "stand")),
        several => format!("{} open fire with {}", list(several), count(shots.len(), "stand")),
    }
}

fn dice(throws: &[Throw]) -> String {
    match throws.len() {
        1 => "one die".to_owned(),
        n => format!("{} dice", number(n)),
    }
}

fn volley(field: &Field, at: UnitId, manner: Manner, range: table::Length, throws: &[Throw], hits: u8) -> String {
    let how = match manner {
        Manner::Ordered => "fire under orders",
        Manner::Reactive(Occasion::Moved) => "reactive fire",
        Manner::Reactive(Occasion::Leaving) => "fire at its back",
        Manner::Reactive(Occasion::Charging) => "supporting fire against the advance",
        Manner::Standing => "standing fire",
        Manner::Approach => "fire against the advance",
    };
    let mut units: Vec<UnitId> = throws.iter().map(|throw| throw.by).collect();
    units.sort();
    units.dedup();
    let names: Vec<&str> = units.iter().map(|id| unit(field, *id)).collect();
    let by = if names.is_empty() { String::new() } else { format!(" by {}", list(&names)) };
    format!("{how}{by} on {} at {}, {}: {}", unit(field, at), inches(range), dice(throws), count(hits, "hit"))
}

fn marks(name: &str, cause: MarkCause, disruption: i8, degradation: i8) -> String {
    let part = |by: i8, thing: &str| (by != 0).then(|| format!("{} {thing}", number(usize::from(by.unsigned_abs()))));
    let parts: Vec<String> =
        [part(disruption, "disruption"), part(degradation, "degradation")].into_iter().flatten().collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    if parts.is_empty() {
        return match cause {
            MarkCause::Recovery => format!("nothing is put right in {name}"),
            _ => does(name, "shake it off"),
        };
    }
    let sum = list(&parts);
    match cause {
        MarkCause::Fire => does(name, &format!("suffer {sum} from the fire")),
        MarkCause::Combat => does(name, &format!("suffer {sum} in the fight")),
        MarkCause::Confusion => does(name, &format!("suffer {sum} as friends pour through")),
        MarkCause::FollowUp => does(name, &format!("suffer {sum} in the rush forward")),
        MarkCause::FallBack => does(name, &format!("shed {sum} by going back")),
        MarkCause::Recovery => does(name, &format!("recover from {sum}")),
    }
}

fn absent(name: &str, absence: Absence) -> String {
    match absence {
        Absence::Present => format!("{name} is back in the saddle"),
        Absence::Lost => format!("{name} is carried from the field"),
        Absence::Due => format!("word goes out for another to take the place of {name}"),
    }
}

fn tested(name: &str, event: &Event<Fpw>, markers: u8, closes: bool) -> String {
    let verb = if closes { "press the advance home" } else { "fail to close" };
    let dice = match event.rolls.first() {
        Some(roll) => format!(" ({} against {markers})", roll.single()),
        None => " (no die needed)".to_owned(),
    };
    format!("{}{dice}", does(name, verb))
}
