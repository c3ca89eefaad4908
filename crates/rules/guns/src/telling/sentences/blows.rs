//! Sentences about fire, tests of nerve, retreats and close combat.

use super::{are, dice, names, thrown};
use crate::Guns;
use crate::event::{Cause, FireKind, GunsEvent, Manner, MeleeResult, Retreat};
use crate::field::Field;
use crate::telling::speech::{far, tenths};
use book::telling::voice::{count, does, feature, is, is_plural, list, number, unit};
use engine::{Event, UnitId};
use table::Length;

/// An event of the second half of a bound.
pub fn tell(field: &Field, event: &Event<Guns>, own: &GunsEvent) -> String {
    use GunsEvent as E;
    let says = |id: UnitId, verb: &str| does(unit(field, id), verb);
    match own {
        E::Fired { unit: id } => format!("{} for this bound", says(*id, "have fired")),
        E::UnderFire { unit: id, kind } => {
            let by = match kind {
                FireKind::Shelled => "under shell fire",
                FireKind::Skirmished => "galled by skirmishers",
                FireKind::Volleyed => "under the volleys of formed foot",
            };
            is(unit(field, *id), by)
        }
        E::Ambush { unit: id, at } => format!("{} on {}", says(*id, "spring an ambush"), unit(field, *at)),
        E::Shot { by, at, manner, counted, tenths: value, damage } => {
            shot(field, *by, *at, *manner, *counted, *value, *damage)
        }
        E::Blast { battery, blocks, ranging, .. } => {
            let what = if *ranging { "ranging shells" } else { "shells" };
            format!("{what} of {} fall over {}", unit(field, *battery), count(blocks.len(), "block"))
        }
        E::Damage { unit: id, points, cause } => {
            let by = match cause {
                Cause::Shells => "to the guns",
                Cause::Musketry => "to musketry",
                Cause::Breaking => "to fire at their backs",
                Cause::Melee => "hand to hand",
            };
            let by = if is_plural(unit(field, *id)) { by.to_owned() } else { by.replace("their backs", "its back") };
            format!("{} {} of combat status {by}", says(*id, "lose"), number(usize::from(*points)))
        }
        E::BuildingHit { feature: place, points, ablaze } => {
            let fire = if *ablaze { " and goes up in flames" } else { "" };
            format!("{} suffers {}{fire}", feature(field, *place), count(usize::from(*points), "point"))
        }
        E::Flinch { unit: id, at, total, passed, second } => {
            let again = if *second { " a second time" } else { "" };
            let before = at.map(|at| format!(" before {}", unit(field, at))).unwrap_or_default();
            let verb = if *passed { "hold to it" } else { "flinch" };
            format!("{}{again}{before} {}", says(*id, verb), against(event, *total))
        }
        E::Pinned { unit: id, pinned: true } => is(unit(field, *id), "pinned to the ground"),
        E::Pinned { unit: id, pinned: false } => is(unit(field, *id), "pinned no more"),
        E::Retires { unit: id, before, distance, why } => retires(field, *id, *before, *distance, *why),
        E::Broken { unit: id, broken: true } => says(*id, "break"),
        E::Broken { unit: id, broken: false } => is(unit(field, *id), "broken no more"),
        E::FallsBack { unit: id, again: true } => {
            format!("{} must fall back once more in the next bound", unit(field, *id))
        }
        E::FallsBack { unit: id, again: false } => is(unit(field, *id), "far enough back"),
        E::Beaten { unit: id, beaten: true } => says(*id, "have the worst of it"),
        E::Beaten { unit: id, beaten: false } => says(*id, "have got over the beating"),
        E::Supports { unit: id, by, retires: true } => {
            format!("{} with {}{}", is(unit(field, *id), "swept away"), unit(field, *by), dice(event))
        }
        E::Supports { unit: id, by, retires: false } => {
            format!("{} as {} run through{}", says(*id, "stand firm"), unit(field, *by), dice(event))
                .replace(" run through", if is_plural(unit(field, *by)) { " run through" } else { " runs through" })
        }
        E::Evades { unit: id, charger, distance } => {
            format!("{} before {} by {}", says(*id, "slip away"), unit(field, *charger), far(field, *distance))
        }
        E::Blow { by, at, counted, tenths: value, damage } => {
            let with = count(usize::from(*counted), "element");
            let result = format!("{}, {}", tenths(*value), harm(*damage));
            format!("{} at {} with {with}: {result}", says(*by, "strike"), unit(field, *at))
        }
        E::Melee { attackers, defenders, inflicted, suffered, result } => {
            let (own, other) = (list(&names(field, attackers)), list(&names(field, defenders)));
            let plural = attackers.len() > 1 || is_plural(&own);
            let verb = match (result, plural) {
                (MeleeResult::Won, true) => "beat",
                (MeleeResult::Won, false) => "beats",
                (MeleeResult::Lost, true) => "are beaten by",
                (MeleeResult::Lost, false) => "is beaten by",
                (MeleeResult::Drawn, true) => "get no decision over",
                (MeleeResult::Drawn, false) => "gets no decision over",
            };
            format!("{own} {verb} {other}, {inflicted} to {suffered}")
        }
        E::Fought { unit: id } => says(*id, "have fought hand to hand"),
        E::Locked { unit: id, with } => format!("{} with {}", is(unit(field, *id), "locked"), unit(field, *with)),
        E::Unlocked { unit: id } => is(unit(field, *id), "out of the fight"),
        E::BrokeIn { unit: id, inside: true } => format!("the enemy is in among {}", unit(field, *id)),
        E::BrokeIn { unit: id, inside: false } => format!("no enemy is left among {}", unit(field, *id)),
        E::RodeThrough { unit: id, rode: true } => says(*id, "ride right through the enemy"),
        E::RodeThrough { unit: id, rode: false } => says(*id, "rein in"),
        E::Abandoned { battery } => format!("the gunners of {} leave their guns", unit(field, *battery)),
        E::Rally { unit: id, passed: true } => format!("{}{}", says(*id, "rally"), dice(event)),
        E::Rally { unit: id, passed: false } => {
            let name = unit(field, *id);
            format!("nothing halts {name}: {} past rallying now{}", are(field, *id), dice(event))
        }
        E::Reformed { unit: id } => says(*id, "have reformed"),
        // Told with the first half of a bound.
        _ => String::new(),
    }
}

