//! What `fpw` says to people: questions with their gestures, the chronicle, cards and badges, typed orders.

mod aims;
mod answers;
mod cards;
mod gestures;
mod ghosts;
mod parse;
mod phrase;
mod prompt;
mod sentences;
mod sketches;
mod usage;

#[cfg(test)]
mod tests;

use super::Fpw;
use super::clause::Clause;
use super::event::Part;
use super::field::{Field, facts, is_engaged, is_hidden, is_there, soldiers};
use super::generals;
use super::order::Order;
use super::sequence::{Opening, Phase};
use super::unit::{Arm, Formation, Level, Officer};
use book::telling::voice;
use engine::scene::{Badge, Ghost, Look, PieceKind, Prompt, ScenePiece, Sketch, Tone};
use engine::telling::{ForceLine, Usage};
use engine::{Asked, CommanderId, Event, Note, Odds, Side, State, Telling, UnitId, View};

book::offer!(Fpw);

impl Telling for Fpw {
    fn prompt(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side) -> Prompt {
        prompt::prompt(view, asked, side)
    }

    fn when(state: &State<Fpw>) -> String {
        when(state)
    }

    fn kind(state: &State<Fpw>, unit: UnitId) -> PieceKind {
        match facts(state, unit).arm {
            Arm::Infantry => PieceKind::Foot,
            Arm::Cavalry => PieceKind::Horse,
            _ if state.unit(unit).body.formation == Formation::Limbered => PieceKind::LimberedGuns,
            Arm::FootArtillery | Arm::HorseArtillery => PieceKind::Guns,
        }
    }

    fn formation(formation: Formation) -> &'static str {
        formation.word()
    }

    fn badges(state: &State<Fpw>, unit: UnitId) -> Vec<Badge> {
        badges(state, unit)
    }

    fn looks(state: &State<Fpw>, unit: UnitId) -> Vec<Look> {
        looks(state, unit)
    }

    fn ghosts(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, order: &Order) -> Vec<Ghost> {
        ghosts::ghosts(view, asked, side, order)
    }

    fn aims(view: &View<'_, Fpw>, asked: &Asked<Fpw>, _side: Side, order: Option<&Order>) -> Vec<Sketch> {
        aims::aims(view, &asked.decision, order)
    }

    fn sketches(view: &View<'_, Fpw>, unit: UnitId) -> Vec<Sketch> {
        sketches::of_unit(view, unit)
    }

    fn officer_sketches(view: &View<'_, Fpw>, commander: CommanderId) -> Vec<Sketch> {
        sketches::of_commander(view, commander)
    }

    fn officer_card(view: &View<'_, Fpw>, commander: CommanderId) -> Vec<String> {
        cards::officer(view, commander)
    }

    fn ribbon(state: &State<Fpw>) -> (Vec<&'static str>, Option<usize>) {
        ribbon(state)
    }

    fn card(view: &View<'_, Fpw>, unit: UnitId) -> Vec<String> {
        cards::unit(view, unit)
    }

    fn extras(_view: &View<'_, Fpw>) -> Vec<ScenePiece> {
        Vec::new()
    }

    fn is_chief(officer: &Officer) -> bool {
        officer.level != Level::Division
    }

    fn tell(state: &State<Fpw>, event: &Event<Fpw>) -> String {
        sentences::tell(state, event)
    }

    fn phrase(state: &State<Fpw>, order: &Order) -> String {
        phrase::phrase(state, order)
    }

    fn parse(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, words: &str) -> Result<Order, String> {
        parse::parse(view, asked, side, words)
    }

    fn usage(asked: &Asked<Fpw>) -> Vec<Usage> {
        usage::usage(&asked.decision)
    }

    fn odds(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, order: &Order) -> Option<Odds> {
        super::odds::odds(view, asked, side, order)
    }

    fn force(state: &State<Fpw>, side: Side) -> Vec<ForceLine> {
        super::force::lines(state, side)
    }

    fn may_measure(view: &View<'_, Fpw>) -> Result<(), Note> {
        if view.settings().premeasuring {
            return Ok(());
        }
        let text = "distances are judged by eye in this battle";
        Err(Note::new(Clause::WithinRadius, text))
    }
}

/// The parts of a turn as the ribbon shows them.
const PARTS: [&str; 5] = ["Initiative", "Command", "Generals", "Combat", "Recovery"];

fn part_number(part: Part) -> Option<usize> {
    match part {
        Part::Upkeep | Part::Initiative => Some(0),
        Part::Command => Some(1),
        Part::Generals => Some(2),
        Part::Combat => Some(3),
        Part::Recovery => Some(4),
        Part::End => None,
    }
}

