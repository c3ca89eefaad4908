//! Orders in words, as a player reads his own order back.

use super::speech::{capital, formed, matter, measure, order_words, place, way};
use crate::field::Field;
use crate::order::{Decision, Marking, Move, Nomination, Order, Shot, Step};
use book::telling::voice::{command, commander, count, does, feature, legs_in, list, unit};
use engine::UnitId;

/// So many moves of a plan are told one by one.
const MOST_MOVES: usize = 12;

/// An order in words, without a full stop.
pub fn phrase(field: &Field, order: &Order) -> String {
    let decision = field.asked().map(|asked| &asked.decision);
    let text = match order {
        Order::Pass => declined(decision).to_owned(),
        Order::Deploy { units, commanders, observers, orders } => {
            let pieces = units.len() + commanders.len() + observers.len();
            let given: Vec<String> = orders
                .iter()
                .map(|one| format!("{}: {}", command(field, one.brigade), order_words(field, one.order)))
                .collect();
            let placed = match pieces {
                0 => "everybody stands where the scenario puts him".to_owned(),
                n => format!("places {}", count(n, "piece")),
            };
            std::iter::once(placed).chain(given).collect::<Vec<_>>().join("; ")
        }
        Order::Nominate { brigades, stay_disordered } => nominated(field, brigades, stay_disordered),
        Order::Allot { deal } => dealt(field, decision, deal),
        Order::Mark { shots } if shots.is_empty() => "nobody fires indirectly".to_owned(),
        Order::Mark { shots } => shots.iter().map(|one| marked(field, one)).collect::<Vec<_>>().join("; "),
        Order::Plot { moves, groups } => plotted(field, moves, groups),
        Order::CounterCharge { units } if units.is_empty() => "nobody counter-charges".to_owned(),
        Order::CounterCharge { units } => all(field, units, "counter-charge"),
        Order::Fire { shots, hold } => fired(field, shots, hold),
        Order::LieDown { units } if units.is_empty() => "nobody lies down".to_owned(),
        Order::LieDown { units } => all(field, units, "lie down"),
        Order::Abandon => "the gunners run for it".to_owned(),
        Order::PressOn { at } => format!("it presses on against {}", unit(field, *at)),
        Order::RideThrough => "it rides through the losers".to_owned(),
    };
    capital(&text)
}

/// What declining means to the question in the room.
fn declined(decision: Option<&Decision>) -> &'static str {
    match decision {
        Some(Decision::Deploy) => "Everybody stands where the scenario puts him",
        Some(Decision::Nominate) => "No brigade is named",
        Some(Decision::Allot { .. }) => "The staff deals the dice",
        Some(Decision::Mark) => "Nobody fires indirectly",
        Some(Decision::Plot) => "The brigadiers see to it",
        Some(Decision::CounterCharge { .. }) => "Nobody counter-charges",
        Some(Decision::Guns | Decision::Musketry) => "All hold fire",
        Some(Decision::LieDown { .. }) => "Nobody lies down",
        Some(Decision::Abandon { .. }) => "The gunners stand by their guns",
        Some(Decision::PressOn { .. }) => "It stops where it is",
        Some(Decision::RideThrough { .. }) => "It reins in",
        None => "No more",
    }
}

/// "A does", "A, B and C do".
fn all(field: &Field, units: &[UnitId], verb: &str) -> String {
    let names: Vec<&str> = units.iter().map(|id| unit(field, *id)).collect();
    match names.as_slice() {
        [one] => does(one, verb),
        several => format!("{} {verb}", list(several)),
    }
}

fn nominated(field: &Field, brigades: &[Nomination], stay: &[UnitId]) -> String {
    let mut parts: Vec<String> = brigades.iter().map(|one| named(field, one)).collect();
    if parts.is_empty() {
        parts.push("no brigade is named".to_owned());
    }
    if !stay.is_empty() {
        parts.push(all(field, stay, "stay disordered"));
    }
    parts.join("; ")
}

/// One brigade with what it is to do.
fn named(field: &Field, one: &Nomination) -> String {
    let name = command(field, one.brigade);
    let what = match &one.new {
        None => format!("{name} goes on as ordered"),
        Some(new) => {
            let by = new.issuer.map(|id| format!(", by {}", commander(field, id))).unwrap_or_default();
            let seen = matter(field, new.cause);
            format!("{name} is to {}, because of {seen}{by}", order_words(field, new.order))
        }
    };
    let through = one.issuer.map(|id| format!(", through {}", commander(field, id))).unwrap_or_default();
    let names: Vec<&str> = one.present.iter().map(|id| commander(field, *id)).collect();
    let with = if names.is_empty() { String::new() } else { format!(", with {}", list(&names)) };
    format!("{what}{through}{with}")
}