/// A throw against what it had to stay under, in brackets.
fn against(event: &Event<Guns>, total: i8) -> String {
    match thrown(event) {
        Some(face) => format!("({face} against {total})"),
        None => format!("(no die; {total})"),
    }
}

fn harm(damage: u8) -> String {
    match damage {
        0 => "no harm done".to_owned(),
        points => format!("{} of damage", count(usize::from(points), "point")),
    }
}

fn shot(field: &Field, by: UnitId, at: UnitId, manner: Manner, counted: u8, value: i16, damage: u8) -> String {
    let verb = match manner {
        Manner::Direct => "open fire over open sights on",
        Manner::Ranging => "range in on",
        Manner::Indirect => "drop shells on",
        Manner::Musketry => "fire on",
        Manner::Breakers => "fire into the backs of",
    };
    let guns = matches!(manner, Manner::Direct | Manner::Ranging);
    let with = match manner {
        Manner::Indirect => count(usize::from(counted), "block"),
        _ if guns => count(usize::from(counted), "gun"),
        _ => count(usize::from(counted), "element"),
    };
    format!("{} {} with {with}: {}, {}", does(unit(field, by), verb), unit(field, at), tenths(value), harm(damage))
}

fn retires(field: &Field, id: UnitId, before: Option<UnitId>, distance: Length, why: Retreat) -> String {
    let name = unit(field, id);
    let whom = before.map(|before| format!(" before {}", unit(field, before))).unwrap_or_default();
    let verb = match why {
        Retreat::Charged => "retire",
        Retreat::Carried => "go back with the rest",
        Retreat::Broken => "keep running",
        Retreat::FellBack => "fall back",
        Retreat::Alarmed => "take fright",
        Retreat::TwiceBeaten => "break after a second beating",
        Retreat::Drawn => "draw apart",
        Retreat::Evacuates => "come out of the flames",
        Retreat::Margin => "give ground",
    };
    format!("{}{whom}: {}", does(name, verb), far(field, distance))
}
