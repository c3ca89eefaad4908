//! The chronicle: every event in one sentence. The view may be long after the event, so a sentence takes names from the
//! roster and everything else from the event itself.

mod blows;
mod course;
#[cfg(test)]
mod tests;

use super::speech::{drawn_up, formed};
use crate::Days;
use crate::clause::Clause;
use crate::event::DaysEvent;
use crate::field::Field;
use crate::formation::Shape;
use book::telling::voice::{
    bearing, commander, does, inches, is, is_plural, legs as legs_in, list, number, sentence, side, unit,
};
pub use course::task as working;
use engine::{Deed, Event, Leaving, UnitId};
use table::Leg;

/// An event in a sentence.
pub fn tell(field: &Field, event: &Event<Days>) -> String {
    let text = match &event.deed {
        Deed::Own(own) => tell_own(field, event, own),
        deed => tell_common(field, event, deed),
    };
    sentence(&text)
}

fn tell_own(field: &Field, event: &Event<Days>, own: &DaysEvent) -> String {
    course::tell(field, event, own).unwrap_or_else(|| blows::tell(field, event, own))
}

fn obeys(event: &Event<Days>, clauses: &[Clause]) -> bool {
    clauses.iter().any(|clause| event.clause.0 == clause.id())
}

/// The faces of the first throw, where there was one.
fn thrown(event: &Event<Days>) -> Option<i32> {
    event.rolls.first().map(engine::Roll::total)
}

/// The die in brackets.
fn dice(event: &Event<Days>) -> String {
    thrown(event).map(|face| format!(" ({face})")).unwrap_or_default()
}

fn names<'f>(field: &'f Field, units: &[UnitId]) -> Vec<&'f str> {
    units.iter().map(|id| unit(field, *id)).collect()
}

/// "its" or "their", as the name asks for.
fn its(name: &str) -> &'static str {
    if is_plural(name) { "their" } else { "its" }
}

fn way(path: &[Leg]) -> String {
    if path.is_empty() { String::new() } else { format!(": {}", legs_in(path)) }
}

fn tell_common(field: &Field, event: &Event<Days>, deed: &Deed<Days>) -> String {
    match deed {
        Deed::Placed { unit: id, hidden: true, .. } => does(unit(field, *id), "lie in wait, unseen"),
        Deed::Placed { unit: id, formation, .. } => {
            does(unit(field, *id), &format!("take post {}", drawn_up(*formation)))
        }
        Deed::Moved { unit: id, path, to } => moved(unit(field, *id), event, path, to.facing),
        Deed::Reformed { unit: id, formation, to } => {
            let name = unit(field, *id);
            match formation.shape {
                Shape::Limbered => does(name, "limber up"),
                Shape::Deployed | Shape::Massed => {
                    format!("{}, laying {}", does(name, &formed(*formation)), bearing(to.facing))
                }
                Shape::Square => does(name, "form square"),
                _ => format!("{}, facing {}", does(name, &formed(*formation)), bearing(to.facing)),
            }
        }
        Deed::StandsLost { unit: id, left } => strength(field, *id, left.count()),
        Deed::Removed { unit: id, why } => removed(unit(field, *id), event, *why),
        Deed::Withdrawn { unit: id } => does(unit(field, *id), "leave the table for a while"),
        Deed::Revealed { unit: id } => does(unit(field, *id), "come to light"),
        Deed::CommanderMoved { commander: who, .. } => rode(commander(field, *who), event),
        Deed::CommanderConcealed { commander: who, .. } => format!("{} keeps out of sight", commander(field, *who)),
        Deed::CommanderLost { commander: who } => format!("{} is lost to the army", commander(field, *who)),
        Deed::TurnBegan { turn } => format!("turn {turn} begins"),
        Deed::Committed { side: who } => format!("{} have sealed their answer", side(field, *who)),
        Deed::DisputeDie { side: who } => {
            let die = event.rolls.first().map(|roll| format!(": {}", roll.single())).unwrap_or_default();
            format!("{} throw a die to settle a dispute{die}", side(field, *who))
        }
        Deed::Noted => noted(field, event),
        Deed::Own(own) => tell_own(field, event, own),
    }
}