fn dealt(field: &Field, decision: Option<&Decision>, deal: &[Option<u8>]) -> String {
    let given = deal.iter().flatten().count();
    let total = || format!("{} dealt, the rest discarded", count(given, "die").replace("dies", "dice"));
    let Some(Decision::Allot { dice, brigades }) = decision else { return total() };
    let mut fits = engine::Side::BOTH.into_iter().filter(|side| brigades[*side].len() == deal.len());
    // An order does not say whose it is; where it could be either side's, no brigade is named.
    let (Some(side), None) = (fits.next(), fits.next()) else { return total() };
    let each = brigades[side].iter().zip(deal).map(|(brigade, die)| {
        let face = die.and_then(|die| dice[side].get(usize::from(die)));
        let what = face.map_or("no die".to_owned(), |face| format!("the {face}"));
        format!("{what} to {}", command(field, *brigade))
    });
    each.collect::<Vec<_>>().join("; ")
}

fn marked(field: &Field, one: &Marking) -> String {
    let at = one.point.map(|point| format!(" at {}", place(field, point))).unwrap_or_default();
    let laid = if one.blocks.is_empty() {
        String::new()
    } else {
        format!(", {} laid by hand", count(one.blocks.len(), "block"))
    };
    format!("{} {}{at}{laid}", does(unit(field, one.battery), "mark"), unit(field, one.at))
}

fn plotted(field: &Field, moves: &[Move], groups: &[Vec<UnitId>]) -> String {
    let mut parts: Vec<String> = match moves.len() {
        0 => vec!["nobody moves".to_owned()],
        n if n > MOST_MOVES => vec![format!("a plan of {}", count(n, "move"))],
        _ => moves.iter().map(|one| move_words(field, one)).collect(),
    };
    parts.extend(groups.iter().map(|group| all(field, group, "move as one")));
    parts.join("; ")
}

/// One move of a plan.
pub fn move_words(field: &Field, one: &Move) -> String {
    match one {
        Move::March { unit: id, steps, defend } => {
            let name = unit(field, *id);
            let place = defend.map(|place| feature(field, place));
            match (steps.as_slice(), place) {
                ([], None) => does(name, "stay"),
                ([], Some(place)) => format!("{} {place}", does(name, "man")),
                ([first, rest @ ..], place) => {
                    let then: String = rest.iter().map(|step| format!(", then {}", step_words(field, step))).collect();
                    let man = place.map(|place| format!(", and man {place}")).unwrap_or_default();
                    format!("{}{then}{man}", first_step(field, name, first))
                }
            }
        }
        Move::Charge { unit: id, at, legs, led_by } => {
            let led = led_by.map(|general| format!(", led by {}", commander(field, general))).unwrap_or_default();
            format!("{} {}{}{led}", does(unit(field, *id), "charge"), unit(field, *at), way(field, legs))
        }
        Move::Ride { commander: who, to } => format!("{} rides to {}", commander(field, *who), place(field, *to)),
        Move::Join { commander: who, unit: id } => {
            format!("{} rides to {} and stays with it", commander(field, *who), unit(field, *id))
        }
        Move::Observe { battery, to } => {
            format!("the observer of {} goes to {}", unit(field, *battery), place(field, *to))
        }
        Move::Screen { screen, parents, pose } => {
            let names: Vec<&str> = parents.iter().map(|id| unit(field, *id)).collect();
            format!("{} out of {} at {}", does(unit(field, *screen), "come"), list(&names), place(field, pose.at))
        }
        Move::Recall { screen } => does(unit(field, *screen), "go back to the battalions"),
        Move::Return { battery } => format!("the gunners of {} return to their guns", unit(field, *battery)),
        Move::LieDown { unit: id } => does(unit(field, *id), "lie down"),
    }
}

fn first_step(field: &Field, name: &str, step: &Step) -> String {
    match step {
        Step::March(legs) => format!("{}{}", does(name, "march"), way(field, legs)),
        other => does(name, &step_words(field, other)),
    }
}

fn step_words(field: &Field, step: &Step) -> String {
    match step {
        Step::March(legs) if legs.is_empty() => "march".to_owned(),
        Step::March(legs) => format!("march {}", legs_in(legs, measure(field))),
        Step::Form(formation) => formed(*formation),
        Step::Mount => "mount".to_owned(),
        Step::Dismount => "dismount".to_owned(),
        Step::Unlimber => "unlimber".to_owned(),
        Step::Limber => "limber up".to_owned(),
        Step::Fire => "fire".to_owned(),
    }
}

fn fired(field: &Field, shots: &[Shot], hold: &[UnitId]) -> String {
    let aimed = |shot: &Shot| format!("{} {}", does(unit(field, shot.unit), "fire on"), unit(field, shot.at));
    let mut parts: Vec<String> = match shots.len() {
        0 => vec!["nobody is given a target".to_owned()],
        n if n > MOST_MOVES => vec![format!("{} fire", count(n, "unit"))],
        _ => shots.iter().map(aimed).collect(),
    };
    if !hold.is_empty() {
        parts.push(all(field, hold, "hold fire"));
    }
    parts.join("; ")
}
