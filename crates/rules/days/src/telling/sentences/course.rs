//! Sentences about the course of a battle: set-up, steps of a turn, arrivals, staff, works, fires and movement.

use super::{dice, far, its, thrown};
use crate::Days;
use crate::event::{Barrier, DaysEvent, Doing, TurnStep};
use crate::field::Field;
use crate::settings::Weight;
use crate::telling::speech::quality as worth;
use crate::unit::{Crest, Health, Task, Work};
use book::telling::voice::{
    bearing, command, commander, count, do_of, does, edge, feature, inches, is, point, side, unit,
};
use engine::{Event, UnitId};

/// An event of this kind; nothing for any other.
pub fn tell(field: &Field, event: &Event<Days>, own: &DaysEvent) -> Option<String> {
    use DaysEvent as E;
    let says = |id: UnitId, verb: &str| does(unit(field, id), verb);
    let text = match own {
        E::Step { step } => heading(*step).to_owned(),
        E::Initiative { side: who } => initiative(field, event, side(field, *who)),
        E::InitiativeTied => format!("the dice for the initiative are equal{}: again", faces(event)),
        E::Quality { general, quality, successor: true } => {
            format!("{} officer takes over from {}{}", worth(*quality), commander(field, *general), dice(event))
        }
        E::Quality { general, quality, successor: false } => {
            format!("{} proves {} general{}", commander(field, *general), worth(*quality), dice(event))
        }
        E::Scouted { points, outdone } => {
            let sum = format!("{} to {}", points[engine::Side::A], points[engine::Side::B]);
            match outdone {
                Some(who) => format!("the scouts have been out, {sum}: {} are outscouted", side(field, *who)),
                None => format!("the scouts have been out, {sum}: neither side is outscouted"),
            }
        }
        E::Mustered { unit: id, points, start, class, crew, horses } => {
            mustered(field, *id, *points, [*start, *class, *crew, *horses])
        }
        E::Engaged { general, points } => {
            format!("{} takes the field for {points} points", commander(field, *general))
        }
        E::Bought { side: who, earthworks, pontoons, points } => {
            let bought = [(*earthworks, "earthworks"), (*pontoons, "pontoons")];
            let bought = bought.into_iter().filter(|(length, _)| *length > table::Length::ZERO);
            let words: Vec<String> = bought.map(|(length, what)| format!("{} of {what}", inches(length))).collect();
            let what = if words.is_empty() { "nothing else".to_owned() } else { words.join(" and ") };
            format!("{} have bought {what} for {points} points", side(field, *who))
        }
        E::Wind { to } => format!("the wind blows to the {}{}", bearing(*to), dice(event)),
        E::Decided { rule, on } => {
            let rule = rule.word().replace('_', " ");
            format!(
                "the die ends the quarrel over {rule}: {}{}",
                if *on { "it is played" } else { "it is not played" },
                dice(event)
            )
        }
        E::Seated { south } => format!("{} have the southern edge{}", side(field, *south), dice(event)),
        E::Burnt { unit: id } => says(*id, "stay in the flames too long"),
        E::Counted { lost, winner } => counted(field, *lost, *winner),
        E::DeploysFirst { side: who } => format!("{} set up first{}", side(field, *who), faces(event)),
        E::KeptOff { brigade } => format!("{} is kept off the table", command(field, *brigade)),
        E::Announced { brigade, edge: on, at } => {
            format!("dust on the {} edge: {} comes on near {}", edge(*on), command(field, *brigade), point(*at))
        }
        E::ArrivedWhole { brigade } => format!("all of {} has arrived", command(field, *brigade)),
        E::Waits { unit: id, at: Some((on, _)) } => format!("{} behind the {} edge", says(*id, "wait"), edge(*on)),
        E::Waits { unit: id, at: None } => format!("{} no longer", says(*id, "wait")),
        E::Did { unit: id, doing } => did(unit(field, *id), *doing),
        E::AtRisk { general, hit: true } => {
            format!("{} is in the thick of it and hit{}", commander(field, *general), dice(event))
        }
        E::AtRisk { general, hit: false } => format!("the bullets spare {}{}", commander(field, *general), dice(event)),
        E::Health { general, health } => health_words(commander(field, *general), *health),
        E::Unhorsed { general, unhorsed: true } => {
            format!("{} has his horse shot under him{}", commander(field, *general), dice(event))
        }
        E::Unhorsed { general, unhorsed: false } => format!("{} has found another horse", commander(field, *general)),
        E::Attached { general, unit: Some(id) } => format!("{} joins {}", commander(field, *general), unit(field, *id)),
        E::Attached { general, unit: None } => format!("{} is on his own", commander(field, *general)),
        E::PartyAttached { party, unit: Some(id) } => format!("{} {}", says(*party, "join"), unit(field, *id)),
        E::PartyAttached { party, unit: None } => format!("{} apart", says(*party, "work")),
        E::StaffRouts { general, routing: true } => format!("{} is swept away in the rout", commander(field, *general)),
        E::StaffRouts { general, routing: false } => {
            format!("{} is master of himself again", commander(field, *general))
        }
        E::GeneralMoved { general } => format!("{} has ridden this turn", commander(field, *general)),
        E::TriedToRally { general } => {
            format!("{} has done his part in rallying this turn", commander(field, *general))
        }
        E::Ablaze { feature: place, .. } => format!("{} is ablaze{}", feature(field, *place), dice(event)),
        E::NoFire { feature: place } => format!("{} does not catch fire{}", feature(field, *place), dice(event)),
        E::WoodIs { feature: place, weight } => wood(field, *place, *weight, event),
        E::FordSought { river, found: true, .. } => {
            format!("a ford is found in {}{}", feature(field, *river), dice(event))
        }
        E::FordSought { river, found: false, .. } => {
            format!("no ford is found here in {}{}", feature(field, *river), dice(event))
        }
        E::Works { unit: id, work } => works(field, *id, work.as_deref()),
        E::WorkDone { unit: id, task } => format!("{}: the work is done, {}", unit(field, *id), finished(field, task)),
        E::BridgeMined { bridge, fell: true } => {
            format!("{} goes up in the air{}", feature(field, *bridge), dice(event))
        }
        E::BridgeMined { bridge, fell: false } => {
            format!("the charge goes off, but {} stands{}", feature(field, *bridge), dice(event))
        }
        E::GapCleared { obstacle, at } => format!("a gap is open in {} at {}", feature(field, *obstacle), point(*at)),
        E::Raised { barrier } => raised(barrier),
        E::Breached { at, .. } => format!("a gap is open in the works at {}", point(*at)),
        E::SpanMined { fell: true, .. } => format!("a span of boats goes up in the air{}", dice(event)),
        E::SpanMined { fell: false, .. } => format!("the charge goes off, but the boats hold{}", dice(event)),
        E::SpanLaid { span, party, left } => format!(
            "a span of boats lies over {}; {} {} of pontoons left",
            feature(field, span.water),
            says(*party, "have"),
            far(*left)
        ),
        E::Mounted { unit: id, mounted: true } => says(*id, "mount"),
        E::Mounted { unit: id, mounted: false } => says(*id, "get off to fight on foot"),
        E::HoldersLost { unit: id } => format!("{} {} horses for good", says(*id, "lose"), its(unit(field, *id))),
        E::Relieved { unit: id, by: Some(by) } => {
            format!("{} {} through the ranks", says(*id, "let"), unit(field, *by))
        }
        E::Relieved { unit: id, by: None } => format!("{} room again", says(*id, "have")),
        E::AtCrest { unit: id, crest: Some(Crest::Behind) } => says(*id, "stand behind the crest"),
        E::AtCrest { unit: id, crest: Some(Crest::Over) } => says(*id, "stand over the crest"),
        E::AtCrest { unit: id, crest: None } => says(*id, "leave the crest"),
        E::Crossed { crossing } => {
            let (passer, seer) = (unit(field, crossing.unit), unit(field, crossing.seen_by));
            format!("{} the front of {seer} {} away", does(passer, "cross"), far(crossing.at))
        }
        E::CrossingsGone { seen_by } => {
            format!("{} whatever passed {} front", says(*seen_by, "forget"), its(unit(field, *seen_by)))
        }
        E::Cleared => "the turn is over".to_owned(),
        _ => return None,
    };
    Some(text)
}

