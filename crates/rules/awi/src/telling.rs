//! What `awi` says to people: questions with their gestures, the chronicle, cards and badges, typed orders. While the
//! tape may not be laid beforehand nothing here tells a distance (E.2).

mod cards;
mod gestures;
mod ghosts;
mod parse;
mod phrase;
mod prompt;
mod sentences;
mod sketches;
mod usage;
mod voice;

#[cfg(test)]
mod tests;

use super::Awi;
use super::clause::Clause;
use super::event::Courier;
use super::field::{Field, facts, is_engaged, is_there, soldiers};
use super::order::Order;
use super::sequence::{Opening, Phase};
use super::unit::{Arm, Condition, Formation, Level, Officer};
use engine::facade::single;
use engine::scene::{Badge, Ghost, Look, PieceKind, Prompt, ScenePiece, Sketch, Tone};
use engine::telling::{ForceLine, Usage};
use engine::{Asked, CommanderId, Event, Note, Odds, Side, State, Telling, UnitId, View, Whereabouts};
use table::{Angle, Length, Pose, Quad};

book::offer!(Awi);

impl Telling for Awi {
    fn prompt(view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side) -> Prompt {
        prompt::prompt(view, asked, side)
    }

    fn when(state: &State<Awi>) -> String {
        when(state)
    }

    fn kind(state: &State<Awi>, unit: UnitId) -> PieceKind {
        match facts(state, unit).arm {
            Arm::Infantry => PieceKind::Foot,
            Arm::Cavalry => PieceKind::Horse,
            Arm::Artillery if state.unit(unit).body.formation == Formation::Limbered => PieceKind::LimberedGuns,
            Arm::Artillery => PieceKind::Guns,
            Arm::Sharpshooter => PieceKind::Sharpshooter,
        }
    }

    fn formation(formation: Formation) -> &'static str {
        formation.word()
    }

    fn badges(state: &State<Awi>, unit: UnitId) -> Vec<Badge> {
        badges(state, unit)
    }

    fn looks(state: &State<Awi>, unit: UnitId) -> Vec<Look> {
        looks(state, unit)
    }

    fn ghosts(view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side, order: &Order) -> Vec<Ghost> {
        ghosts::ghosts(view, asked, side, order)
    }

    fn sketches(view: &View<'_, Awi>, unit: UnitId) -> Vec<Sketch> {
        sketches::of_unit(view, unit)
    }

    fn officer_sketches(view: &View<'_, Awi>, commander: CommanderId) -> Vec<Sketch> {
        sketches::of_commander(view, commander)
    }

    fn officer_card(view: &View<'_, Awi>, commander: CommanderId) -> Vec<String> {
        cards::officer(view, commander)
    }

    fn ribbon(state: &State<Awi>) -> (Vec<&'static str>, Option<usize>) {
        ribbon(state)
    }

    fn card(view: &View<'_, Awi>, unit: UnitId) -> Vec<String> {
        cards::unit(view, unit)
    }

    fn extras(view: &View<'_, Awi>) -> Vec<ScenePiece> {
        view.ledger().couriers.iter().enumerate().map(|(n, courier)| rider(view, n + 1, courier)).collect()
    }

    fn is_chief(officer: &Officer) -> bool {
        officer.level == Level::Division
    }

    fn tell(state: &State<Awi>, event: &Event<Awi>) -> String {
        sentences::tell(state, event)
    }

    fn phrase(state: &State<Awi>, order: &Order) -> String {
        phrase::phrase(state, order)
    }

    fn parse(view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side, words: &str) -> Result<Order, String> {
        parse::parse(view, asked, side, words)
    }

    fn usage(asked: &Asked<Awi>) -> Vec<Usage> {
        usage::usage(&asked.decision)
    }

    fn odds(view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side, order: &Order) -> Option<Odds> {
        super::odds::odds(view, asked, side, order)
    }

    fn force(state: &State<Awi>, side: Side) -> Vec<ForceLine> {
        super::force::lines(state, side)
    }

    fn may_measure(view: &View<'_, Awi>) -> Result<(), Note> {
        if view.settings().no_premeasuring {
            let text = "distances are judged by eye until an act is declared";
            return Err(Note::new(Clause::NoPremeasuring, text));
        }
        Ok(())
    }
}

