//! What `guns` says to people: questions with their gestures, the chronicle, cards and badges, typed orders.

mod aims;
mod answers;
mod cards;
mod gestures;
mod ghosts;
mod nominate;
mod parse;
mod phrase;
mod plan;
mod prompt;
mod sentences;
mod sketches;
mod speech;
mod usage;

#[cfg(test)]
mod tests;

use super::Guns;
use super::clause::Clause;
use super::event::BoundStep;
use super::field::{
    Field, facts, is_hidden, is_there, may_advance_by_status, may_charge_by_status, skirmishes, troops,
};
use super::formation::{Formation, Shape};
use super::order::Order;
use super::screen;
use super::sequence::Phase;
use super::unit::{Arm, ChargeStage, Cycle, Facts, Level, Observer, Officer, Troops};
use book::telling::voice;
use engine::facade::single;
use engine::scene::{Badge, Ghost, Look, PieceKind, Prompt, ScenePiece, Sketch, Tone};
use engine::telling::{ForceLine, Usage};
use engine::{Asked, CommanderId, Event, Note, Odds, Side, State, Telling, UnitId, View, Whereabouts};
use table::{Angle, Pose, Quad, Unit};

book::offer!(Guns);

impl Telling for Guns {
    fn prompt(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side) -> Prompt {
        prompt::prompt(view, asked, side)
    }

    fn unit(state: &State<Guns>) -> Unit {
        speech::measure(state)
    }

    fn when(state: &State<Guns>) -> String {
        when(state)
    }

    fn kind(state: &State<Guns>, unit: UnitId) -> PieceKind {
        let (facts, own) = (facts(state, unit), troops(state, unit));
        match facts.arm {
            _ if facts.is_battery() && state.unit(unit).body.formation.shape == Shape::Limbered => {
                PieceKind::LimberedGuns
            }
            Arm::Artillery | Arm::RapidFire => PieceKind::Guns,
            Arm::Cavalry if own.mounted => PieceKind::Horse,
            Arm::Cavalry | Arm::Infantry => PieceKind::Foot,
        }
    }

    fn formation(formation: Formation) -> &'static str {
        formation.shape.word()
    }

    fn badges(state: &State<Guns>, unit: UnitId) -> Vec<Badge> {
        badges(state, unit)
    }

    fn looks(state: &State<Guns>, unit: UnitId) -> Vec<Look> {
        looks(state, unit)
    }

    fn ghosts(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, order: &Order) -> Vec<Ghost> {
        ghosts::ghosts(view, asked, side, order)
    }

    fn aims(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, order: Option<&Order>) -> Vec<Sketch> {
        aims::aims(view, &asked.decision, side, order)
    }

    fn sketches(view: &View<'_, Guns>, unit: UnitId) -> Vec<Sketch> {
        sketches::of_unit(view, unit)
    }

    fn officer_sketches(view: &View<'_, Guns>, commander: CommanderId) -> Vec<Sketch> {
        sketches::of_commander(view, commander)
    }

    fn officer_card(view: &View<'_, Guns>, commander: CommanderId) -> Vec<String> {
        cards::officer(view, commander)
    }

    fn ribbon(state: &State<Guns>) -> (Vec<&'static str>, Option<usize>) {
        ribbon(state)
    }

    fn card(view: &View<'_, Guns>, unit: UnitId) -> Vec<String> {
        cards::unit(view, unit)
    }

    fn extras(view: &View<'_, Guns>) -> Vec<ScenePiece> {
        extras(view)
    }

    fn is_chief(officer: &Officer) -> bool {
        officer.level != Level::Brigade
    }

    fn tell(state: &State<Guns>, event: &Event<Guns>) -> String {
        sentences::tell(state, event)
    }

    fn phrase(state: &State<Guns>, order: &Order) -> String {
        phrase::phrase(state, order)
    }

    fn parse(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, words: &str) -> Result<Order, String> {
        parse::parse(view, asked, side, words)
    }

    fn usage(asked: &Asked<Guns>) -> Vec<Usage> {
        usage::usage(&asked.decision)
    }

    fn odds(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, order: &Order) -> Option<Odds> {
        super::odds::odds(view, asked, side, order)
    }

    fn force(state: &State<Guns>, side: Side) -> Vec<ForceLine> {
        super::force::lines(state, side)
    }

    fn may_measure(view: &View<'_, Guns>) -> Result<(), Note> {
        if view.settings().premeasuring {
            return Ok(());
        }
        let text = "distances are judged by eye in this battle";
        Err(Note::new(Clause::ZoneOfCommand, text))
    }
}

/// The steps of a bound as the ribbon shows them.
const STEPS: [&str; 10] = [
    "Activation",
    "Ranging",
    "Forced moves",
    "Charges",
    "Movement",
    "Guns",
    "Musketry",
    "Flinch tests",
    "Going in",
    "Rally",
];