/// How many stands a body has from now on: fewer by losses, more or fewer where a part goes out or comes in.
fn strength(field: &Field, id: UnitId, left: u32) -> String {
    let name = unit(field, id);
    let thing = if crate::field::is_battery(field, id) { "gun" } else { "stand" };
    match left {
        0 => format!("{} without a {thing}", is(name, "left")),
        1 => format!("{} one {thing}", does(name, "number")),
        left => format!("{} {} {thing}s", does(name, "number"), number(left as usize)),
    }
}

fn rode(name: &str, event: &Event<Days>) -> String {
    match () {
        _ if obeys(event, &[Clause::WhoCanEvade, Clause::HowToEvade, Clause::WhereToEvade]) => {
            format!("{name} gallops out of the way{}", dice(event))
        }
        _ if obeys(event, &[Clause::WhereToSetUp, Clause::SetUpAndBegin, Clause::SettingUpByMap]) => {
            format!("{name} takes post")
        }
        _ if obeys(event, &[Clause::ComingToLight]) => format!("{name} comes into view"),
        _ if obeys(event, &[Clause::WhatAttachedMeans, Clause::CarriedAlongInRout, Clause::JoiningAUnit]) => {
            format!("{name} goes along with his men")
        }
        _ if obeys(event, &[Clause::TheHeadOfTheColumn, Clause::TheBrigadeMarchesOn, Clause::DustOnTheHorizon]) => {
            format!("{name} rides onto the field")
        }
        _ => format!("{name} rides to a new place"),
    }
}

fn moved(name: &str, event: &Event<Days>, path: &[Leg], facing: table::Angle) -> String {
    let is_for = |clauses: &[Clause]| obeys(event, clauses);
    match () {
        _ if is_for(&[Clause::The1stImpulse, Clause::OffAtOnce]) => {
            format!("{} in the 1st Impulse{}", does(name, "surge forward"), way(path))
        }
        _ if is_for(&[Clause::The2ndImpulse, Clause::DeadStraightToTheEnd, Clause::Sheet2ndImpulse]) => {
            format!("{} in the 2nd Impulse{}", does(name, "come on"), way(path))
        }
        _ if is_for(&[Clause::OpportunityCharges, Clause::HalfAMoveStraightOn, Clause::AfterFiringTwoInches]) => {
            format!("{} to charge{}", does(name, "seize the moment"), way(path))
        }
        _ if is_for(&[Clause::ChargingHome, Clause::TheLastTestOfACharge, Clause::RunawaysWhoAreReached]) => {
            format!("{}{}", does(name, "go in with the bayonet or the sabre"), way(path))
        }
        _ if is_for(&[Clause::StoppedTwoInchesShort, Clause::AfterAFeint, Clause::CallingAFeint]) => {
            format!("{}{}", does(name, "stop short of the enemy"), way(path))
        }
        _ if is_for(&[
            Clause::WhyTroopsRout,
            Clause::RunningFromTheCause,
            Clause::FirstFlightIsHalf,
            Clause::FlightCostsNothingExtra,
            Clause::GunsInRout,
            Clause::RunningOn,
            Clause::OneRoutDistanceATurn,
            Clause::BurstingThroughFriends,
            Clause::RoundTheColumns,
            Clause::RoutersRunIntoEnemies,
        ]) =>
        {
            does(name, "stream to the rear")
        }
        _ if is_for(&[
            Clause::WhoCanEvade,
            Clause::HowToEvade,
            Clause::WhereToEvade,
            Clause::EvadingAsYouAre,
            Clause::SkirmishersGiveWay,
            Clause::WhichWayAScreenRuns,
            Clause::RunningToBrokenGround,
        ]) =>
        {
            does(name, "slip out of the way")
        }
        _ if is_for(&[Clause::MovesAfterTheFight, Clause::ResultMovesIgnoreGround, Clause::SqueezingThroughGaps]) => {
            format!("{} by the fight", is(name, "carried along"))
        }
        _ if is_for(&[Clause::NobodyLeftToChase, Clause::BreakingThrough, Clause::LineOfTheAdvance]) => {
            format!("{} after the victory{}", does(name, "press on"), way(path))
        }
        _ if is_for(&[Clause::CommandStandGoesLast]) => format!("{} {} ranks", does(name, "close"), its(name)),
        _ if is_for(&[Clause::WhatAttachedMeans, Clause::CarriedAlongInRout]) => does(name, "go along with the troops"),
        _ if is_for(&[Clause::JoiningAUnit]) => does(name, "come up to join the troops"),
        _ if is_for(&[Clause::ForcedMarching, Clause::TheWholeBrigadeMarches, Clause::TheMarchColumn]) => {
            format!("{}{}", does(name, "march hard"), way(path))
        }
        _ if is_for(&[Clause::LeavingTheFlames]) => does(name, "get away from the flames"),
        _ if path.is_empty() => format!("{}, facing {}", does(name, "move"), bearing(facing)),
        _ => format!("{}{}", does(name, "march"), way(path)),
    }
}

