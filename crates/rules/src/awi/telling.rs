//! What `awi` says to people: questions with their gestures, the chronicle, cards and badges, typed orders. While the
//! tape may not be laid beforehand nothing here tells a distance (E.2).

mod gestures;
mod parse;
mod phrase;
mod prompt;
mod sentences;
mod usage;
mod voice;
mod words;

#[cfg(test)]
mod tests;

use super::Awi;
use super::clause::Clause;
use super::courier;
use super::event::Courier;
use super::field::{Field, facts, is_engaged, is_there, soldiers, touching_enemies};
use super::movement;
use super::officers;
use super::order::Order;
use super::sequence::{Opening, Phase};
use super::unit::{Arm, Condition, Formation, Gun, Level, Officer, Task};
use engine::facade::single;
use engine::scene::{Badge, PieceKind, Prompt, ScenePiece, Tone};
use engine::telling::{ForceLine, Usage};
use engine::{Asked, Event, Note, Odds, Side, State, Telling, UnitId, View, Whereabouts};
use table::{Angle, Length, Pose, Quad};

impl Telling for Awi {
    const NAME: &'static str = "American War of Independence";
    const ABOUT: &'static str = "Musket, bayonet and a few guns from Lexington to Yorktown, with every distance \
                                 judged by eye and a good officer near the colours worth a battalion.";

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

    fn card(view: &View<'_, Awi>, unit: UnitId) -> Vec<String> {
        card(view, unit)
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
            let text = "distances are judged by eye until an act is declared".into();
            return Err(Note { clause: Clause::NoPremeasuring.into(), text, about: None, mark: None });
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

fn card(view: &View<'_, Awi>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let piece = field.unit(unit);
    if piece.whereabouts == Whereabouts::Unseen {
        return vec!["Nothing is known of it.".to_owned()];
    }
    let (facts, own, card) = (facts(field, unit), soldiers(field, unit), field.card(unit));
    if !facts.is_troops() {
        return vec![card.name.clone(), "A lone sharpshooter: one shot, and he is gone".to_owned()];
    }
    let gun = facts.gun.map(|gun| format!(", {}", gun_word(gun))).unwrap_or_default();
    let mut lines = vec![
        card.name.clone(),
        format!("{} class, {}: {}{gun}", facts.class.word(), facts.arm.word(), facts.kind.word()),
    ];
    if !piece.is_present() {
        let gone = piece.whereabouts == Whereabouts::Gone;
        lines.push(if gone { "Out of the battle".to_owned() } else { "Not on the table yet".to_owned() });
        return lines;
    }
    lines.push(format!("Marks: {} of {}", own.marks, facts.marks));
    lines.push(format!("Formation: {}", piece.body.formation.word()));
    if facts.small_arms || facts.arm == Arm::Artillery {
        lines.push(if own.loaded { "Loaded".to_owned() } else { "Not loaded: smoke".to_owned() });
    }
    if facts.arm == Arm::Artillery {
        lines.push(format!("Grapeshot: {} left", voice::count(own.grape_left, "round")));
    }
    if facts.shell {
        lines.push("Has shell".to_owned());
    }
    lines.push(match movement::basic(field, unit) {
        (_, _, Some(dice)) => format!("Moves {dice} inches"),
        (plain, _, None) => format!("Moves {}", voice::inches(plain.value)),
    });
    lines.extend(state_lines(field, unit));
    if let Some(brigade) = card.command {
        let leader = field.muster().command(brigade).commander;
        let leader = leader.map(|id| format!(" ({})", voice::commander(field, id))).unwrap_or_default();
        lines.push(format!("Brigade: {}{leader}", voice::command(field, brigade)));
    }
    if view.viewer().knows(card.side)
        && let Some(order) = courier::standing(field, unit)
    {
        lines.push(format!("Under orders to {}", voice::standing(field, order)));
    }
    // Who is near enough to help is judged only at the test, unless the tape may be laid.
    if !field.settings().no_premeasuring
        && let Some(help) = officers::help(field, unit)
    {
        lines.push(format!("{} would add {:+} to its tests", voice::commander(field, help.who), help.factor.value));
    }
    if own.task != Task::None {
        lines.push(format!("This turn: {}", own.task.word()));
    }
    lines
}

fn state_lines(field: &Field, unit: UnitId) -> Vec<String> {
    let own = soldiers(field, unit);
    let mut lines = Vec::new();
    match (own.condition, own.quarry) {
        (Condition::Steady, _) => {}
        (Condition::Pursuing, Some(quarry)) => lines.push(format!("Pursuing {}", voice::unit(field, quarry))),
        (other, _) => lines.push(voice::sentence(other.word()).trim_end_matches('.').to_owned()),
    }
    let enemies = touching_enemies(field, unit);
    if !enemies.is_empty() {
        let names: Vec<&str> = enemies.iter().map(|id| voice::unit(field, *id)).collect();
        lines.push(format!("In a melee with {}", voice::list(&names)));
    }
    lines
}

fn gun_word(gun: Gun) -> &'static str {
    match gun {
        Gun::Battalion => "battalion guns",
        Gun::SixPounder => "six-pounders",
        Gun::TwentyFourPounder => "twenty-four-pounders",
    }
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