/// The faces of all throws, in brackets.
fn faces(event: &Event<Days>) -> String {
    let each: Vec<String> = event.rolls.iter().map(|roll| roll.total().to_string()).collect();
    if each.is_empty() { String::new() } else { format!(" ({})", each.join(" to ")) }
}

fn initiative(field: &Field, event: &Event<Days>, name: String) -> String {
    match event.rolls.as_slice() {
        [] => format!("{name} have the initiative"),
        rolls => {
            let each = rolls.iter().map(|roll| format!("{} {}", side(field, roll.by), roll.total()));
            format!("{name} win the initiative: {}", each.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Each step of a turn as a heading.
pub const fn heading(step: TurnStep) -> &'static str {
    use TurnStep as S;
    match step {
        S::Initiative => "Initiative Phase: who goes first",
        S::Replacing => "Initiative Phase: new men for generals who were lost",
        S::Arrivals => "Morale Phase: arrivals are announced",
        S::BreakThroughs => "Morale Phase: victors break through",
        S::FirstCharges => "Morale Phase: the side with the initiative declares its charges",
        S::SecondCharges => "Morale Phase: the other side declares its charges",
        S::Rally => "Morale Phase: rallying",
        S::Shooting => "Shooting Phase: both sides fire",
        S::FirstCharged => "Movement Phase: those charged first stand or run",
        S::SecondCharged => "Movement Phase: those charged second stand or run",
        S::Routs => "Movement Phase: routers run",
        S::Feints => "Movement Phase: feints are called off",
        S::SecondImpulse => "Movement Phase: the 2nd Impulse of all charges",
        S::FirstOpportunity => "Movement Phase: opportunity charges of the side with the initiative",
        S::SecondOpportunity => "Movement Phase: opportunity charges of the other side",
        S::Defence => "Movement Phase: fire kept back for the chargers",
        S::FirstMoves => "Movement Phase: the side with the initiative moves",
        S::SecondMoves => "Movement Phase: the other side moves",
        S::Home => "Movement Phase: do the chargers go home?",
        S::Fires => "Movement Phase: the fires spread",
        S::Routers => "Assault Phase: routers who were reached",
        S::Assault => "Assault Phase: close assault",
        S::Surrender => "Assault Phase: who gives up",
        S::Recovery => "Assault Phase: a quiet turn heals",
    }
}

/// Losses are counted in halves.
fn counted(field: &Field, lost: engine::BySide<u32>, winner: Option<engine::Side>) -> String {
    let points = |who: engine::Side| {
        let half = if lost[who] % 2 == 1 { ".5" } else { "" };
        format!("{} have lost {}{half}", side(field, who), lost[who] / 2)
    };
    let both = engine::Side::BOTH.map(points).join(", ");
    match winner {
        Some(winner) => format!("{both} points: {} have won", side(field, winner)),
        None => format!("{both} points: a drawn battle"),
    }
}

fn mustered(field: &Field, id: UnitId, points: u32, [start, class, crew, horses]: [u8; 4]) -> String {
    let name = unit(field, id);
    let teams = if crew > 0 { format!(", {crew} crew and {horses} horses") } else { String::new() };
    let rank = if class > 0 { format!("Class {class}, ") } else { String::new() };
    let what = if crew > 0 { count(usize::from(start), "gun") } else { count(usize::from(start), "stand") };
    format!("{}: {rank}{what}{teams}, {points} points", does(name, "muster"))
}

fn did(name: &str, doing: Doing) -> String {
    let verb = match doing {
        Doing::Moved => "have moved",
        Doing::Reformed => "have changed formation",
        Doing::TriedCharge => "have tried a charge",
        Doing::ChargeFailed => "will go no nearer to the enemy this turn",
        Doing::Charged => "have charged",
        Doing::Feinted => "have feinted",
        Doing::Stood => "stand to meet the charge",
        Doing::Evaded => "have got out of the way",
        Doing::PassedLines => "have taken part in a passage of lines",
        Doing::Halted => "be halted by the fire",
        Doing::Stopped => "stop short and move no more this turn",
        Doing::Rallied => "spend the turn rallying",
        Doing::Fought => "have fought at close quarters",
        Doing::Worked => "have worked",
        Doing::Forced => "have made a forced march",
        Doing::Searched => "have looked for a ford",
        Doing::Silenced => "be ridden through and cannot fire",
        Doing::Broken => "lose their ranks on the way to the enemy",
        Doing::Screened => "have sent skirmishers out or taken them in",
        Doing::ShotFromBehind => "be shot at from behind",
    };
    match verb.split_once(' ') {
        // The future knows no third person.
        Some(("will", _)) => format!("{name} {verb}"),
        Some(("stop", rest)) if do_of(name) == "does" => format!("{name} stops {}", rest.replace("move", "moves")),
        _ => does(name, verb),
    }
}

fn health_words(name: &str, health: Health) -> String {
    match health {
        Health::Fit => format!("{name} is fit again and takes up his command"),
        Health::Wounded { until, .. } => format!("{name} is wounded and away until turn {until}"),
        Health::Killed { .. } => format!("{name} is killed"),
        Health::Captured { .. } => format!("{name} is taken prisoner"),
    }
}

fn wood(field: &Field, place: engine::FeatureId, weight: Weight, event: &Event<Days>) -> String {
    let kind = match weight {
        Weight::Light => "light woods",
        Weight::Heavy => "heavy woods",
        Weight::Undefined => "woods nobody has looked into",
    };
    format!("{} proves to be {kind}{}", feature(field, place), dice(event))
}

/// What somebody works at.
pub fn task(field: &Field, task: &Task) -> String {
    match task {
        Task::Demolish { bridge } => format!("mining {}", feature(field, *bridge)),
        Task::Clear { obstacle, .. } => format!("clearing a gap in {}", feature(field, *obstacle)),
        Task::Bridge { water, .. } => format!("bridging {}", feature(field, *water)),
        Task::Barricade => "heaping up a barricade".to_owned(),
        Task::Breach { .. } => "clearing a gap in the works".to_owned(),
        Task::Sever { .. } => "mining the boats".to_owned(),
    }
}

fn finished(field: &Field, task: &Task) -> String {
    match task {
        Task::Demolish { bridge } => format!("the charge under {} is laid", feature(field, *bridge)),
        Task::Clear { obstacle, .. } => format!("{} is open", feature(field, *obstacle)),
        Task::Bridge { water, .. } => format!("{} is bridged", feature(field, *water)),
        Task::Barricade => "the barricade stands".to_owned(),
        Task::Breach { .. } => "the works are open".to_owned(),
        Task::Sever { .. } => "the charge among the boats is laid".to_owned(),
    }
}

fn works(field: &Field, id: UnitId, work: Option<&Work>) -> String {
    let name = unit(field, id);
    match work {
        None => does(name, "lay down the tools"),
        Some(work) if work.phases <= 1 => format!("{} {}", does(name, "begin"), task(field, &work.task)),
        Some(work) => format!(
            "{} {}, {} so far",
            does(name, "go on"),
            task(field, &work.task),
            count(usize::from(work.phases), "phase")
        ),
    }
}

fn raised(barrier: &Barrier) -> String {
    let kind = match barrier.weight {
        Weight::Heavy => "heavy",
        Weight::Light | Weight::Undefined => "light",
    };
    format!("a {kind} barrier lies from {} to {}", point(barrier.from), point(barrier.to))
}

/// A general or a party that was thrown for, and what came up.
pub fn party(field: &Field, event: &Event<Days>, id: UnitId, [hit, killed]: [bool; 2], pioneers: u8) -> String {
    let name = unit(field, id);
    let die = thrown(event).map(|face| format!(" ({face})")).unwrap_or_default();
    match (hit, killed, pioneers) {
        (false, false, 0) => format!("the bullets spare {name}{die}"),
        (_, true, 0) => format!("{}, the engineer officer killed{die}", is(name, "hit")),
        (_, true, lost) => format!("the engineer officer falls with {}{die}", count(usize::from(lost), "pioneer")),
        (_, false, 0) => format!("{}, but nobody is hurt{die}", is(name, "under fire")),
        (_, false, lost) => format!("{} {}{die}", does(name, "lose"), count(usize::from(lost), "pioneer")),
    }
}
