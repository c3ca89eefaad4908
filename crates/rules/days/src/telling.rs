//! What `iron` and `empire` say to people: questions with their gestures, the chronicle, cards and badges, typed orders.

mod aims;
mod cards;
mod gestures;
mod ghosts;
mod parse;
mod phrase;
mod prompt;
mod sentences;
mod sketches;
mod speech;
mod usage;

use super::Days;
use super::clause::Clause;
use super::event::TurnStep;
use super::field::{Field, facts, is_battery, is_limbered, is_mounted};
use super::formation::Formation;
use super::order::Order;
use super::sequence::Phase;
use super::unit::{Arm, Officer, Rank};
use engine::scene::{Badge, Ghost, Look, PieceKind, Prompt, ScenePiece, Sketch};
use engine::telling::{ForceLine, Usage};
use engine::{Asked, CommanderId, Event, Note, Odds, Side, State, Telling, UnitId, View};

book::offer!(Days);

impl Telling for Days {
    fn prompt(view: &View<'_, Days>, asked: &Asked<Days>, side: Side) -> Prompt {
        prompt::prompt(view, asked, side)
    }

    fn when(state: &State<Days>) -> String {
        when(state)
    }

    fn kind(state: &State<Days>, unit: UnitId) -> PieceKind {
        match facts(state, unit).arm {
            _ if is_limbered(state, unit) => PieceKind::LimberedGuns,
            Arm::Artillery if is_battery(state, unit) => PieceKind::Guns,
            Arm::Wagon => PieceKind::LimberedGuns,
            Arm::Cavalry if is_mounted(state, unit) => PieceKind::Horse,
            Arm::Cavalry | Arm::Infantry | Arm::Artillery | Arm::Engineers => PieceKind::Foot,
        }
    }

    fn formation(formation: Formation) -> &'static str {
        formation.shape.word()
    }

    fn badges(state: &State<Days>, unit: UnitId) -> Vec<Badge> {
        cards::badges(state, unit)
    }

    fn looks(state: &State<Days>, unit: UnitId) -> Vec<Look> {
        cards::looks(state, unit)
    }

    fn ghosts(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, order: &Order) -> Vec<Ghost> {
        ghosts::ghosts(view, asked, side, order)
    }

    fn aims(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, order: Option<&Order>) -> Vec<Sketch> {
        aims::aims(view, asked, side, order)
    }

    fn sketches(view: &View<'_, Days>, unit: UnitId) -> Vec<Sketch> {
        sketches::of_unit(view, unit)
    }

    fn officer_sketches(view: &View<'_, Days>, commander: CommanderId) -> Vec<Sketch> {
        sketches::of_commander(view, commander)
    }

    fn officer_card(view: &View<'_, Days>, commander: CommanderId) -> Vec<String> {
        cards::officer(view, commander)
    }

    fn ribbon(state: &State<Days>) -> (Vec<&'static str>, Option<usize>) {
        ribbon(state)
    }

    fn card(view: &View<'_, Days>, unit: UnitId) -> Vec<String> {
        cards::unit(view, unit)
    }

    fn extras(view: &View<'_, Days>) -> Vec<ScenePiece> {
        sketches::extras(view)
    }

    fn is_chief(officer: &Officer) -> bool {
        officer.rank != Rank::Brigade
    }

    fn tell(state: &State<Days>, event: &Event<Days>) -> String {
        sentences::tell(state, event)
    }

    fn phrase(state: &State<Days>, order: &Order) -> String {
        phrase::phrase(state, order)
    }

    fn parse(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, words: &str) -> Result<Order, String> {
        parse::parse(view, asked, side, words)
    }

    fn usage(asked: &Asked<Days>) -> Vec<Usage> {
        usage::usage(&asked.decision)
    }

    fn odds(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, order: &Order) -> Option<Odds> {
        super::odds::odds(view, asked, side, order)
    }

    fn force(state: &State<Days>, side: Side) -> Vec<ForceLine> {
        super::force::lines(state, side)
    }

    fn may_measure(view: &View<'_, Days>) -> Result<(), Note> {
        if view.settings().premeasuring {
            return Ok(());
        }
        Err(Note::new(Clause::FivePhasesToATurn, "distances are judged by eye in this battle"))
    }
}

/// The phases of a turn as the ribbon shows them.
const PHASES: [&str; 8] =
    ["Initiative", "Charges", "Rally", "Shooting", "Charges go on", "Movement", "Charging home", "Close assault"];

/// Which phase of the ribbon a step belongs to.
const fn phase_of(step: TurnStep) -> usize {
    use TurnStep as S;
    match step {
        S::Initiative | S::Replacing | S::Arrivals | S::BreakThroughs => 0,
        S::FirstCharges | S::SecondCharges => 1,
        S::Rally => 2,
        S::Shooting => 3,
        S::FirstCharged | S::SecondCharged | S::Routs | S::Feints | S::SecondImpulse => 4,
        S::FirstOpportunity | S::SecondOpportunity | S::Defence => 4,
        S::FirstMoves | S::SecondMoves => 5,
        S::Home | S::Fires => 6,
        S::Routers | S::Assault | S::Surrender | S::Recovery => 7,
    }
}

fn is_opening(field: &Field) -> bool {
    field.agenda().iter().any(|phase| matches!(phase, Phase::Opening(_)))
}

fn when(field: &Field) -> String {
    if field.outcome().is_some() {
        return "The battle is over".to_owned();
    }
    if is_opening(field) {
        return "Before the battle: setting up".to_owned();
    }
    let turn = match field.muster().turn_limit {
        Some(limit) => format!("Turn {} of {limit}", field.turn()),
        None => format!("Turn {}", field.turn()),
    };
    format!("{turn}: {}", PHASES[phase_of(field.ledger().step)])
}

/// The phases; before the battle the set-up stands in front of them.
fn ribbon(field: &Field) -> (Vec<&'static str>, Option<usize>) {
    if field.outcome().is_some() {
        return (PHASES.to_vec(), None);
    }
    if is_opening(field) {
        return (std::iter::once("Set-up").chain(PHASES).collect(), Some(0));
    }
    (PHASES.to_vec(), Some(phase_of(field.ledger().step)))
}