/// The number of a step, counted from 0.
fn step_number(step: BoundStep) -> usize {
    BoundStep::ALL.iter().position(|one| *one == step).unwrap_or(0)
}

fn is_opening(field: &Field) -> bool {
    field.agenda().iter().any(|phase| matches!(phase, Phase::Opening { .. }))
}

fn when(field: &Field) -> String {
    if field.outcome().is_some() {
        return "The battle is over".to_owned();
    }
    if is_opening(field) {
        return "Before the battle: deployment".to_owned();
    }
    let bound = match field.muster().turn_limit {
        Some(limit) => format!("Bound {} of {limit}", field.turn()),
        None => format!("Bound {}", field.turn()),
    };
    let ledger = field.ledger();
    let step = STEPS.get(step_number(ledger.step)).copied().unwrap_or_default();
    match ledger.quarter {
        0 => format!("{bound}: {step}"),
        quarter => format!("{bound}: {step}, quarter {quarter}"),
    }
}

/// The ten steps; before the battle the set-up stands in front of them.
fn ribbon(field: &Field) -> (Vec<&'static str>, Option<usize>) {
    if field.outcome().is_some() {
        return (STEPS.to_vec(), None);
    }
    if is_opening(field) {
        return (std::iter::once("Set-up").chain(STEPS).collect(), Some(0));
    }
    (STEPS.to_vec(), Some(step_number(field.ledger().step)))
}

fn badge(sign: impl Into<String>, text: impl Into<String>, tone: Tone) -> Badge {
    Badge { sign: sign.into(), text: text.into(), tone }
}

/// Status with both limiters, such as `7/9`.
fn track(field: &Field, unit: UnitId) -> Badge {
    let (facts, own) = (facts(field, unit), troops(field, unit));
    if facts.screen {
        let status = screen::status(field, unit);
        return badge(status.to_string(), format!("fires with a combat status of {status}"), Tone::Calm);
    }
    let limits = format!("charges down to {}, advances down to {}", facts.charge_limit, facts.advance_limit);
    let (tone, worn) = match (may_charge_by_status(field, unit), may_advance_by_status(field, unit)) {
        (_, false) => (Tone::Alarm, ": advances no more"),
        (false, true) => (Tone::Note, ": charges no more"),
        (true, true) => (Tone::Calm, ""),
    };
    let text = format!("combat status {} of {}{worn}; {limits}", own.status, facts.start);
    badge(format!("{}/{}", own.status, facts.start), text, tone)
}

fn badges(field: &Field, unit: UnitId) -> Vec<Badge> {
    if !is_there(field, unit) {
        return Vec::new();
    }
    let (facts, own) = (facts(field, unit), troops(field, unit));
    let mut badges = vec![track(field, unit)];
    badges.extend(conditions(own));
    badges.extend(guns(facts, own));
    if let Some(charge) = &own.charge {
        let at = voice::unit(field, charge.at);
        badges.push(badge("C", format!("charging {at}: {}", charge_words(charge.stage)), Tone::Note));
    }
    if !own.locked.is_empty() {
        let names: Vec<&str> = own.locked.iter().map(|id| voice::unit(field, *id)).collect();
        badges.push(badge("M", format!("locked in close combat with {}", voice::list(&names)), Tone::Note));
    }
    if let Some(feature) = own.defending {
        badges.push(badge("⌂", format!("defends {}", voice::feature(field, feature)), Tone::Calm));
    }
    if own.prone {
        badges.push(badge("_", "lying down", Tone::Calm));
    }
    if own.lent {
        badges.push(badge("s", "an element is out skirmishing", Tone::Calm));
    }
    if facts.can_dismount && !own.mounted {
        badges.push(badge("f", "on foot", Tone::Calm));
    }
    let leader = field.commanders().find(|(_, general)| general.own.attached == Some(unit) && general.is_present());
    if let Some((id, _)) = leader {
        badges.push(badge("★", format!("{} rides with it", voice::commander(field, id)), Tone::Calm));
    }
    if own.bound.responds {
        badges.push(badge("!", "obeys its brigade’s order this bound", Tone::Calm));
    }
    if own.bound.fired {
        badges.push(badge("●", "has fired this bound", Tone::Calm));
    }
    if skirmishes(field, unit) && !facts.screen {
        badges.push(badge("k", "skirmishes", Tone::Calm));
    }
    if is_hidden(field.unit(unit)) {
        badges.push(badge("H", "hidden from the enemy", Tone::Calm));
    }
    badges
}