fn opening(field: &Field) -> Option<Opening> {
    field.agenda().iter().find_map(|phase| match phase {
        Phase::Opening(opening) => Some(*opening),
        _ => None,
    })
}

fn when(field: &Field) -> String {
    if field.outcome().is_some() {
        return "The battle is over".to_owned();
    }
    match opening(field) {
        Some(Opening::Deploy { .. }) => return "Before the battle: deployment".to_owned(),
        Some(Opening::Begin) => return "Before the battle".to_owned(),
        None => {}
    }
    let turn = match field.muster().turn_limit {
        Some(limit) => format!("Turn {} of {limit}", field.turn()),
        None => format!("Turn {}", field.turn()),
    };
    let ledger = field.ledger();
    let standing = field.agenda().iter().any(|phase| matches!(phase, Phase::Standing { .. }));
    let part = match part_number(ledger.part).and_then(|n| PARTS.get(n)) {
        _ if standing => ": Standing fire".to_owned(),
        Some(part) => format!(": {part}"),
        None => String::new(),
    };
    format!("{turn}, {}{part}", voice::turn_of(field, ledger.active))
}

/// The parts of a turn; before the battle the set-up stands in front of them.
fn ribbon(field: &Field) -> (Vec<&'static str>, Option<usize>) {
    if field.outcome().is_some() {
        return (PARTS.to_vec(), None);
    }
    match opening(field) {
        Some(_) => (std::iter::once("Set-up").chain(PARTS).collect(), Some(0)),
        None => (PARTS.to_vec(), part_number(field.ledger().part)),
    }
}

fn badge(sign: impl Into<String>, text: impl Into<String>, tone: Tone) -> Badge {
    Badge { sign: sign.into(), text: text.into(), tone }
}

fn badges(field: &Field, unit: UnitId) -> Vec<Badge> {
    if !is_there(field, unit) {
        return Vec::new();
    }
    let own = soldiers(field, unit);
    let mut badges = Vec::new();
    let (disruption, degradation) = (own.disruption(), own.degradation());
    if disruption > 0 {
        let text = voice::count(disruption as usize, "disruption marker");
        badges.push(badge(format!("x{disruption}"), text, Tone::Note));
    }
    if degradation > 0 {
        let text = voice::count(degradation as usize, "degradation marker");
        badges.push(badge(format!("d{degradation}"), text, Tone::Alarm));
    }
    if is_engaged(field, unit) {
        badges.push(badge("M", "in close combat", Tone::Note));
    }
    if own.turn.withdrew {
        badges.push(badge("W", "withdrawing: takes no orders this turn", Tone::Alarm));
    }
    let leader = generals::attached(field, unit).next();
    if let Some(general) = leader {
        badges.push(badge("★", format!("led by {}", voice::commander(field, general)), Tone::Calm));
    }
    if own.guest.is_some() {
        badges.push(badge("+", "an independent stand has joined it", Tone::Calm));
    }
    if own.penalty > 0 {
        let text = format!("{} harder to command for good", own.penalty);
        badges.push(badge(format!("p{}", own.penalty), text, Tone::Note));
    }
    if own.turn.orders > 0 {
        let text = format!("{} this turn", voice::count(usize::from(own.turn.orders), "order"));
        badges.push(badge(format!("o{}", own.turn.orders), text, Tone::Calm));
    }
    if own.turn.fired_ordered || own.turn.fired != 0 {
        badges.push(badge("●", "has fired this turn", Tone::Calm));
    }
    if is_hidden(field.unit(unit)) {
        badges.push(badge("H", "hidden from the enemy", Tone::Calm));
    }
    badges
}

fn looks(field: &Field, unit: UnitId) -> Vec<Look> {
    let (own, piece) = (soldiers(field, unit), field.unit(unit));
    if !piece.is_present() {
        return Vec::new();
    }
    let looks = [
        (own.turn.fired_ordered || own.turn.fired != 0, Look::Smoke),
        (own.turn.withdrew, Look::Rout),
        (is_hidden(piece), Look::Hidden),
    ];
    let marked = own.stands.iter().zip(0..).filter(|(markers, _)| markers.disruption + markers.degradation > 0);
    let markers =
        marked.map(|(markers, stand)| Look::Markers { stand, light: markers.disruption, heavy: markers.degradation });
    looks.into_iter().filter(|(shows, _)| *shows).map(|(_, look)| look).chain(markers).collect()
}