fn when(field: &Field) -> String {
    if field.outcome().is_some() {
        return "The battle is over".to_owned();
    }
    let round = match field.muster().turn_limit {
        Some(limit) => format!("Round {} of {limit}", field.turn()),
        None => format!("Round {}", field.turn()),
    };
    let turn = |side: Side, part: &str| format!("{round}, {}: {part}", voice::turn_of(field, side));
    let part = field.agenda().iter().rev().find_map(|phase| match phase {
        Phase::Opening(opening) => Some(format!("Before the battle: {}", before(*opening))),
        Phase::Rally(rally) => Some(turn(rally.side, "Rally")),
        Phase::Movement(movement) => Some(turn(movement.side, "Movement")),
        Phase::Firing { side } => Some(turn(*side, "Firing")),
        Phase::Melee(melee) => Some(turn(melee.side, "Melee")),
        _ => None,
    });
    part.unwrap_or(round)
}

/// The parts of a turn; before the battle the set-up stands in front of them.
fn ribbon(field: &Field) -> (Vec<&'static str>, Option<usize>) {
    const PARTS: [&str; 5] = ["Set-up", "Rally", "Movement", "Firing", "Melee"];
    let now = field.agenda().iter().rev().find_map(|phase| match phase {
        Phase::Opening(_) => Some(0),
        Phase::Rally(_) => Some(1),
        Phase::Movement(_) => Some(2),
        Phase::Firing { .. } => Some(3),
        Phase::Melee(_) => Some(4),
        _ => None,
    });
    match now.filter(|_| field.outcome().is_none()) {
        Some(0) => (PARTS.to_vec(), Some(0)),
        now => (PARTS.iter().skip(1).copied().collect(), now.map(|part: usize| part.saturating_sub(1))),
    }
}

fn before(opening: Opening) -> &'static str {
    match opening {
        Opening::Deploy { .. } => "deployment",
        Opening::Sharpshooters => "sharpshooters",
        Opening::FirstOrders => "first orders",
        Opening::Begin => "who begins",
    }
}

fn badge(sign: impl Into<String>, text: impl Into<String>, tone: Tone) -> Badge {
    Badge { sign: sign.into(), text: text.into(), tone }
}

fn badges(field: &Field, unit: UnitId) -> Vec<Badge> {
    let (facts, own) = (facts(field, unit), soldiers(field, unit));
    if !is_there(field, unit) {
        return Vec::new();
    }
    let tone = match u16::from(own.marks) * 2 {
        twice if twice <= u16::from(facts.marks) => Tone::Alarm,
        twice if twice < u16::from(facts.marks) * 2 => Tone::Note,
        _ => Tone::Calm,
    };
    let mut badges = vec![badge(
        format!("{}/{}", own.marks, facts.marks),
        format!("{} of {} marks left", own.marks, facts.marks),
        tone,
    )];
    if !own.loaded {
        badges.push(badge("●", "smoke: not loaded", Tone::Note));
    }
    match own.condition {
        Condition::Steady => {}
        Condition::Disordered => badges.push(badge("D", "disordered", Tone::Alarm)),
        Condition::Routing => badges.push(badge("R", "routing", Tone::Alarm)),
        Condition::Pursuing => badges.push(badge("P", "pursuing", Tone::Note)),
    }
    if is_engaged(field, unit) {
        badges.push(badge("M", "in a melee", Tone::Note));
    }
    badges
}

fn looks(field: &Field, unit: UnitId) -> Vec<Look> {
    let (own, piece) = (soldiers(field, unit), field.unit(unit));
    if !piece.is_present() {
        return Vec::new();
    }
    let looks = [
        (!own.loaded, Look::Smoke),
        (own.condition == Condition::Routing, Look::Rout),
        (own.condition == Condition::Disordered, Look::Disorder),
        (piece.whereabouts == Whereabouts::Hidden, Look::Hidden),
    ];
    looks.into_iter().filter(|(shows, _)| *shows).map(|(_, look)| look).collect()
}

/// A courier on the road. The enemy sees a rider and nothing more.
fn rider(field: &Field, number: usize, courier: &Courier) -> ScenePiece {
    let pose = Pose { at: courier.at, facing: Angle::NORTH };
    let stand = Length::mm(15.0);
    let name = match courier.to {
        Some(to) => format!("Courier to {}", voice::command(field, to)),
        None => "Courier".to_owned(),
    };
    let quad = Quad::of_square(courier.at.vec(), stand);
    let mut piece = single(&format!("courier-{number}"), &name, courier.side, PieceKind::Courier, pose, &quad);
    piece.badges.extend(courier.order.map(|order| badge("O", voice::standing(field, order), Tone::Calm)));
    piece
}
