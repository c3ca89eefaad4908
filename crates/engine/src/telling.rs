//! What a rulebook says to people: questions, sentences, badges, odds, and the words of a typed order.

use crate::event::Event;
use crate::ids::{CommanderId, Side, UnitId};
use crate::odds::Odds;
use crate::ruleset::{Asked, Ruleset};
use crate::scene::{Badge, Ghost, Look, PieceKind, Prompt, ScenePiece, Sketch};
use crate::state::State;
use crate::verdict::Note;
use crate::view::View;

/// One way to answer, for `help` in a terminal.
pub struct Usage {
    /// The words, such as `move UNIT LEGS…`.
    pub words: &'static str,
    /// What they do.
    pub what: &'static str,
}

/// One line of a side's force.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ForceLine {
    /// How deep in the chain of command.
    pub depth: u8,
    /// Its name.
    pub name: String,
    /// What it is.
    pub what: String,
    /// What it is worth, where the house has a guide.
    pub points: Option<i32>,
}

/// A rulebook that can speak.
pub trait Telling: Ruleset {
    /// The question with its gestures.
    fn prompt(view: &View<'_, Self>, asked: &Asked<Self>, side: Side) -> Prompt;
    /// What the lengths of this battle are said in.
    fn unit(_state: &State<Self>) -> table::Unit {
        table::Unit::Inch
    }
    /// Round and phase in words.
    fn when(state: &State<Self>) -> String;
    /// What a unit is drawn as.
    fn kind(state: &State<Self>, unit: UnitId) -> PieceKind;
    /// A formation in a word.
    fn formation(formation: Self::Formation) -> &'static str;
    /// A unit's state at a glance.
    fn badges(state: &State<Self>, unit: UnitId) -> Vec<Badge>;
    /// What the eye catches of a unit before it reads anything.
    fn looks(_state: &State<Self>, _unit: UnitId) -> Vec<Look> {
        Vec::new()
    }
    /// Where pieces would stand if an order were carried out, as far as no die and no enemy decides it. Orders that
    /// move nothing have no ghosts; an illegal order has one all the same, so that it can be shown in red.
    fn ghosts(_view: &View<'_, Self>, _asked: &Asked<Self>, _side: Side, _order: &Self::Order) -> Vec<Ghost> {
        Vec::new()
    }
    /// Lines drawn while a question stands: who would shoot at whom, who gives an order to whom. With an order those of
    /// this order alone; without one whatever helps to answer. Only what the side itself may know.
    fn aims(_view: &View<'_, Self>, _asked: &Asked<Self>, _side: Side, _order: Option<&Self::Order>) -> Vec<Sketch> {
        Vec::new()
    }
    /// What is drawn around a selected unit. Nothing that measures, where measuring beforehand is bad manners.
    fn sketches(_view: &View<'_, Self>, _unit: UnitId) -> Vec<Sketch> {
        Vec::new()
    }
    /// The same for a commander.
    fn officer_sketches(_view: &View<'_, Self>, _commander: CommanderId) -> Vec<Sketch> {
        Vec::new()
    }
    /// A commander's card.
    fn officer_card(view: &View<'_, Self>, commander: CommanderId) -> Vec<String> {
        let card = view.muster().commander(commander);
        vec![card.name.clone(), view.muster().command(card.commands).name.clone()]
    }
    /// Phases of a turn in order, for the ribbon over the table; the second is which one is being played.
    fn ribbon(_state: &State<Self>) -> (Vec<&'static str>, Option<usize>) {
        (Vec::new(), None)
    }
    /// A unit's card: lines about strength, state and what it may do.
    fn card(view: &View<'_, Self>, unit: UnitId) -> Vec<String>;
    /// Pieces that are neither units nor in the roster of commanders' plain drawing.
    fn extras(view: &View<'_, Self>) -> Vec<ScenePiece>;
    /// Whether a commander is one of the higher ones.
    fn is_chief(officer: &Self::Officer) -> bool;
    /// An event in a sentence; `state` is the state after it.
    fn tell(state: &State<Self>, event: &Event<Self>) -> String;
    /// An order in words.
    fn phrase(state: &State<Self>, order: &Self::Order) -> String;
    /// A typed order; an error says what was expected.
    fn parse(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, words: &str) -> Result<Self::Order, String>;
    /// The words that answer this question.
    fn usage(asked: &Asked<Self>) -> Vec<Usage>;
    /// Exact odds of an order, as far as this side may know them.
    fn odds(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, order: &Self::Order) -> Option<Odds>;
    /// A side's force line by line, for whoever draws one up; nothing where the house has no guide.
    fn force(_state: &State<Self>, _side: Side) -> Vec<ForceLine> {
        Vec::new()
    }
    /// Whether the tape may be laid now; the note says why not.
    fn may_measure(view: &View<'_, Self>) -> Result<(), Note>;
}