/// What is wrong with a unit.
fn conditions(own: &Troops) -> Vec<Badge> {
    let signs = [
        (own.broken, "B", "broken: goes back until it rallies", Tone::Alarm),
        (own.disorder.combat, "D", "disordered: hears no orders until it has reformed", Tone::Alarm),
        (own.disorder.terrain, "d", "disordered by the ground", Tone::Note),
        (own.disorder.water, "w", "disordered by the water", Tone::Note),
        (own.reforming, "R", "stands still to reform", Tone::Note),
        (own.beaten, "b", "beaten by cavalry: reforms where it stands", Tone::Note),
        (own.pinned, "P", "pinned: goes neither forward nor back", Tone::Alarm),
        (own.falls_back, "←", "falls back once more", Tone::Alarm),
        (own.inside, "i", "the attackers are inside: its cover is no help", Tone::Alarm),
        (own.rode_through, "→", "rode through the enemy: may charge on", Tone::Calm),
        (own.bound.shelled, "*", "under shell fire this bound", Tone::Note),
    ];
    signs.into_iter().filter(|sign| sign.0).map(|(_, sign, text, tone)| badge(sign, text, tone)).collect()
}

fn guns(facts: &Facts, own: &Troops) -> Vec<Badge> {
    if !facts.is_battery() {
        return Vec::new();
    }
    let tone = if own.guns < facts.guns { Tone::Note } else { Tone::Calm };
    let mut badges = vec![badge(format!("g{}", own.guns), format!("{} of {} guns served", own.guns, facts.guns), tone)];
    badges.push(match own.cycle {
        Cycle::Limbered => badge("L", "limbered", Tone::Calm),
        Cycle::Unlimbering => badge("u", "unlimbering, half done", Tone::Note),
        Cycle::Deployed => badge("U", "in action", Tone::Calm),
        Cycle::Limbering => badge("l", "limbering up, half done", Tone::Note),
        Cycle::Abandoned => badge("A", "abandoned by its gunners", Tone::Alarm),
    });
    if let Some(registration) = &own.registration {
        let text = if registration.ranged { "ranged in on its target" } else { "ranging in on its target" };
        badges.push(badge("⊕", text, Tone::Calm));
    }
    if own.touched.is_some() {
        badges.push(badge("X", "the enemy is among its guns", Tone::Alarm));
    }
    badges
}

/// How far a charge has got, in a few words.
fn charge_words(stage: ChargeStage) -> &'static str {
    match stage {
        ChargeStage::Moving => "on its way",
        ChargeStage::Tested => "must nerve itself",
        ChargeStage::Passed => "goes in",
        ChargeStage::Failed => "would not go in",
        ChargeStage::Short => "could not get there",
        ChargeStage::Home => "in contact",
    }
}

fn looks(field: &Field, unit: UnitId) -> Vec<Look> {
    let (own, piece) = (troops(field, unit), field.unit(unit));
    if !piece.is_present() {
        return Vec::new();
    }
    let looks = [
        (own.bound.fired, Look::Smoke),
        (own.broken, Look::Rout),
        (own.disorder.any() && !own.broken, Look::Disorder),
        (is_hidden(piece), Look::Hidden),
    ];
    looks.into_iter().filter(|(shows, _)| *shows).map(|(_, look)| look).collect()
}

/// The key of a battery's observer in scenes; orders name him by his battery.
fn observer_key(field: &Field, battery: UnitId) -> String {
    format!("{}-observer", field.card(battery).key)
}

/// Observers, and the markers of batteries that range in or are ranged in.
fn extras(field: &Field) -> Vec<ScenePiece> {
    let mut pieces = Vec::new();
    for (id, unit) in field.units().filter(|(_, unit)| unit.whereabouts != Whereabouts::Unseen && unit.is_present()) {
        let (name, side) = (voice::unit(field, id), field.side_of(id));
        let stand = facts(field, id).element.depth.half();
        if let Some(Observer::At(at)) = unit.own.observer {
            let quad = Quad::of_square(at.vec(), stand);
            let pose = Pose { at, facing: unit.pose().facing };
            let name = format!("Observer of {name}");
            let piece = single(&observer_key(field, id), &name, side, PieceKind::Courier, pose, &quad);
            let command = field.card(id).command.map(|command| voice::command(field, command).to_owned());
            pieces.push(ScenePiece { command, ..piece });
        }
        if let Some(registration) = &unit.own.registration {
            let quad = Quad::of_square(registration.point.vec(), stand);
            let pose = Pose { at: registration.point, facing: Angle::NORTH };
            let key = format!("{}-marker", field.card(id).key);
            let mut piece = single(&key, &format!("Marker of {name}"), side, PieceKind::Sharpshooter, pose, &quad);
            let text = match registration.ranged {
                true => format!("ranged in on {}", voice::unit(field, registration.at)),
                false => format!("ranging in on {}", voice::unit(field, registration.at)),
            };
            piece.badges.push(badge("⊕", text, Tone::Note));
            pieces.push(piece);
        }
    }
    pieces
}