fn removed(name: &str, event: &Event<Days>, why: Leaving) -> String {
    match why {
        Leaving::Destroyed if obeys(event, &[Clause::ShatteredInfantry, Clause::ShatteredCavalry]) => {
            is(name, "shattered and gone from the field")
        }
        Leaving::Destroyed if obeys(event, &[Clause::LeavingTheFlames]) => does(name, "perish in the flames"),
        Leaving::Destroyed if obeys(event, &[Clause::IntoTheRiver, Clause::DrivenIntoTheRiver]) => {
            does(name, "perish in the river")
        }
        Leaving::Destroyed => is(name, "cut to pieces"),
        Leaving::Caught if obeys(event, &[Clause::GivingUnitsUp]) => does(name, "lay down arms"),
        Leaving::Caught => is(name, "overrun and taken"),
        Leaving::LeftTable => does(name, "leave the field for good"),
        Leaving::Abandoned => format!("{name}: the guns are left standing"),
        Leaving::Withdrawn => does(name, "march off the field"),
        Leaving::Spent => does(name, "fall in with the rest again"),
    }
}

/// What is worth telling though nothing on the table changed.
fn noted(field: &Field, event: &Event<Days>) -> String {
    let plain = match () {
        _ if obeys(event, &[Clause::ThroughHeavyWoods]) => "the wood is too thick; the march ends at its edge",
        _ if obeys(event, &[Clause::LiningAnObstacle]) => "the obstacle is lined",
        _ if obeys(event, &[Clause::WearyFromMarching]) => "the hard march leaves the men weary",
        _ if obeys(event, &[Clause::WhereTheHorsesWait]) => "the horse holders wait behind",
        _ if obeys(event, &[Clause::StandingCountsAsHalted]) => "whoever has not moved stands halted",
        _ if obeys(event, &[Clause::FireLaidByHand]) => "straw and brushwood catch",
        _ if obeys(event, &[Clause::NoBounceOnSlopes]) => "on the slope the ball does not bounce on",
        _ if obeys(event, &[Clause::WhatStopsTheBall]) => "the ball is stopped",
        _ if obeys(event, &[Clause::NoDustNoTroops]) => "without dust on the horizon nobody comes on",
        _ if obeys(event, &[Clause::WhoCanEvade]) => "the general does not get away in time",
        _ if event.rolls.is_empty() => "so noted",
        _ => {
            let each = event.rolls.iter().map(|roll| format!("{} {}", side(field, roll.by), roll.total()));
            return format!("the dice are thrown: {}", each.collect::<Vec<_>>().join(", "));
        }
    };
    format!("{plain}{}", dice(event))
}

/// A distance as people say it.
fn far(length: table::Length) -> String {
    inches(length)
}

/// "A, B and C".
fn all(field: &Field, units: &[UnitId]) -> String {
    list(&names(field, units))
}
